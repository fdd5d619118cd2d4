package main

import (
	"context"
	"errors"
	"io/fs"

	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/worktree"
)

// settleIn finds the place where the run works: a worktree of its own, unless
// the program says otherwise or there is no repository.
func (d *driven) settleIn(ctx context.Context) error {
	o := &d.options
	if o.Program.Workflow.Worktree.Or("auto") != "auto" {
		return nil
	}
	place := worktree.Options{Repo: o.Started, Store: d.folder, Run: o.RunID}
	var err error
	if d.fresh {
		d.tree, err = worktree.Create(ctx, place)
	} else {
		d.tree, err = worktree.Open(ctx, place)
	}
	switch {
	case errors.Is(err, worktree.ErrNoRepository):
		if d.fresh && repositoryRoot() != "" {
			d.show.warning("the run works in place: " + err.Error())
		}
		return nil
	case errors.Is(err, fs.ErrNotExist) && !d.fresh: // it began in place
		return nil
	case err != nil:
		return &status{exitFailed, "no worktree for the run: " + err.Error()}
	}
	o.Workspace, o.Landing = d.tree.Workspace, landing{d.tree}
	if d.tree.Dirty && d.fresh {
		d.show.warning("changes that are not committed are not seen by the run, which works in a worktree of its own; `worktree: none` works in place")
	}
	return nil
}

// landing is a run's tree as the engine sees it.
type landing struct{ *worktree.Tree }

func (l landing) Merge(ctx context.Context, m runtime.Merge) (runtime.Merged, error) {
	done, err := l.Tree.Merge(ctx, worktree.Merge(m))
	return runtime.Merged(done), err
}

// leave ends the worktree of a run that has ended; one that can go on keeps it.
func (d *driven) leave(r runtime.Result) error {
	if d.tree == nil || r.Status != outcome.Finished && r.Status != outcome.Failed {
		return nil
	}
	done, err := d.tree.Finish(context.Background(), "iterion run "+r.RunID)
	if err != nil {
		return err
	}
	if done.Branch != "" {
		d.show.note("what the run changed is on branch " + done.Branch)
	}
	if len(done.Nested) > 0 {
		d.show.warning("the worktree stays, since it holds repositories of its own: " + done.Folder)
	}
	return nil
}
