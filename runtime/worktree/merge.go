package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"iterion/runtime/filelock"
)

// The strategies of a merge.
const (
	Squash = "squash" // one commit on the target, which does not follow the run's
	Join   = "merge"  // a commit that follows both
)

// Current, as the target of a merge, is the branch that the user's checkout was
// on when the tree was made.
const Current = "current"

// Merge says what is merged where.
type Merge struct {
	Key      string // of the decision: a merge that was cut off is found again by it
	Commit   string // as Snapshot returned it
	Into     string // a branch, or Current
	Strategy string // Squash or Join
	Message  string
}

// Merged is what a merge came to.
type Merged struct {
	Branch string // the target
	Commit string // its tip; the same as before when there was nothing to merge
}

// landing is the last merge of a tree. It is written before the target is moved,
// so that a merge that was cut off is known.
type landing struct {
	Key      string `json:"key"`
	Branch   string `json:"branch"`   // the target
	Tip      string `json:"tip"`      // commit that was merged
	Old      string `json:"old"`      // of the target
	New      string `json:"new"`      // of the target
	Checkout string `json:"checkout"` // folder that has the target checked out, "" for none
}

// Snapshot commits what the tree holds to its branch and returns the commit. It
// changes nothing else: a Snapshot of a tree that did not change is the same one.
// The error also tells that nothing can be merged into the target.
func (t *Tree) Snapshot(ctx context.Context, into string) (string, error) {
	if _, err := t.target(ctx, into); err != nil {
		return "", err
	}
	nested, err := t.commit(ctx, "iterion: state of run "+filepath.Base(t.Root))
	switch {
	case err != nil:
		return "", fmt.Errorf("the changes in %s cannot be committed to %s: %w", t.Root, t.Branch, err)
	case len(nested) > 0:
		return "", fmt.Errorf("%s holds repositories of its own, which no commit can hold: %s; move them away, or make them submodules", t.Root, strings.Join(nested, ", "))
	}
	t.settleIndex(ctx)
	return t.tip(ctx, t.repo.git), nil
}

// settleIndex makes the tree's own index one of the commit, so that git shows
// whoever works there no changes that are committed. It is a service only: where
// a git that was killed there left the index locked, it stays.
func (t *Tree) settleIndex(ctx context.Context) {
	g, err := t.git(ctx)
	if err != nil {
		return
	}
	if head, err := g.run(ctx, "", "symbolic-ref", "--quiet", "HEAD"); err != nil || head != t.ref() {
		return
	}
	if _, err := g.run(ctx, "", "read-tree", "HEAD"); err == nil {
		_, _ = g.run(ctx, "", "update-index", "-q", "--refresh")
	}
}

// target finds the branch to merge into.
func (t *Tree) target(ctx context.Context, into string) (string, error) {
	if into == Current {
		if into = t.record.Current; into == "" {
			return "", fmt.Errorf("no branch was checked out in %s when the run began, so there is no current one: name the branch with `merge_into:`", t.repo.top)
		}
	}
	if into == t.Branch {
		return "", fmt.Errorf("%s is the run's own branch", into)
	}
	if t.repo.git.branch(ctx, into) == "" {
		return "", fmt.Errorf("the repository %s has no branch %s: make it, or name another one", t.repo.common, into)
	}
	return into, nil
}

// branch is the commit of a branch, "" when there is none.
func (g git) branch(ctx context.Context, name string) string {
	ref := "refs/heads/" + name
	if _, err := g.run(ctx, "", "check-ref-format", ref); err != nil {
		return ""
	}
	tip, err := g.run(ctx, "", "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if err != nil {
		return ""
	}
	return tip
}

// Merge merges a commit of the tree into a branch. The branch moves in one step,
// from where it was to a whole merge, or not at all. A checkout of it follows,
// which has to be clean; one that is not is never touched. A Merge that was killed
// is repeated with the same Key, and happens once.
func (t *Tree) Merge(ctx context.Context, m Merge) (Merged, error) {
	branch, err := t.target(ctx, m.Into)
	if err != nil {
		return Merged{}, err
	}
	lock, err := filelock.Acquire(ctx, filepath.Join(filepath.Dir(t.Root), ".lock"))
	if err != nil {
		return Merged{}, err
	}
	defer lock.Release()
	g, err := t.git(ctx)
	if err != nil {
		return Merged{}, err
	}
	if last := t.record.Landing; last != nil && last.Key == m.Key && last.Branch == branch && last.Tip == m.Commit {
		if done, err := t.recover(ctx, g, *last); done || err != nil {
			return Merged{branch, last.New}, err
		}
	}
	l, err := t.plan(ctx, g, m, branch)
	if err != nil || l.New == l.Old {
		return Merged{branch, l.New}, err
	}
	// It is short, and half of it is worse than a moment more.
	return Merged{branch, l.New}, t.land(context.WithoutCancel(ctx), g, l)
}

// plan makes the commit of a merge. Nothing shows it yet.
func (t *Tree) plan(ctx context.Context, g git, m Merge, branch string) (landing, error) {
	l := landing{Key: m.Key, Branch: branch, Tip: m.Commit, Old: g.branch(ctx, branch)}
	l.New = l.Old
	if g.reaches(ctx, l.Old, m.Commit) {
		return l, nil
	}
	files, err := t.combine(ctx, g, l)
	if err != nil {
		return l, err
	}
	parents := []string{l.Old}
	if m.Strategy == Join {
		parents = append(parents, m.Commit)
	}
	if l.New, err = t.record.commitOf(ctx, g, files, parents, m.Message); err != nil || l.New == l.Old {
		return l, err
	}
	l.Checkout, err = t.checkoutOf(ctx, branch)
	return l, err
}

// combine merges files in the object store alone and returns their tree.
func (t *Tree) combine(ctx context.Context, g git, l landing) (string, error) {
	ours := l.Old
	if last := t.record.Landing; last != nil && last.Branch == l.Branch && g.reaches(ctx, l.Old, last.New) && g.reaches(ctx, l.Tip, last.Tip) {
		// After a squash git does not know that the target has the run's work up to
		// there: a commit of the target's files that follows it says so.
		var err error
		if ours, err = t.record.commitOf(ctx, g, l.Old+"^{tree}", []string{last.Tip, l.Old}, "merge base"); err != nil {
			return "", err
		}
	}
	out, err := g.run(ctx, "", "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, l.Tip)
	var failed *gitError
	var exit *exec.ExitError
	switch {
	case err == nil:
		return strings.TrimRight(out, "\x00"), nil
	case errors.As(err, &failed) && errors.As(err, &exit) && exit.ExitCode() == 1:
		names := fields(failed.stdout)
		slices.Sort(names[1:])
		return "", fmt.Errorf("%s conflicts with %s in %s; nothing was merged. In %s run `git merge %s`, settle the conflicts and commit, then resume the run",
			t.Branch, l.Branch, strings.Join(slices.Compact(names[1:]), ", "), t.Root, l.Branch)
	case errors.As(err, &failed) && strings.Contains(failed.stderr, "usage:"):
		return "", errors.New("git 2.38 or later is needed to merge")
	}
	return "", err
}

// land moves the target and its checkout. The files come first: until the branch
// moves, they are changes that recover knows.
func (t *Tree) land(ctx context.Context, g git, l landing) error {
	t.record.Landing = &l
	if l.Checkout == "" {
		if err := t.record.write(t.file(".json")); err != nil {
			return err
		}
		return g.move(ctx, l)
	}
	c, err := t.openCheckout(ctx, l)
	if err == nil {
		err = c.ready(ctx)
	}
	if err != nil {
		return err
	}
	if err := t.record.write(t.file(".json")); err != nil {
		return err
	}
	if err := c.follow(ctx, l.Old, l.New); err != nil {
		return err
	}
	if err := g.move(ctx, l); err != nil {
		return errors.Join(err, c.follow(context.WithoutCancel(ctx), l.New, l.Old))
	}
	return nil
}

// move moves the target, unless it has moved meanwhile.
func (g git) move(ctx context.Context, l landing) error {
	if _, err := g.run(ctx, "", "update-ref", "-m", "iterion: merge", "refs/heads/"+l.Branch, l.New, l.Old); err != nil {
		return fmt.Errorf("%s could not be moved; nothing was merged: %w", l.Branch, err)
	}
	return nil
}

// recover looks what a merge that was cut off came to: done, or taken back as if
// it had not begun.
func (t *Tree) recover(ctx context.Context, g git, l landing) (done bool, err error) {
	tip := g.branch(ctx, l.Branch)
	if g.reaches(ctx, tip, l.New) {
		return true, nil
	}
	if l.Checkout == "" || tip != l.Old {
		return false, nil
	}
	if now, err := t.checkoutOf(ctx, l.Branch); err != nil || now != l.Checkout {
		return false, err
	}
	c, err := t.openCheckout(ctx, l)
	if err != nil {
		return false, err
	}
	return false, c.undo(ctx)
}

// checkoutOf is the folder that has a branch checked out, "" for none.
func (t *Tree) checkoutOf(ctx context.Context, branch string) (string, error) {
	out, err := t.repo.git.run(ctx, "", "worktree", "list", "--porcelain")
	if err != nil {
		return "", err
	}
	folder := ""
	for _, line := range strings.Split(out, "\n") {
		if name, ok := strings.CutPrefix(line, "worktree "); ok {
			folder = filepath.FromSlash(name)
		}
		if line != "branch refs/heads/"+branch {
			continue
		}
		if _, err := os.Lstat(folder); err == nil {
			return folder, nil
		}
	}
	return "", nil
}
