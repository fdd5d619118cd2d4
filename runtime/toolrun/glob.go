package toolrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"iterion/runtime/backend"
)

const (
	mostFound        = 1000 // files that a search names
	mostAlternatives = 256  // of a glob: each may be tried on each file
)

// globFiles lists files by their path.
func globFiles(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in struct {
		Pattern string `json:"pattern"`
		Path    string `json:"path"`
	}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	text, err := r.glob(ctx, a, in.Pattern, in.Path)
	if err != nil {
		return failed("the search failed: %v", plain(err))
	}
	return said(text)
}

func (r *Runner) glob(ctx context.Context, a args, pattern, start string) (string, error) {
	if err := walkable(pattern); err != nil {
		return "", err
	}
	real, err := r.locate(a, start)
	if err != nil {
		return "", err
	}
	found := listing{base: r.workspace(), most: mostFound}
	w := &walk{ctx: ctx, gate: r.Gate(), start: real}
	w.wants = func(rel string) bool { return doublestar.MatchUnvalidated(pattern, rel) }
	w.visit = func(_ *os.Root, _, rel string) error { return found.line(found.name(path.Join(real, rel))) }
	if err := w.run(); err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	return found.text("no file matches", &w.omissions), nil
}

// walkable refuses a glob that a walk under one folder cannot meet.
func walkable(pattern string) error {
	switch {
	case !doublestar.ValidatePattern(pattern):
		return errors.New("the glob is malformed: a bracket or brace is not closed, or a backslash ends it")
	case alternatives(pattern) > mostAlternatives:
		return fmt.Errorf("the glob stands for more than %d others: take some of its braces apart", mostAlternatives)
	case strings.HasPrefix(pattern, "/"), strings.HasPrefix(pattern, "~"), slices.Contains(strings.FieldsFunc(pattern, parting), ".."):
		return errors.New("the glob is relative to the folder: write the folder as `path`, and leave `/`, `~` and `..` out of the glob")
	}
	return nil
}

// alternatives is how many globs without braces a glob stands for, or more:
// braces in brackets count too.
func alternatives(pattern string) int {
	type group struct{ before, now int } // branches that are read, and the one being read
	open := []group{{0, 1}}
	leave := func() {
		g := open[len(open)-1]
		open = open[:len(open)-1]
		above := &open[len(open)-1]
		above.now = min(above.now*(g.before+g.now), mostAlternatives+1)
	}
	for _, c := range pattern {
		at := &open[len(open)-1]
		switch {
		case c == '{':
			open = append(open, group{0, 1})
		case c == ',' && len(open) > 1:
			at.before, at.now = min(at.before+at.now, mostAlternatives+1), 1
		case c == '}' && len(open) > 1:
			leave()
		}
	}
	for len(open) > 1 {
		leave()
	}
	return open[0].now
}

// parting tells what parts the names of a glob from each other.
func parting(c rune) bool { return strings.ContainsRune("/{},", c) }

// matching is what a search for text says with `glob`: a path relative to where
// it starts, or without a slash a name.
func matching(glob string) func(rel string) bool {
	switch {
	case glob == "":
		return func(string) bool { return true }
	case !strings.Contains(glob, "/"):
		return func(rel string) bool { return doublestar.MatchUnvalidated(glob, path.Base(rel)) }
	}
	return func(rel string) bool { return doublestar.MatchUnvalidated(glob, rel) }
}

// listing is the answer of a search, line by line, up to a number of lines and
// to what one answer holds.
type listing struct {
	base  string // the workspace, to which names are relative
	most  int
	lines int
	out   strings.Builder
	full  bool
}

// name is a file as other tools take it.
func (l *listing) name(real string) string {
	if rel, ok := under(l.base, real); ok {
		return show(rel)
	}
	return show(real)
}

func (l *listing) line(text string) error {
	if l.lines >= l.most || l.out.Len()+len(text) > mostShown {
		l.full = true
		return errEnough
	}
	l.lines++
	l.out.WriteString(text)
	l.out.WriteByte('\n')
	return nil
}

// text is the answer with its notes.
func (l *listing) text(none string, left *omissions) string {
	out := l.out.String()
	if l.lines == 0 {
		out = "(" + none + ")\n"
	}
	if l.full {
		out += "(there is more than these " + count(l.lines, "line") + ": narrow the search)\n"
	}
	return out + left.notes()
}
