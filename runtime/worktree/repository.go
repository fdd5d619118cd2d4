package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoRepository tells that there is nothing to make a worktree of: no git, no
// repository, or one that is bare or has no commit. The error's text says which.
var ErrNoRepository = errors.New("no worktree can be made")

func noRepository(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNoRepository, fmt.Sprintf(format, args...))
}

// repository is a checkout of the user's. Nothing here writes to it.
type repository struct {
	git    git
	top    string // folder of the checkout
	common string // the `.git` that all worktrees share
	prefix string // of the folder that was asked for, below top; "" for top
	head   string // commit
	branch string // that is checked out, "" for none
}

// locate finds the repository that a folder lies in.
func locate(ctx context.Context, folder string) (*repository, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(folder); err != nil {
		return nil, err
	}
	r := &repository{git: newGit(folder)}
	if reason, err := r.git.check(ctx); reason != "" || err != nil {
		if err == nil {
			err = noRepository("%s", reason)
		}
		return nil, err
	}
	for _, part := range []struct {
		to   *string
		args []string
	}{
		{&r.top, []string{"--show-toplevel"}},
		{&r.common, []string{"--path-format=absolute", "--git-common-dir"}},
		{&r.prefix, []string{"--show-prefix"}},
		{&r.head, []string{"--verify", "HEAD^{commit}"}},
	} {
		if *part.to, err = r.git.run(ctx, "", append([]string{"rev-parse"}, part.args...)...); err != nil {
			return nil, whyNot(folder, err)
		}
	}
	if head, err := r.git.run(ctx, "", "symbolic-ref", "--quiet", "HEAD"); err == nil && strings.HasPrefix(head, "refs/heads/") {
		r.branch = strings.TrimPrefix(head, "refs/heads/")
	}
	r.top, r.common = filepath.FromSlash(r.top), filepath.FromSlash(r.common)
	r.prefix = filepath.FromSlash(strings.TrimSuffix(r.prefix, "/"))
	return r, nil
}

// whyNot says what git's refusal of a folder means.
func whyNot(folder string, err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return err
	}
	for said, meaning := range map[string]string{
		"not a git repository":       "lies in no git repository",
		"must be run in a work tree": "lies in a bare repository",
		"cannot use bare repository": "lies in a bare repository",
		"Needed a single revision":   "lies in a repository without a commit",
	} {
		if strings.Contains(failed.stderr, said) {
			return noRepository("%s %s", folder, meaning)
		}
	}
	return noRepository("%s: %v", folder, err)
}

// dirty tells whether the checkout differs from its commit. What lies in the
// store does not count.
func (r *repository) dirty(ctx context.Context, store string) (bool, error) {
	g, err := r.git.armed(ctx)
	if err != nil {
		return false, err
	}
	args := []string{"status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--", ":/"}
	if rel, err := filepath.Rel(r.top, store); err == nil && filepath.IsLocal(rel) && rel != "." {
		args = append(args, ":(top,exclude,literal)"+filepath.ToSlash(rel))
	}
	out, err := g.run(ctx, "", args...)
	return out != "", err
}

// metadata returns the folder in which the repository keeps what it knows of the
// worktree at root, "" when it knows of none. The worktree's own `.git` is not
// asked: what runs there could have written it.
func (r *repository) metadata(root string) (string, error) {
	all, err := os.ReadDir(filepath.Join(r.common, "worktrees"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for _, entry := range all {
		dir := filepath.Join(r.common, "worktrees", entry.Name())
		back, err := os.ReadFile(filepath.Join(dir, "gitdir"))
		switch {
		case err == nil && filepath.FromSlash(strings.TrimSpace(string(back))) == filepath.Join(root, ".git"):
			return dir, nil
		case errors.Is(err, os.ErrNotExist) && entry.Name() == filepath.Base(root):
			return dir, nil // git was killed before it wrote the way back
		}
	}
	return "", nil
}
