package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Prune finishes the trees of a repository that no run goes on with: what was
// half made is taken back, what holds work is committed to its branch. The runs
// that keep is true for are left alone: those that a process drives, that wait
// or can be resumed. A tree that cannot be finished is named by the error and
// left; the others are finished.
func Prune(ctx context.Context, o Options, keep func(run string) bool) ([]Finished, error) {
	entries, err := os.ReadDir(filepath.Join(o.Store, "worktrees"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var done []Finished
	var failed error
	for _, entry := range entries {
		run, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok || !runName().MatchString(run) || keep(run) {
			continue
		}
		o.Run = run
		f, err := prune(ctx, o)
		switch {
		case err == nil:
			done = append(done, f)
		case !errors.Is(err, errOther):
			failed = errors.Join(failed, fmt.Errorf("run %s: %w", run, err))
		}
	}
	return done, failed
}

func prune(ctx context.Context, o Options) (Finished, error) {
	t, err := load(ctx, o)
	if err != nil {
		return Finished{}, err
	}
	if t.record.State == creating && t.atBase(ctx) {
		return Finished{Run: o.Run}, t.discard(ctx)
	}
	return t.Finish(ctx, "iterion: changes that run "+o.Run+" left")
}

// atBase tells whether the branch holds nothing.
func (t *Tree) atBase(ctx context.Context) bool {
	tip := t.tip(ctx, t.repo.git)
	return tip == "" || tip == t.record.Base
}
