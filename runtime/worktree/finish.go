package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"iterion/runtime/filelock"
)

// Finished is what became of a tree.
type Finished struct {
	Run    string
	Branch string // "" when the run left nothing, and the branch is gone too
	Commit string // of the branch
	// Folder is left in place when Nested is not empty: repositories in the tree,
	// by their paths, which no commit can hold.
	Folder string
	Nested []string
}

// Finish commits what changed in the tree to its branch and removes the folder.
// Ignored files go with it. Without any commit behind the base the branch is
// deleted as well. A Finish that failed or was killed can be repeated.
func (t *Tree) Finish(ctx context.Context, message string) (Finished, error) {
	f := Finished{Run: filepath.Base(t.Root)}
	if _, err := os.Lstat(t.Root); err == nil && t.record.State == ready {
		if f.Nested, err = t.commit(ctx, message); err != nil {
			return f, fmt.Errorf("the changes in %s cannot be committed to %s: %w", t.Root, t.Branch, err)
		}
	}
	if len(f.Nested) > 0 {
		f.Folder, f.Branch, f.Commit = t.Root, t.Branch, t.tip(ctx, t.repo.git)
		return f, t.forget()
	}
	if err := t.setState(removing); err != nil {
		return f, err
	}
	if err := t.cleanUp(ctx); err != nil {
		return f, err
	}
	if f.Commit = t.tip(ctx, t.repo.git); f.Commit != "" {
		f.Branch = t.Branch
	}
	return f, t.forget()
}

// discard takes a tree back that no run has used.
func (t *Tree) discard(ctx context.Context) error {
	return errors.Join(t.cleanUp(ctx), t.forget())
}

// cleanUp removes the folder, what git knows of it, and a branch that is still
// at its base.
func (t *Tree) cleanUp(ctx context.Context) error {
	lock, err := filelock.Acquire(ctx, filepath.Join(filepath.Dir(t.Root), ".lock"))
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := t.remove(); err != nil {
		return err
	}
	g, err := t.repo.git.armed(ctx)
	if err != nil || t.tip(ctx, g) != t.record.Base {
		return err
	}
	_, err = g.run(ctx, "", "update-ref", "-d", t.ref(), t.record.Base)
	return err
}

// forget removes our own files, the record last.
func (t *Tree) forget() error {
	for _, suffix := range []string{".index", ".index.lock", ".json.new", ".json"} {
		if err := os.Remove(t.file(suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// commit puts the tree's files on the branch and returns the nested
// repositories that it left out. Only plumbing is used, which runs no editor,
// signs nothing and starts no upkeep; and an index of our own, since a git that
// was killed in the tree leaves the other locked.
func (t *Tree) commit(ctx context.Context, message string) (nested []string, err error) {
	g, err := t.git(ctx, "GIT_INDEX_FILE="+t.file(".index"))
	if err != nil {
		return nil, err
	}
	if err := t.copyIndex(ctx, g); err != nil {
		return nil, err
	}
	if nested, err = stage(ctx, g); err != nil {
		return nil, err
	}
	files, err := g.run(ctx, "", "write-tree")
	if err != nil {
		return nil, err
	}
	tip := t.tip(ctx, g)
	parents := t.parents(ctx, g, tip)
	next, err := t.record.commitOf(ctx, g, files, parents, message)
	if err != nil || next == tip {
		return nested, err
	}
	_, err = g.run(ctx, "", "update-ref", "-m", "iterion: finish", t.ref(), next, tip)
	return nested, err
}

// copyIndex begins our index: with the tree's, which knows the files that did
// not change, else with the commit.
func (t *Tree) copyIndex(ctx context.Context, g git) error {
	for _, suffix := range []string{".index", ".index.lock"} {
		if err := os.Remove(t.file(suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	metadata, err := t.repo.metadata(t.Root)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(metadata, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = g.run(ctx, "", "read-tree", "HEAD")
		return err
	}
	if err != nil {
		return err
	}
	return os.WriteFile(t.file(".index"), data, 0o600)
}

// stage adds all that is not ignored to the index. Submodules stay as they are:
// to look into one, git runs itself there, under a configuration that is not
// overruled. Neither are repositories added that the run made.
func stage(ctx context.Context, g git) (nested []string, err error) {
	tracked, err := g.run(ctx, "", "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	paths := []string{":/"}
	for _, line := range fields(tracked) {
		info, path, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(info, "160000 ") {
			paths = append(paths, ":(top,exclude,literal)"+path)
		}
	}
	others, err := g.run(ctx, "", "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, path := range fields(others) {
		if repository, ok := strings.CutSuffix(path, "/"); ok {
			nested = append(nested, repository)
			paths = append(paths, ":(top,exclude,literal)"+repository)
		}
	}
	_, err = g.run(ctx, strings.Join(paths, "\x00"), "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
	return nested, err
}

func fields(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == 0 })
}

// parents are the commits that a new one follows: the branch, and what the run
// has checked out in its place, so that no commit of the run is lost.
func (t *Tree) parents(ctx context.Context, g git, tip string) []string {
	head, err := g.run(ctx, "", "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	switch {
	case tip == "" && err != nil:
		return []string{t.record.Base}
	case tip == "":
		return []string{head}
	case err != nil || g.reaches(ctx, tip, head):
		return []string{tip}
	case g.reaches(ctx, head, tip):
		return []string{head}
	}
	return []string{tip, head}
}

// reaches tells whether a commit is another or has it among its ancestors.
func (g git) reaches(ctx context.Context, from, to string) bool {
	_, err := g.run(ctx, "", "merge-base", "--is-ancestor", to, from)
	return err == nil
}

// commitOf returns a commit of the files: a new one, unless there is one parent
// and it has the same.
func (r record) commitOf(ctx context.Context, g git, files string, parents []string, message string) (string, error) {
	args := []string{"commit-tree", files, "-F", "-"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	same, err := g.run(ctx, "", "rev-parse", "--verify", parents[0]+"^{tree}")
	if err != nil || len(parents) == 1 && same == files {
		return parents[0], err
	}
	g.env = append(slices.Clone(g.env), author(ctx, g)...)
	return g.run(ctx, strings.ReplaceAll(message, "\x00", "")+"\n", args...)
}

// author is who git says the user is, else ourselves.
func author(ctx context.Context, g git) []string {
	name, noName := g.run(ctx, "", "config", "--get", "user.name")
	mail, noMail := g.run(ctx, "", "config", "--get", "user.email")
	if noName != nil || noMail != nil || name == "" || mail == "" {
		name, mail = "iterion", "iterion@localhost"
	}
	return []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + mail, "GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + mail}
}
