package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkedOut is a folder of the user's that a merge changes the files of.
type checkedOut struct {
	git    git
	folder string
	meta   string // where git keeps its index and HEAD
	l      landing
	change []change // what the merge brings to it
}

// change is a path that a merge changes. A side without the file has no blob.
type change struct{ path, old, new string }

func (t *Tree) openCheckout(ctx context.Context, l landing) (*checkedOut, error) {
	meta := t.repo.common
	if l.Checkout != t.repo.main(ctx) {
		var err error
		if meta, err = t.repo.metadata(l.Checkout); err != nil || meta == "" {
			return nil, errors.Join(fmt.Errorf("git knows nothing of the checkout %s", l.Checkout), err)
		}
	}
	g, err := newGit(l.Checkout, "GIT_DIR="+meta, "GIT_WORK_TREE="+l.Checkout).armed(ctx)
	if err != nil {
		return nil, err
	}
	c := &checkedOut{git: g, folder: l.Checkout, meta: meta, l: l}
	c.change, err = c.changes(ctx)
	return c, err
}

// main is the folder of the checkout that is no linked worktree.
func (r *repository) main(ctx context.Context) string {
	out, _ := r.git.run(ctx, "", "worktree", "list", "--porcelain")
	first, _, _ := strings.Cut(out, "\n")
	return filepath.FromSlash(strings.TrimPrefix(first, "worktree "))
}

func (c *checkedOut) changes(ctx context.Context) (list []change, err error) {
	out, err := c.git.run(ctx, "", "diff-tree", "-r", "-z", "--no-renames", c.l.Old, c.l.New)
	if err != nil {
		return nil, err
	}
	parts := fields(out)
	for i := 0; i+1 < len(parts); i += 2 {
		info := strings.Fields(parts[i]) // :mode mode blob blob letter
		if len(info) != 5 {
			return nil, fmt.Errorf("git names a change that cannot be read: %s", parts[i])
		}
		list = append(list, change{parts[i+1], blob(info[2]), blob(info[3])})
	}
	return list, nil
}

// blob is the name of a blob, "" where git writes zeros for none.
func blob(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}

// underway are the files that tell that the user is in the middle of something.
var underway = []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG", "index.lock"}

// ready tells why the checkout cannot be changed: what the user has there is
// theirs, to the last byte.
func (c *checkedOut) ready(ctx context.Context) error {
	for _, name := range underway {
		if _, err := os.Lstat(filepath.Join(c.meta, name)); err == nil {
			return c.refuse("something is underway there (%s)", name)
		}
	}
	out, err := c.git.run(ctx, "", "status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all")
	if err != nil {
		return err
	}
	if out != "" {
		return c.refuse("it has changes that are not committed")
	}
	var names []string
	for _, one := range c.change {
		names = append(names, one.path)
		if one.old != "" {
			continue
		}
		if _, err := os.Lstat(filepath.Join(c.folder, filepath.FromSlash(one.path))); err == nil {
			return c.refuse("%s lies there and is not committed, and the merge brings a file of that name", one.path)
		}
	}
	return c.filtered(ctx, names)
}

// filtered refuses files that a program of the repository's choice writes
// (git-lfs): it is not run.
func (c *checkedOut) filtered(ctx context.Context, names []string) error {
	out, err := c.git.run(ctx, strings.Join(names, "\x00")+"\x00", "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return err
	}
	for parts := fields(out); len(parts) >= 3; parts = parts[3:] {
		if value := parts[2]; value != "unspecified" && value != "unset" {
			return c.refuse("%s is written by the filter %s, which is not run", parts[0], value)
		}
	}
	return nil
}

func (c *checkedOut) refuse(format string, args ...any) error {
	return fmt.Errorf("%s is checked out in %s, which a merge would change, and %s; nothing was merged. Settle that and resume the run, or check out another branch there first",
		c.l.Branch, c.folder, fmt.Sprintf(format, args...))
}

// follow brings files and index from one commit to another. A file that is not
// as the first one has it stops it before anything is written.
func (c *checkedOut) follow(ctx context.Context, from, to string) error {
	if _, err := c.git.run(ctx, "", "read-tree", "-m", "-u", from, to); err != nil {
		return fmt.Errorf("the files of %s could not be changed: %w", c.folder, err)
	}
	return nil
}

// undo takes back what a merge that was cut off did to files and index: all
// of the merge's paths that are as it makes them. The branch has not moved.
func (c *checkedOut) undo(ctx context.Context) error {
	same, err := c.git.run(ctx, "", "write-tree")
	if err != nil {
		return c.refuse("its index cannot be read (%v)", err)
	}
	if files, err := c.git.run(ctx, "", "rev-parse", "--verify", c.l.New+"^{tree}"); err == nil && same == files {
		return c.follow(ctx, c.l.New, c.l.Old)
	}
	for _, one := range c.change {
		if err := c.takeBack(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// takeBack brings back a file that is as the merge makes it; another one is the
// user's and stays.
func (c *checkedOut) takeBack(ctx context.Context, one change) error {
	path := filepath.Join(c.folder, filepath.FromSlash(one.path))
	_, gone := os.Lstat(path)
	switch {
	case one.new == "" && gone == nil, one.old == "" && gone != nil:
		return nil
	case gone == nil:
		if now, err := c.git.run(ctx, one.path+"\n", "hash-object", "--stdin-paths"); err != nil || now != one.new {
			return nil
		}
	}
	if one.old == "" {
		return os.Remove(path)
	}
	_, err := c.git.run(ctx, one.path+"\x00", "checkout-index", "--force", "-u", "-z", "--stdin")
	return err
}
