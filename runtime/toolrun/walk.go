package toolrun

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/ir/gate"
)

const (
	deepest = 200     // folders in each other that are walked: one of each is held open
	widest  = 100_000 // entries of one folder that are looked at: they are held to be sorted
)

// skipped are what no search goes into unless it begins there: what git and the
// store of runs keep.
var skipped = []string{".git", ".iterion"}

// errEnough ends a walk that has found all it may.
var errEnough = errors.New("enough")

// walk goes through the files under a folder, in the order of their names. Links
// are not followed. What the gate closes is not opened and not told.
type walk struct {
	ctx   context.Context
	gate  *gate.Gate
	start string // the folder, absolute
	omissions
	// wants tells whether a file is of interest by its path relative to the
	// start; visit is called with those that are.
	wants func(rel string) bool
	visit func(dir *os.Root, name, rel string) error
}

// run walks. The error of a visit ends it.
func (w *walk) run() error {
	dir, err := openFolder(w.start)
	if err != nil {
		return err
	}
	defer dir.Close()
	return w.folder(dir, "", 0)
}

func (w *walk) folder(dir *os.Root, rel string, depth int) error {
	entries, err := w.entries(dir)
	if err != nil {
		w.add("it cannot be listed: "+plain(err).Error(), "folder")
	}
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.entry(dir, e, path.Join(rel, e.Name()), depth); err != nil {
			return err
		}
	}
	return nil
}

// entries are those of a folder in the order of their names.
func (w *walk) entries(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(widest)
	if len(entries) == widest {
		w.add("it has too many entries, of which some were looked at", "folder")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if len(entries) > 0 || errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

func (w *walk) entry(dir *os.Root, e fs.DirEntry, rel string, depth int) error {
	name := e.Name()
	switch {
	case slices.Contains(skipped, name):
		return nil
	case e.IsDir():
		return w.down(dir, name, rel, depth)
	case !e.Type().IsRegular() || !w.wants(rel):
		return nil
	case !utf8.ValidString(name):
		w.add("the name is no UTF-8, so that no rule can be about it", "file")
		return nil
	}
	if reason, denied, asked := closed(w.gate, path.Join(w.start, rel)); denied || asked {
		w.add(reason, "file")
		return nil
	}
	return w.visit(dir, name, rel)
}

// down goes into a folder. One that is denied is denied with all below it.
func (w *walk) down(dir *os.Root, name, rel string, depth int) error {
	real := path.Join(w.start, rel)
	reason, denied, _ := closed(w.gate, real)
	switch {
	case ofProcesses(real):
		return nil
	case !utf8.ValidString(name):
		reason, denied = "the name is no UTF-8, so that no rule can be about it", true
	case depth >= deepest:
		reason, denied = "it lies too deep", true
	}
	if denied {
		w.add(reason, "folder")
		return nil
	}
	next, err := step(dir, name)
	if err != nil {
		w.add("it cannot be opened: "+plain(err).Error(), "folder")
		return nil
	}
	defer next.Close()
	return w.folder(next, rel, depth+1)
}
