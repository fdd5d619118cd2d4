package toolrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"iterion/runtime/backend"
)

// largestEdited is the largest file that is edited, in bytes: it is held whole.
const largestEdited = 32 << 20

// edit is one replacement.
type edit struct {
	Path string `json:"file_path"`
	Old  string `json:"old_string"`
	New  string `json:"new_string"`
	All  bool   `json:"replace_all"`
}

// fileEdit replaces a text in a file.
func fileEdit(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in edit
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	places, err := r.edit(ctx, a, in)
	if err != nil {
		return failed("%s was not edited: %v", show(in.Path), plain(err))
	}
	return said(fmt.Sprintf("replaced %s in %s", count(places, "place"), show(in.Path)))
}

func (r *Runner) edit(ctx context.Context, a args, in edit) (places int, err error) {
	err = r.rewrite(ctx, a, in.Path, func(text string) (edited string, err error) {
		edited, places, err = in.apply(text)
		return edited, err
	})
	return places, err
}

// rewrite changes the text of a file that is there.
func (r *Runner) rewrite(ctx context.Context, a args, name string, change func(text string) (string, error)) error {
	folder, base, err := r.place(a, name)
	if err != nil {
		return err
	}
	dir, err := openFolder(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	text, old, err := readWhole(ctx, dir, base)
	if err != nil {
		return err
	}
	changed, err := change(text)
	if err != nil {
		return err
	}
	return r.replace(dir, base, old, []byte(changed))
}

// readWhole reads a text file that is to be changed.
func readWhole(ctx context.Context, dir *os.Root, name string) (string, fs.FileInfo, error) {
	f, info, err := openRegular(dir, name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(awake{ctx, f}, largestEdited+1))
	switch {
	case err != nil:
		return "", nil, err
	case len(content) > largestEdited:
		return "", nil, fmt.Errorf("it is larger than %d MiB", largestEdited>>20)
	case binary(content[:min(len(content), sampled)]):
		return "", nil, errors.New("it is a binary file, and no text")
	}
	return string(content), info, nil
}

// apply makes the replacement. In a text whose lines all end with CR LF, a line
// break of the edit is one of these.
func (e edit) apply(text string) (edited string, places int, err error) {
	before, after := e.Old, e.New
	if breaks := strings.Count(text, "\n"); breaks > 0 && breaks == strings.Count(text, "\r\n") {
		before, after = withCR(before), withCR(after)
	}
	places = strings.Count(text, before)
	switch {
	case before == after:
		return "", 0, errors.New("old_string and new_string are the same")
	case places == 0:
		return "", 0, errors.New("old_string does not stand in it" + e.advice(text))
	case places > 1 && !e.All:
		return "", 0, fmt.Errorf("old_string stands in it %d times, first in the lines %s: take more of the text around the right one, or set replace_all",
			places, lines(text, before))
	case len(text)+places*(len(after)-len(before)) > largestEdited:
		return "", 0, fmt.Errorf("it would be larger than %d MiB then", largestEdited>>20)
	}
	return strings.ReplaceAll(text, before, after), places, nil
}

func withCR(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// numbered is a text as a read shows it.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^ *[0-9]+\t`) })

// advice guesses why a text is not found.
func (e edit) advice(text string) string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	bare := numbered().ReplaceAllString(e.Old, "")
	switch {
	case bare != e.Old && strings.Contains(text, bare):
		return ": leave out the line numbers and the tab behind them"
	case strings.Contains(squeeze(text), squeeze(e.Old)):
		return " in this form: blanks or line ends differ"
	}
	return ": read the file again"
}

// lines lists the lines where the first few of a text's places begin.
func lines(text, part string) string {
	var list []string
	line := 1
	for len(list) < 5 {
		at := strings.Index(text, part)
		if at < 0 {
			break
		}
		line += strings.Count(text[:at], "\n")
		list = append(list, strconv.Itoa(line))
		line += strings.Count(part, "\n")
		text = text[at+len(part):]
	}
	return strings.Join(list, ", ")
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
