// Package worktree gives a run a git worktree of its own, on a branch
// `iterion/RUN` that begins at the commit of the user's checkout. The checkout
// itself, its index and its HEAD are never written to, but for a merge that was
// asked for into the branch that it has checked out.
//
// A process may be killed at any moment: Open goes on with what it left, and
// Prune ends what nobody goes on with.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"iterion/runtime/filelock"
)

var errOther = errors.New("the worktree of the run belongs to another repository")

// Options say where.
type Options struct {
	Repo  string // any folder of the user's checkout
	Store string // folder of the store; trees live in its `worktrees`
	Run   string // id of the run: letters, digits, `_` and `-`
}

// Tree is the worktree of one run. It is used by one process at a time.
type Tree struct {
	Workspace string // what corresponds to Options.Repo, absolute
	Root      string // top folder, absolute
	Branch    string
	Base      string // commit that the branch begins at
	Dirty     bool   // the user's checkout has changes, which the tree has not

	repo   *repository
	record record
	store  string
}

// Create makes the tree of a run. The error is ErrNoRepository when there is
// nothing to make it of, and says why; the caller may run in place then.
func Create(ctx context.Context, o Options) (*Tree, error) {
	t, err := newTree(ctx, o)
	if err != nil {
		return nil, err
	}
	t.record, err = readRecord(t.file(".json"))
	switch {
	case err == nil && t.record.State == creating:
		err = t.discard(ctx)
	case err == nil:
		return nil, fmt.Errorf("the run has a worktree already, %s", t.Root)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err == nil && t.tip(ctx, t.repo.git) != "" {
		err = fmt.Errorf("the branch %s exists already, and no run of this store made it", t.Branch)
	}
	if err != nil {
		return nil, err
	}
	t.record = record{Repo: t.repo.common, Base: t.repo.head, Prefix: t.repo.prefix, Current: t.repo.branch, State: creating}
	if err := t.build(ctx); err != nil {
		return nil, errors.Join(err, t.discard(context.WithoutCancel(ctx)))
	}
	return t, t.settle(ctx)
}

// Open finds the tree of a run again. A folder that is gone is made anew from
// the branch. The error is fs.ErrNotExist when the run has no tree.
func Open(ctx context.Context, o Options) (*Tree, error) {
	t, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	metadata, err := t.repo.metadata(t.Root)
	if err != nil {
		return nil, err
	}
	_, gone := os.Lstat(t.Root)
	switch {
	case t.record.State == removing:
		return nil, fmt.Errorf("the worktree of the run is finished; its work is on the branch %s", t.Branch)
	case t.record.State == ready && gone == nil && metadata == "":
		return nil, fmt.Errorf("git knows nothing of the worktree %s any more; `git worktree repair %s`, run in the repository, may bring it back", t.Root, t.Root)
	case t.record.State == creating || gone != nil:
		err = t.build(ctx)
	}
	if err != nil {
		return nil, err
	}
	return t, t.settle(ctx)
}

// newTree names the parts of a run's tree and makes the folder for trees.
func newTree(ctx context.Context, o Options) (*Tree, error) {
	if !runName().MatchString(o.Run) {
		return nil, fmt.Errorf("%q cannot name a worktree; a run's name is of letters, digits, `_` and `-`", o.Run)
	}
	repo, err := locate(ctx, o.Repo)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(o.Store, "worktrees")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	// git writes real paths, and they are compared.
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	// The store may lie in the checkout, whose own `git add` shall not see trees.
	ignore := filepath.Join(folder, ".gitignore")
	if _, err := os.Stat(ignore); err != nil {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return nil, err
		}
	}
	return &Tree{
		Root: filepath.Join(folder, o.Run), Branch: "iterion/" + o.Run, Base: repo.head,
		repo: repo, store: filepath.Dir(folder),
	}, nil
}

// load reads what is recorded of a run's tree.
func load(ctx context.Context, o Options) (*Tree, error) {
	t, err := newTree(ctx, o)
	if err != nil {
		return nil, err
	}
	t.record, err = readRecord(t.file(".json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the run %s has no worktree: %w", o.Run, err)
	case err == nil && t.record.Repo != t.repo.common:
		err = fmt.Errorf("%w: %s", errOther, t.record.Repo)
	}
	t.Base = t.record.Base
	return t, err
}

// file is a file of ours beside the tree.
func (t *Tree) file(suffix string) string { return t.Root + suffix }

func (t *Tree) ref() string { return "refs/heads/" + t.Branch }

func (t *Tree) setState(s state) error {
	t.record.State = s
	return t.record.write(t.file(".json"))
}

// settle fills in what callers read.
func (t *Tree) settle(ctx context.Context) error {
	t.Base, t.Workspace = t.record.Base, filepath.Join(t.Root, t.record.Prefix)
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	// The folder may be untracked in the checkout, and a link out of the tree in
	// the commit, which the root refuses to follow.
	if t.record.Prefix != "" {
		if err := root.MkdirAll(t.record.Prefix, 0o777); err != nil {
			return fmt.Errorf("the worktree has no folder %s: %w", t.record.Prefix, err)
		}
	}
	t.Dirty, err = t.repo.dirty(ctx, t.store)
	return err
}

// build makes the folder anew, from the branch or, without one, from the base.
func (t *Tree) build(ctx context.Context) error {
	if err := t.setState(creating); err != nil {
		return err
	}
	if err := t.add(ctx); err != nil {
		return err
	}
	g, err := t.git(ctx)
	if err != nil {
		return err
	}
	if _, err := g.run(ctx, "", "reset", "--hard", "--quiet"); err != nil {
		return err
	}
	return t.setState(ready)
}

// add lets git make the tree without its files. It does so for one run at a
// time: git reads what it knows of all worktrees, half-written or not.
func (t *Tree) add(ctx context.Context) error {
	lock, err := filelock.Acquire(ctx, filepath.Join(filepath.Dir(t.Root), ".lock"))
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := t.remove(); err != nil {
		return err
	}
	g, err := t.repo.git.armed(ctx)
	if err != nil {
		return err
	}
	args := []string{"worktree", "add", "--quiet", "--no-checkout"}
	if t.tip(ctx, g) == "" {
		args = append(args, "-b", t.Branch, t.Root, t.record.Base)
	} else {
		args = append(args, t.Root, t.Branch)
	}
	_, err = g.run(ctx, "", args...)
	return err
}

// remove takes away the folder and what git knows of it.
func (t *Tree) remove() error {
	metadata, err := t.repo.metadata(t.Root)
	if err != nil {
		return err
	}
	if err := removeAll(t.Root); err != nil || metadata == "" {
		return err
	}
	return os.RemoveAll(metadata)
}

// tip is the commit of the branch, "" when there is no branch.
func (t *Tree) tip(ctx context.Context, g git) string {
	tip, err := g.run(ctx, "", "rev-parse", "--verify", "--quiet", t.ref()+"^{commit}")
	if err != nil {
		return ""
	}
	return tip
}

// git runs commands in the tree. The place of the repository is handed over:
// found through the tree's own `.git`, it could be anything.
func (t *Tree) git(ctx context.Context, env ...string) (git, error) {
	if info, err := os.Lstat(t.Root); err != nil || !info.IsDir() {
		return git{}, errors.Join(fmt.Errorf("%s is no folder any more", t.Root), err)
	}
	metadata, err := t.repo.metadata(t.Root)
	if err == nil && metadata == "" {
		err = fmt.Errorf("git knows nothing of the worktree %s", t.Root)
	}
	if err != nil {
		return git{}, err
	}
	return newGit(t.Root, append(env, "GIT_DIR="+metadata, "GIT_WORK_TREE="+t.Root)...).armed(ctx)
}
