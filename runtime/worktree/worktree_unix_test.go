//go:build unix

package worktree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMain keeps the configuration of whoever runs the tests out of them.
func TestMain(m *testing.M) {
	if os.Getenv("WORKTREE_VICTIM") != "" {
		victim()
	}
	home, err := os.MkdirTemp("", "iterion-worktree-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Unsetenv("XDG_CONFIG_HOME")
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// sh runs git as a user does.
func sh(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@x", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkout makes a repository with one commit.
func checkout(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	sh(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a.txt"), "a\n")
	write(t, filepath.Join(dir, "sub/b.txt"), "b\n")
	write(t, filepath.Join(dir, ".gitignore"), "*.log\n")
	sh(t, dir, "add", "-A")
	sh(t, dir, "commit", "-q", "-m", "first")
	return Options{Repo: dir, Store: filepath.Join(dir, ".iterion"), Run: "run_1"}
}

// snapshot is all of the user's checkout that nothing may write to.
func snapshot(t *testing.T, o Options) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(o.Repo, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(o.Repo, path)
		switch {
		case err != nil:
			return err
		case rel == ".iterion" || rel == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			fmt.Fprintln(sum, rel, d.Type())
			return nil
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d %s", rel, len(data), data)
		return err
	})
	for _, name := range []string{"HEAD", "index", "config", "refs/heads/main"} {
		data, _ := os.ReadFile(filepath.Join(o.Repo, ".git", name))
		fmt.Fprintf(sum, "%s %d %s", name, len(data), data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// unchanged fails the test when the checkout differs at its end.
func unchanged(t *testing.T, o Options) {
	t.Helper()
	before := snapshot(t, o)
	t.Cleanup(func() {
		if snapshot(t, o) != before {
			t.Error("the user's checkout was changed")
		}
	})
}

func create(t *testing.T, o Options) *Tree {
	t.Helper()
	tree, err := Create(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func finish(t *testing.T, tree *Tree) Finished {
	t.Helper()
	f, err := tree.Finish(t.Context(), "work of a run")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// nothingLeft checks that only branches remain.
func nothingLeft(t *testing.T, o Options) {
	t.Helper()
	left, _ := os.ReadDir(filepath.Join(o.Store, "worktrees"))
	for _, entry := range left {
		if entry.Name() != ".gitignore" && entry.Name() != ".lock" {
			t.Errorf("%s is left in the store", entry.Name())
		}
	}
	if list := sh(t, o.Repo, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git still knows of worktrees:\n%s", list)
	}
	if left, _ := os.ReadDir(filepath.Join(o.Repo, ".git/worktrees")); len(left) > 0 {
		t.Errorf("%v is left in .git/worktrees", left)
	}
}

func TestWorkGoesToTheBranch(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	unchanged(t, o)
	base := sh(t, o.Repo, "rev-parse", "HEAD")
	tree := create(t, o)
	if tree.Workspace != tree.Root || tree.Base != base || tree.Dirty || tree.Branch != "iterion/run_1" {
		t.Errorf("made %+v", tree)
	}
	write(t, filepath.Join(tree.Root, "new/file.txt"), "new\n")
	write(t, filepath.Join(tree.Root, "a.txt"), "changed\n")
	write(t, filepath.Join(tree.Root, "x.log"), "ignored\n")
	if err := os.Remove(filepath.Join(tree.Root, "sub/b.txt")); err != nil {
		t.Fatal(err)
	}
	f := finish(t, tree)
	if f.Branch != "iterion/run_1" || f.Commit != sh(t, o.Repo, "rev-parse", "iterion/run_1") || f.Folder != "" {
		t.Errorf("finished %+v", f)
	}
	if got := sh(t, o.Repo, "diff", "--name-status", "main", "iterion/run_1"); got != "M\ta.txt\nA\tnew/file.txt\nD\tsub/b.txt" {
		t.Errorf("the branch holds\n%s", got)
	}
	if got := sh(t, o.Repo, "log", "-1", "--format=%an <%ae> %s", "iterion/run_1"); got != "iterion <iterion@localhost> work of a run" {
		t.Errorf("committed as %s", got)
	}
	nothingLeft(t, o)
}

func TestNothingDoneLeavesNothing(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	unchanged(t, o)
	if f := finish(t, create(t, o)); f.Branch != "" || f.Commit != "" {
		t.Errorf("finished %+v", f)
	}
	if refs := sh(t, o.Repo, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("refs are left: %s", refs)
	}
	nothingLeft(t, o)
}

func TestAuthorOfTheUser(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	sh(t, o.Repo, "config", "user.name", "Ada")
	sh(t, o.Repo, "config", "user.email", "ada@example.org")
	tree := create(t, o)
	write(t, filepath.Join(tree.Root, "n"), "n")
	f := finish(t, tree)
	if got := sh(t, o.Repo, "log", "-1", "--format=%an <%ae> %cn", f.Commit); got != "Ada <ada@example.org> Ada" {
		t.Errorf("committed as %s", got)
	}
}

// A run may begin in a subfolder, which may be untracked, and the checkout may
// itself be a linked worktree.
func TestSubfolders(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	linked := filepath.Join(t.TempDir(), "linked")
	sh(t, o.Repo, "worktree", "add", "-q", "-b", "other", linked)
	for folder, dirty := range map[string]bool{"sub": false, "fresh/deep": true} {
		top := o.Repo
		if dirty {
			top = linked
			write(t, filepath.Join(linked, folder, "untracked"), "u")
		}
		run := Options{Repo: filepath.Join(top, folder), Store: o.Store, Run: "run_" + filepath.Base(folder)}
		tree := create(t, run)
		if want := filepath.Join(tree.Root, folder); tree.Workspace != want || tree.Dirty != dirty {
			t.Errorf("workspace %s, dirty %v; want %s, %v", tree.Workspace, tree.Dirty, want, dirty)
		}
		if info, err := os.Stat(tree.Workspace); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", tree.Workspace, err)
		}
		finish(t, tree)
	}
}

// A link in the commit, in the place of a folder of the checkout, does not lead
// a run out of its tree.
func TestLinkInThePlaceOfTheWorkspace(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(o.Repo, "work")); err != nil {
		t.Fatal(err)
	}
	sh(t, o.Repo, "add", "-A")
	sh(t, o.Repo, "commit", "-q", "-m", "link")
	if err := os.Remove(filepath.Join(o.Repo, "work")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Repo, "work/here/file"), "f")
	o.Repo = filepath.Join(o.Repo, "work/here")
	if _, err := Create(t.Context(), o); err == nil || !strings.Contains(err.Error(), "has no folder work") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("%v was made outside", left)
	}
}

func TestDirty(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(o Options){
		"changed":   func(o Options) { write(t, filepath.Join(o.Repo, "a.txt"), "changed") },
		"untracked": func(o Options) { write(t, filepath.Join(o.Repo, "new"), "new") },
		"staged": func(o Options) {
			write(t, filepath.Join(o.Repo, "new"), "new")
			sh(t, o.Repo, "add", "new")
		},
	} {
		o := checkout(t)
		change(o)
		unchanged(t, o)
		tree := create(t, o)
		if !tree.Dirty {
			t.Errorf("%s: not seen as dirty", name)
		}
		if got := sh(t, tree.Root, "status", "--porcelain"); got != "" {
			t.Errorf("%s: the tree has\n%s", name, got)
		}
		finish(t, tree)
	}
}

func TestNoRepository(t *testing.T) {
	plain, empty, bare := t.TempDir(), t.TempDir(), t.TempDir()
	sh(t, empty, "init", "-q")
	sh(t, bare, "init", "-q", "--bare")
	for folder, want := range map[string]string{
		plain: "lies in no git repository", empty: "without a commit", bare: "bare repository",
		filepath.Join(empty, ".git"): "bare repository",
	} {
		_, err := Create(t.Context(), Options{Repo: folder, Store: t.TempDir(), Run: "r"})
		if !errors.Is(err, ErrNoRepository) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", folder, err, want)
		}
	}
	if _, err := Create(t.Context(), Options{Repo: plain + "/none", Store: t.TempDir(), Run: "r"}); err == nil || errors.Is(err, ErrNoRepository) {
		t.Errorf("a folder that is not there: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Create(t.Context(), Options{Repo: plain, Store: t.TempDir(), Run: "r"}); !errors.Is(err, ErrNoRepository) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("without git: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	for _, run := range []string{"", "../up", "a/b", "a.json", "-x", "a b", strings.Repeat("x", 200)} {
		if _, err := Create(t.Context(), Options{Repo: o.Repo, Store: o.Store, Run: run}); err == nil || !strings.Contains(err.Error(), "cannot name a worktree") {
			t.Errorf("%q: %v", run, err)
		}
	}
	tree := create(t, o)
	if _, err := Create(t.Context(), o); err == nil || !strings.Contains(err.Error(), "has a worktree already") {
		t.Errorf("a second tree: %v", err)
	}
	finish(t, tree)
	sh(t, o.Repo, "branch", "iterion/run_2")
	o.Run = "run_2"
	if _, err := Create(t.Context(), o); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a branch of somebody's: %v", err)
	}
	sh(t, o.Repo, "branch", "-D", "iterion/run_2")
	sh(t, o.Repo, "branch", "iterion")
	if _, err := Create(t.Context(), o); err == nil || !strings.Contains(err.Error(), "refs/heads/iterion") {
		t.Errorf("a branch in the way: %v", err)
	}
	nothingLeft(t, o)
	if _, err := Open(t.Context(), o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run without a tree: %v", err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	unchanged(t, o)
	o.Repo = filepath.Join(o.Repo, "sub")
	made := create(t, o)
	o.Repo = filepath.Dir(o.Repo)
	write(t, filepath.Join(made.Root, "kept.txt"), "kept\n")
	open := func() *Tree {
		t.Helper()
		tree, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Root != made.Root || tree.Workspace != made.Workspace || tree.Base != made.Base {
			t.Errorf("opened %+v", tree)
		}
		return tree
	}
	tree := open()
	if _, err := os.Stat(filepath.Join(tree.Root, "kept.txt")); err != nil {
		t.Error(err)
	}
	// Somebody commits and removes the folder: the branch has all.
	sh(t, tree.Root, "add", "-A")
	sh(t, tree.Root, "commit", "-q", "-m", "by the run")
	if err := os.RemoveAll(tree.Root); err != nil {
		t.Fatal(err)
	}
	tree = open()
	if _, err := os.Stat(filepath.Join(tree.Root, "kept.txt")); err != nil {
		t.Error(err)
	}
	if f := finish(t, tree); f.Branch == "" {
		t.Error("the commit of the run is gone")
	}
	nothingLeft(t, o)
}

// What git forgot is not made anew over files that hold work.
func TestOpenOfAForgottenTree(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	tree := create(t, o)
	write(t, filepath.Join(tree.Root, "work.txt"), "w")
	if err := os.RemoveAll(filepath.Join(o.Repo, ".git/worktrees")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "git worktree repair") {
		t.Errorf("got %v", err)
	}
	if _, err := tree.Finish(t.Context(), "m"); err == nil {
		t.Error("finished without git knowing the tree")
	}
	if _, err := os.Stat(filepath.Join(tree.Root, "work.txt")); err != nil {
		t.Error(err)
	}
}

// Whatever the run did with git in its tree, no commit and no file is lost.
func TestWhatRunsDoWithGit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(root string)
		want string // paths of the branch beside the first ones
	}{
		"committed": {func(root string) {
			sh(t, root, "add", "-A")
			sh(t, root, "commit", "-q", "-m", "own")
		}, "work.txt"},
		"another branch": {func(root string) {
			sh(t, root, "checkout", "-q", "-b", "fix")
			sh(t, root, "add", "-A")
			sh(t, root, "commit", "-q", "-m", "own")
			write(t, filepath.Join(root, "more.txt"), "m")
		}, "more.txt work.txt"},
		"detached and gone back": {func(root string) {
			sh(t, root, "add", "-A")
			sh(t, root, "commit", "-q", "-m", "own")
			sh(t, root, "checkout", "-q", "--detach", "main")
			write(t, filepath.Join(root, "more.txt"), "m")
		}, "more.txt work.txt"},
		"orphan":         {func(root string) { sh(t, root, "checkout", "-q", "--orphan", "none") }, "work.txt"},
		"locked index":   {func(root string) { write(t, sh(t, root, "rev-parse", "--git-path", "index.lock"), "") }, "work.txt"},
		"no index":       {func(root string) { _ = os.Remove(sh(t, root, "rev-parse", "--git-path", "index")) }, "work.txt"},
		"removed .git":   {func(root string) { _ = os.Remove(filepath.Join(root, ".git")) }, "work.txt"},
		"own repository": {func(root string) { _ = os.Remove(filepath.Join(root, ".git")); sh(t, root, "init", "-q") }, "work.txt"},
		"closed folder":  {func(root string) { _ = os.Mkdir(filepath.Join(root, "closed"), 0o500) }, "work.txt"},
		"file for folder": {func(root string) {
			_ = os.RemoveAll(filepath.Join(root, "sub"))
			write(t, filepath.Join(root, "sub"), "f")
		}, "work.txt"},
		"conflict": {func(root string) {
			sh(t, root, "checkout", "-q", "-b", "one")
			write(t, filepath.Join(root, "a.txt"), "one\n")
			sh(t, root, "commit", "-q", "-am", "one")
			sh(t, root, "checkout", "-q", "-b", "two", "main")
			write(t, filepath.Join(root, "a.txt"), "two\n")
			sh(t, root, "commit", "-q", "-am", "two")
			_ = exec.Command("git", "-C", root, "merge", "-q", "one").Run()
		}, "work.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := checkout(t)
			unchanged(t, o)
			tree := create(t, o)
			write(t, filepath.Join(tree.Root, "work.txt"), "work\n")
			c.do(tree.Root)
			finish(t, tree)
			got := strings.Fields(sh(t, o.Repo, "ls-tree", "-r", "--name-only", "iterion/run_1"))
			got = slices.DeleteFunc(got, func(p string) bool { return slices.Contains([]string{".gitignore", "a.txt", "sub/b.txt", "sub"}, p) })
			want := c.want
			if name == "detached and gone back" {
				// The files are those of the tree; the commit is in the history.
				want = "more.txt"
				sh(t, o.Repo, "cat-file", "-e", "iterion/run_1^1:work.txt")
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the branch holds %v, want %s", got, want)
			}
			nothingLeft(t, o)
		})
	}
}

func TestAllFilesRemoved(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	tree := create(t, o)
	for _, name := range []string{"a.txt", "sub", ".gitignore"} {
		if err := os.RemoveAll(filepath.Join(tree.Root, name)); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, tree)
	if got := sh(t, o.Repo, "ls-tree", "-r", "--name-only", "iterion/run_1"); got != "" {
		t.Errorf("the branch holds %s", got)
	}
}

// A repository that the run made cannot be committed; its folder stays.
func TestNestedRepositoriesAreKept(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	unchanged(t, o)
	tree := create(t, o)
	nested := filepath.Join(tree.Root, "lib/cloned")
	write(t, filepath.Join(nested, "file"), "f")
	sh(t, nested, "init", "-q")
	write(t, filepath.Join(tree.Root, "work.txt"), "w")
	f := finish(t, tree)
	if !slices.Equal(f.Nested, []string{"lib/cloned"}) || f.Folder != tree.Root || f.Branch == "" {
		t.Errorf("finished %+v", f)
	}
	if _, err := os.Stat(filepath.Join(nested, "file")); err != nil {
		t.Error(err)
	}
	if got := sh(t, o.Repo, "ls-tree", "-r", "--name-only", f.Commit); strings.Contains(got, "cloned") || !strings.Contains(got, "work.txt") {
		t.Errorf("the branch holds %s", got)
	}
	sh(t, o.Repo, "worktree", "remove", "--force", f.Folder) // as users are told to
	nothingLeft(t, o)
}

// The tree's folder in the place of a link would commit what it leads to.
func TestRootIsNoLink(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	tree := create(t, o)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "private"), "p")
	if err := os.RemoveAll(tree.Root); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, tree.Root); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Finish(t.Context(), "m"); err == nil || !strings.Contains(err.Error(), "no folder any more") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "private")); err != nil {
		t.Error(err)
	}
}

func TestParallelRuns(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	unchanged(t, o)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			o := o
			o.Run = fmt.Sprintf("run_%d", i)
			tree, err := Create(t.Context(), o)
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				write(t, filepath.Join(tree.Root, o.Run), "w")
			}
			if _, err := tree.Finish(t.Context(), "m"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	want := "iterion/run_0\niterion/run_2\niterion/run_4\niterion/run_6\nmain"
	if got := sh(t, o.Repo, "branch", "--format=%(refname:short)"); got != want {
		t.Errorf("branches\n%s", got)
	}
	nothingLeft(t, o)
}

// Prune takes what is not kept, and nothing of another repository's.
func TestPrune(t *testing.T) {
	t.Parallel()
	o, other := checkout(t), checkout(t)
	unchanged(t, o)
	other.Store, other.Run = o.Store, "run_other"
	kept := create(t, o)
	foreign := create(t, other)
	for _, run := range []string{"run_2", "run_3"} {
		o.Run = run
		tree := create(t, o)
		if run == "run_3" {
			write(t, filepath.Join(tree.Root, "work.txt"), "w")
		}
	}
	done, err := Prune(t.Context(), o, func(run string) bool { return run == "run_1" })
	if err != nil || len(done) != 2 || done[0].Branch != "" || done[1].Branch != "iterion/run_3" {
		t.Errorf("pruned %+v, %v", done, err)
	}
	for _, tree := range []*Tree{kept, foreign} {
		if _, err := os.Stat(filepath.Join(tree.Root, "a.txt")); err != nil {
			t.Error(err)
		}
		finish(t, tree)
	}
	nothingLeft(t, o)
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	tree := create(t, o)
	why := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := tree.Finish(ctx, "m"); !errors.Is(err, why) {
		t.Errorf("Finish: %v", err)
	}
	o.Run = "run_2"
	if _, err := Create(ctx, o); !errors.Is(err, why) || errors.Is(err, ErrNoRepository) {
		t.Errorf("Create: %v", err)
	}
	finish(t, tree)
	nothingLeft(t, o)
}
