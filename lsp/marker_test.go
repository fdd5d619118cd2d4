package lsp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/ast/source"
	"iterion/lsp"
	"iterion/lsp/lsptest"
)

var update = flag.Bool("update", false, "rewrite the golden sections of corpus/lsp")

// Every file of corpus/lsp is a workspace, the requests that an editor sends in
// it, and what must come. The section @requests has a line for each:
//
//	METHOD [FILE[:/TEXT/]] [JSON] => NAME
//
// TEXT stands in the file, \n for a new line; a | in it marks the place, two mark a range. JSON is
// merged into the parameters. `METHOD < "LABEL"` sends the item of that label,
// title or name from the answer before. The answer must be the section @NAME:
// edits are shown as the texts that they make.
func TestMarkers(t *testing.T) {
	names, err := filepath.Glob("../corpus/lsp/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runMarkers(t, name) })
	}
}

// Every request that the server answers stands in a file of corpus/lsp.
func TestMarkersCoverMethods(t *testing.T) {
	names, err := filepath.Glob("../corpus/lsp/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name == "@requests" {
				for line := range strings.Lines(string(f.Data)) {
					method, _, _ := strings.Cut(strings.TrimSpace(line), " ")
					asked[method] = true
				}
			}
		}
	}
	for _, name := range lsp.Methods() {
		if !asked[name] {
			t.Errorf("no file of corpus/lsp sends %s", name)
		}
	}
}

func runMarkers(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := &markers{files: map[string]string{}, goldens: map[string]string{}}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "@"); ok {
			m.goldens[name] = string(f.Data)
		} else {
			m.files[f.Name] = string(f.Data)
		}
	}
	m.client = lsptest.Start(t, m.files, map[string]any{
		"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": true}}},
		"workspace":    map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}, "applyEdit": true}})
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".bot") {
			m.client.Open(f.Name, string(f.Data))
		}
	}
	used := []string{"requests"}
	for line := range strings.Lines(m.goldens["requests"]) {
		if line = strings.TrimSpace(line); line != "" {
			used = append(used, m.request(t, line))
		}
	}
	for name := range m.goldens {
		if !slices.Contains(used, name) {
			t.Errorf("the section @%s belongs to no request", name)
		}
	}
	if *update {
		m.write(t, path, archive, used[1:])
	}
}

type markers struct {
	client  *lsptest.Client
	file    string // of the request
	files   map[string]string
	goldens map[string]string
	last    any // the answer before
}

var requestLine = regexp.MustCompile(`^(\S+)(?: < "([^"]*)")?(?: ([^\s:{]+)(?::/(.*?)/)?)?(?: (\{.*\}))? => (\S+)$`)

// request sends a request and compares its answer; it returns its name.
func (m *markers) request(t *testing.T, line string) string {
	t.Helper()
	parts := requestLine.FindStringSubmatch(line)
	if parts == nil {
		t.Fatalf("this is no request: %s", line)
	}
	method, item, file, text, extra, name := parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]
	params := map[string]any{}
	if item != "" {
		params = m.item(t, item, strings.HasPrefix(method, "callHierarchy/"))
	}
	if m.file = file; file != "" {
		params = m.client.Document(file)
		m.place(t, params, file, text)
	}
	if extra != "" {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(extra, "$DIR", "file://"+m.client.Dir)), &params); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	got := ""
	if raw, err := m.client.Call(method, params); err != nil {
		got = "error: " + strings.ReplaceAll(err.Error(), m.client.Dir, "$DIR") + "\n"
	} else {
		m.last = nil
		if len(raw) > 0 { // null comes out empty
			if err := json.Unmarshal(raw, &m.last); err != nil {
				t.Fatal(err)
			}
		}
		got = m.show(m.last)
	}
	if want := m.goldens[name]; got != want && !*update {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", line, got, want)
	}
	m.goldens[name] = got
	return name
}

// place adds the marked place or range.
func (m *markers) place(t *testing.T, params map[string]any, file, text string) {
	t.Helper()
	if text == "" {
		return
	}
	b := source.NewBuffer(file, m.files[file])
	pieces := strings.Split(strings.ReplaceAll(text, `\n`, "\n"), "|")
	at := strings.Index(b.Text, strings.Join(pieces, ""))
	if at < 0 || len(pieces) < 2 || len(pieces) > 3 {
		t.Fatalf("%s: /%s/ marks no place", file, text)
	}
	position := func(offset int) any {
		p := b.Place(source.UTF16, offset)
		return map[string]any{"line": p.Line, "character": p.Character}
	}
	start := at + len(pieces[0])
	if len(pieces) == 2 {
		params["position"] = position(start)
		return
	}
	params["range"] = map[string]any{"start": position(start), "end": position(start + len(pieces[1]))}
	params["context"] = map[string]any{"diagnostics": []any{}}
}

// item finds an object in the answer before by its label, title or name.
func (m *markers) item(t *testing.T, label string, wrap bool) map[string]any {
	t.Helper()
	var found map[string]any
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				look(e)
			}
		case map[string]any:
			for _, key := range []string{"label", "title", "name"} {
				if v[key] == label && found == nil {
					found = v
				}
			}
			for _, e := range v {
				look(e)
			}
		}
	}
	look(m.last)
	if found == nil {
		t.Fatalf("the answer before has no %q", label)
	}
	if wrap {
		return map[string]any{"item": found}
	}
	return found
}

// show prints an answer: edits as texts, ranges as line:character from 0, URIs
// as names.
func (m *markers) show(v any) string {
	if edits := m.editsIn(v); len(edits) > 0 {
		return m.applied(v, edits)
	}
	if text, ok := completionText(v); ok {
		return text
	}
	if tokens, ok := v.(map[string]any); ok {
		if data, ok := tokens["data"].([]any); ok {
			return m.tokens(data)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m.short(v)); err != nil {
		return err.Error()
	}
	return b.String()
}

// tokens shows semantic tokens: place, text, type, modifiers.
func (m *markers) tokens(data []any) string {
	legend := m.client.Capabilities["semanticTokensProvider"].(map[string]any)["legend"].(map[string]any)["tokenTypes"].([]any)
	lines := strings.Split(m.files[m.file], "\n")
	var b strings.Builder
	line, character := 0, 0
	for ; len(data) >= 5; data = data[5:] {
		n := func(i int) int { return int(data[i].(float64)) }
		if line += n(0); n(0) > 0 {
			character = 0
		}
		character += n(1)
		fmt.Fprintf(&b, "%d:%d %s %s", line, character, lines[line][character:character+n(2)], legend[n(3)])
		if n(4) == 1 {
			b.WriteString(" declaration")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (m *markers) short(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = m.short(e)
		}
		return out
	case map[string]any:
		if p, ok := placeText(v); ok {
			return p
		}
		out := map[string]any{}
		for key, e := range v {
			out[key] = m.short(e)
		}
		if out["resultId"] != nil { // made of paths too
			out["resultId"] = "ID"
		}
		return out
	case string:
		return strings.ReplaceAll(strings.ReplaceAll(v, "file://"+m.client.Dir+"/", ""), m.client.Dir, "$DIR")
	}
	return v
}

func placeText(v map[string]any) (string, bool) {
	if line, ok := v["line"].(float64); ok && len(v) == 2 {
		return fmt.Sprintf("%v:%v", line, v["character"]), true
	}
	start, ok1 := v["start"].(map[string]any)
	end, ok2 := v["end"].(map[string]any)
	if !ok1 || !ok2 || len(v) != 2 {
		return "", false
	}
	from, _ := placeText(start)
	to, _ := placeText(end)
	return from + "-" + to, true
}

// editsIn finds the text edits of an answer that is a workspace edit, an action
// with one, or a list of edits of the only file.
func (m *markers) editsIn(v any) map[string][]any {
	switch v := v.(type) {
	case []any:
		if first, ok := firstOf(v); ok && first["newText"] != nil && first["range"] != nil {
			for name := range m.files {
				if strings.HasSuffix(name, ".bot") && (len(m.files) == 1 || name == "main.bot") {
					return map[string][]any{name: v}
				}
			}
		}
	case map[string]any:
		if edit, ok := v["edit"].(map[string]any); ok {
			return m.editsIn(edit)
		}
		out := map[string][]any{}
		if changes, ok := v["documentChanges"].([]any); ok {
			for _, c := range changes {
				c := c.(map[string]any)
				name := fmt.Sprint(m.short(c["textDocument"].(map[string]any)["uri"]))
				out[name] = append(out[name], c["edits"].([]any)...)
			}
		}
		return out
	}
	return nil
}

func firstOf(list []any) (map[string]any, bool) {
	if len(list) == 0 {
		return nil, false
	}
	first, ok := list[0].(map[string]any)
	return first, ok
}

// applied shows the texts that edits make.
func (m *markers) applied(v any, edits map[string][]any) string {
	var b strings.Builder
	if action, ok := v.(map[string]any); ok && action["title"] != nil {
		fmt.Fprintln(&b, action["title"])
	}
	var names []string
	for name := range edits {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s:\n", name)
		for line := range strings.Lines(apply(m.files[name], edits[name])) {
			fmt.Fprintf(&b, "| %s", line)
		}
	}
	return b.String()
}

// apply applies edits, which all count in the text as it is.
func apply(text string, edits []any) string {
	buffer := source.NewBuffer("", text)
	type edit struct {
		start, end int
		with       string
	}
	var list []edit
	at := func(v any) int {
		p := v.(map[string]any)
		return buffer.Offset(source.UTF16, source.Place{Line: int(p["line"].(float64)), Character: int(p["character"].(float64))})
	}
	for _, e := range edits {
		e := e.(map[string]any)
		r := e["range"].(map[string]any)
		list = append(list, edit{at(r["start"]), at(r["end"]), e["newText"].(string)})
	}
	slices.SortStableFunc(list, func(a, b edit) int { return a.start - b.start })
	var out strings.Builder
	last := 0
	for _, e := range list {
		out.WriteString(buffer.Text[last:e.start] + e.with)
		last = e.end
	}
	return out.String() + buffer.Text[last:]
}

// write puts the goldens into the file, in the order of their requests.
func (m *markers) write(t *testing.T, path string, archive *txtar.Archive, names []string) {
	t.Helper()
	keep := slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		return strings.HasPrefix(f.Name, "@") && f.Name != "@requests"
	})
	for _, name := range names {
		keep = append(keep, txtar.File{Name: "@" + name, Data: []byte(m.goldens[name])})
	}
	archive.Files = keep
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
