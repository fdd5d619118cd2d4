package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// record is what is kept of a tree beside git's own data. It is written before
// anything else is made and removed behind everything else, so a process that
// is killed leaves nothing that no record names.
type record struct {
	Repo   string `json:"repository"` // its `.git`
	Base   string `json:"base"`       // commit
	Prefix string `json:"prefix"`     // of the workspace in the tree
	State  state  `json:"state"`

	Current string   `json:"current,omitempty"` // branch that was checked out at the start, "" for none
	Landing *landing `json:"landing,omitempty"`
}

type state string

const (
	creating state = "creating" // files may be missing: never to be committed
	ready    state = "ready"
	removing state = "removing" // all is committed, files may be missing
)

var (
	runName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`) })
	commit  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`) })
)

// readRecord returns fs.ErrNotExist when there is none.
func readRecord(path string) (record, error) {
	var r record
	data, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s is damaged: %w", path, err)
	}
	local := r.Prefix == "" || filepath.IsLocal(r.Prefix)
	known := r.State == creating || r.State == ready || r.State == removing
	if !commit().MatchString(r.Base) || !local || !known {
		return r, fmt.Errorf("%s is damaged: it holds no base, prefix and state", path)
	}
	return r, nil
}

// write replaces the record as a whole, durably.
func (r record) write(path string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// removeAll also removes folders that are not writable, as caches of modules are.
func removeAll(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(path)
}
