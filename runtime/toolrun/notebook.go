package toolrun

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"iterion/runtime/backend"
)

// cellEdit is one change of a notebook.
type cellEdit struct {
	Path   string `json:"notebook_path"`
	Cell   string `json:"cell_id"`
	Source string `json:"new_source"`
	Kind   string `json:"cell_type"`
	Mode   string `json:"edit_mode"`
}

// notebookEdit changes one cell of a notebook.
func notebookEdit(ctx context.Context, r *Runner, a args) backend.CallResult {
	in := cellEdit{Mode: "replace"}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	var done string
	err := r.rewrite(ctx, a, in.Path, func(text string) (changed string, err error) {
		changed, done, err = in.apply(text)
		return changed, err
	})
	if err != nil {
		return failed("%s was not edited: %v", show(in.Path), plain(err))
	}
	return said(done + " in " + show(in.Path))
}

// cell is a cell of a notebook with all that it holds: what is not understood
// here stays.
type cell map[string]any

// apply makes the change in a notebook's text, which is written as Jupyter does:
// keys sorted, indented by one blank.
func (e cellEdit) apply(text string) (changed, done string, err error) {
	book, cells, err := readNotebook(text)
	if err != nil {
		return "", "", err
	}
	at, err := e.find(cells)
	if err != nil {
		return "", "", err
	}
	switch e.Mode {
	case "delete":
		done = "deleted the cell " + nameOf(cells[at], at)
		cells = slices.Delete(cells, at, at+1)
	case "insert":
		if e.Kind == "" {
			return "", "", errors.New("cell_type says what kind of cell to insert: code or markdown")
		}
		at++
		c := cell{"metadata": map[string]any{}}
		if keepsIDs(book) {
			c["id"] = strings.ToLower(rand.Text()[:8])
		}
		c.set(e.Kind, e.Source)
		cells, done = slices.Insert(cells, at, c), "inserted the cell "+nameOf(c, at)
	default:
		c := cells[at]
		c.set(e.Kind, e.Source)
		done = "replaced the cell " + nameOf(c, at)
	}
	book["cells"] = cells
	changed, err = writeNotebook(book)
	return changed, done, err
}

// readNotebook takes a notebook apart. Numbers stay as they are written.
func readNotebook(text string) (book map[string]any, cells []cell, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&book); err != nil {
		return nil, nil, fmt.Errorf("it is no notebook, which is a JSON object: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("it is no notebook: something stands behind the JSON object")
	}
	list, ok := book["cells"].([]any)
	if !ok {
		return nil, nil, errors.New("it is no notebook of format 4: it has no list of cells")
	}
	for i, v := range list {
		c, ok := v.(map[string]any)
		if !ok {
			return nil, nil, fmt.Errorf("its cell %d is no object", i)
		}
		cells = append(cells, c)
	}
	return book, cells, nil
}

func writeNotebook(book map[string]any) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	err := e.Encode(book)
	return out.String(), err
}

// find returns the place of the cell that is meant; of an insertion without one
// the place before the first.
func (e cellEdit) find(cells []cell) (int, error) {
	if e.Cell == "" && e.Mode == "insert" {
		return -1, nil
	}
	found := -1
	for i, c := range cells {
		if id, _ := c["id"].(string); id != "" && id == e.Cell {
			if found >= 0 {
				return 0, fmt.Errorf("two cells have the id %s: name the cell by its place, as cell-0", show(e.Cell))
			}
			found = i
		}
	}
	if place, ok := strings.CutPrefix(e.Cell, "cell-"); ok && found < 0 {
		if n, err := strconv.ParseUint(place, 10, 31); err == nil && int(n) < len(cells) {
			found = int(n)
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("it has no cell %s; its cells are %s", strconv.Quote(e.Cell), cellNames(cells))
	}
	return found, nil
}

// cellNames lists the first cells.
func cellNames(cells []cell) string {
	var list []string
	for i, c := range cells[:min(len(cells), 50)] {
		list = append(list, nameOf(c, i))
	}
	return fmt.Sprintf("%d: %s", len(cells), strings.Join(list, " "))
}

// nameOf is what a cell is called by: its id, or its place.
func nameOf(c cell, at int) string {
	if id, _ := c["id"].(string); id != "" {
		return show(id)
	}
	return "cell-" + strconv.Itoa(at)
}

// set gives a cell its source, and its kind when there is one. What it printed
// before is not the new source's.
func (c cell) set(kind, source string) {
	if kind != "" {
		c["cell_type"] = kind
	}
	c["source"] = slices.AppendSeq([]string{}, strings.Lines(source))
	delete(c, "outputs")
	delete(c, "execution_count")
	if c["cell_type"] == "code" {
		c["outputs"], c["execution_count"] = []any{}, nil
	}
}

// keepsIDs tells whether the format has ids of cells: since 4.5.
func keepsIDs(book map[string]any) bool {
	number := func(key string) int64 {
		n, _ := book[key].(json.Number)
		v, _ := n.Int64()
		return v
	}
	major := number("nbformat")
	return major > 4 || major == 4 && number("nbformat_minor") >= 5
}
