//go:build unix

package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// approve is what a review does: it merges what the tree holds.
func approve(t *Tree, into string) error {
	_, err := approved(t, into, Squash)
	return err
}

func approved(t *Tree, into, strategy string) (Merged, error) {
	commit, err := t.Snapshot(context.Background(), into)
	if err != nil {
		return Merged{}, err
	}
	return t.Merge(context.Background(), Merge{Key: "key", Commit: commit, Into: into, Strategy: strategy, Message: "Merge the work"})
}

func mergeable(t *testing.T) (Options, *Tree) {
	t.Helper()
	o := checkout(t)
	sh(t, o.Repo, "branch", "other")
	write(t, filepath.Join(o.Repo, ".git/info/exclude"), ".iterion\n")
	tree := create(t, o)
	write(t, filepath.Join(tree.Root, "work.txt"), "work\n")
	write(t, filepath.Join(tree.Root, "a.txt"), "changed\n")
	if err := os.Remove(filepath.Join(tree.Root, "sub/b.txt")); err != nil {
		t.Fatal(err)
	}
	return o, tree
}

const brought = "M\ta.txt\nD\tsub/b.txt\nA\twork.txt"

// clean wants a checkout that is what its branch says.
func clean(t *testing.T, dir string) {
	t.Helper()
	if got := sh(t, dir, "status", "--porcelain"); got != "" {
		t.Errorf("the checkout is not clean:\n%s", got)
	}
}

func TestMergeIntoABranch(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{Squash, Join} {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			o, tree := mergeable(t)
			unchanged(t, o)
			m, err := approved(tree, "other", strategy)
			if err != nil || m.Branch != "other" || m.Commit != sh(t, o.Repo, "rev-parse", "other") {
				t.Fatalf("%+v, %v", m, err)
			}
			if got := sh(t, o.Repo, "diff", "--name-status", "main", "other"); got != brought {
				t.Errorf("merged\n%s", got)
			}
			want := map[string]string{Squash: "1", Join: "2"}[strategy]
			if got := sh(t, o.Repo, "show", "-s", "--format=%P", "other"); strconv.Itoa(len(strings.Fields(got))) != want {
				t.Errorf("parents %s, want %s", got, want)
			}
			again, err := approved(tree, "other", strategy)
			if err != nil || again != m || sh(t, o.Repo, "rev-parse", "other") != m.Commit {
				t.Errorf("a second time: %+v, %v", again, err)
			}
		})
	}
}

// The user's own checkout follows when it is clean.
func TestMergeIntoTheCheckout(t *testing.T) {
	t.Parallel()
	o, tree := mergeable(t)
	write(t, filepath.Join(o.Repo, "mine.txt"), "untracked\n")
	if _, err := approved(tree, Current, Squash); err != nil {
		t.Fatal(err)
	}
	if got := sh(t, o.Repo, "status", "--porcelain"); got != "?? mine.txt" {
		t.Errorf("status:\n%s", got)
	}
	data, err := os.ReadFile(filepath.Join(o.Repo, "work.txt"))
	if err != nil || string(data) != "work\n" {
		t.Errorf("%q, %v", data, err)
	}
	if got := sh(t, o.Repo, "log", "--format=%s"); got != "Merge the work\nfirst" {
		t.Errorf("main is\n%s", got)
	}
	// What the run does next is merged without what was merged before.
	write(t, filepath.Join(tree.Root, "a.txt"), "changed again\n")
	if _, err := approved(tree, Current, Squash); err != nil {
		t.Fatal(err)
	}
	if got := sh(t, o.Repo, "diff", "--name-status", "HEAD^"); got != "M\ta.txt" {
		t.Errorf("the second merge brings\n%s", got)
	}
	if f := finish(t, tree); f.Branch == "" {
		t.Error("the run's branch is gone")
	}
}

// What the user has in the checkout stays as it is, and the branch too.
func TestMergeIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		into, says string
		make       func(t *testing.T, o Options, tree *Tree)
	}{
		"a change": {Current, "changes that are not committed", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, "a.txt"), "mine\n")
		}},
		"a change of another file": {Current, "changes that are not committed", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, ".gitignore"), "*.log\n*.tmp\n")
		}},
		"a staged change": {Current, "changes that are not committed", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, "new"), "mine\n")
			sh(t, o.Repo, "add", "new")
		}},
		"an untracked file in the way": {Current, "work.txt lies there", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, "work.txt"), "mine\n")
		}},
		"an ignored file in the way": {Current, "x.log lies there", func(t *testing.T, o Options, tree *Tree) {
			write(t, filepath.Join(o.Repo, "x.log"), "mine\n")
			write(t, filepath.Join(tree.Root, "x.log"), "theirs\n")
			sh(t, tree.Root, "add", "-f", "x.log")
		}},
		"an untracked file in the place of a folder": {Current, "could not be changed", func(t *testing.T, o Options, tree *Tree) {
			write(t, filepath.Join(o.Repo, "deep"), "mine\n")
			write(t, filepath.Join(tree.Root, "deep/file"), "theirs\n")
		}},
		"a merge underway": {Current, "MERGE_HEAD", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, ".git/MERGE_HEAD"), sh(t, o.Repo, "rev-parse", "HEAD")+"\n")
		}},
		"a filter": {Current, "the filter lfs", func(t *testing.T, o Options, _ *Tree) {
			write(t, filepath.Join(o.Repo, ".git/info/attributes"), "work.txt filter=lfs\n")
		}},
		"a conflict": {"other", "conflicts with other in a.txt;", func(t *testing.T, o Options, _ *Tree) {
			dir := filepath.Join(t.TempDir(), "w")
			sh(t, o.Repo, "worktree", "add", "-q", dir, "other")
			write(t, filepath.Join(dir, "a.txt"), "theirs\n")
			sh(t, dir, "commit", "-qam", "theirs")
			sh(t, o.Repo, "worktree", "remove", dir)
		}},
		"a dirty checkout elsewhere": {"other", "changes that are not committed", func(t *testing.T, o Options, _ *Tree) {
			dir := filepath.Join(t.TempDir(), "w")
			sh(t, o.Repo, "worktree", "add", "-q", dir, "other")
			write(t, filepath.Join(dir, "a.txt"), "theirs\n")
		}},
		"no such branch":      {"none-such", "no branch none-such", func(*testing.T, Options, *Tree) {}},
		"no name of a branch": {"../x", "no branch ../x", func(*testing.T, Options, *Tree) {}},
		"the run's own":       {"iterion/run_1", "the run's own branch", func(*testing.T, Options, *Tree) {}},
		"a repository in there": {"other", "repositories of its own", func(t *testing.T, _ Options, tree *Tree) {
			sh(t, tree.Root, "init", "-q", "inner")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, tree := mergeable(t)
			c.make(t, o, tree)
			unchanged(t, o)
			before := sh(t, o.Repo, "for-each-ref", "refs/heads/main", "refs/heads/other")
			_, err := approved(tree, c.into, Squash)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the merge ended with %v", err)
			}
			if after := sh(t, o.Repo, "for-each-ref", "refs/heads/main", "refs/heads/other"); after != before {
				t.Errorf("the branches are\n%s\nwere\n%s", after, before)
			}
		})
	}
}

// A conflict is settled in the run's tree, as the error says.
func TestConflictIsSettled(t *testing.T) {
	t.Parallel()
	o, tree := mergeable(t)
	write(t, filepath.Join(o.Repo, "a.txt"), "mine\n")
	sh(t, o.Repo, "commit", "-qam", "mine")
	if _, err := approved(tree, Current, Squash); err == nil || !strings.Contains(err.Error(), "git merge main") {
		t.Fatal(err)
	}
	sh(t, o.Repo, "config", "user.name", "u")
	sh(t, o.Repo, "config", "user.email", "u@x")
	plainGit(t, tree.Root, "merge", "main")
	write(t, filepath.Join(tree.Root, "a.txt"), "both\n")
	sh(t, tree.Root, "commit", "-qam", "settled")
	if _, err := approved(tree, Current, Squash); err != nil {
		t.Fatal(err)
	}
	clean(t, o.Repo)
	if got := sh(t, o.Repo, "log", "-1", "--format=%s %P") + sh(t, o.Repo, "show", "HEAD:a.txt"); !strings.HasPrefix(got, "Merge the work ") || !strings.HasSuffix(got, "both") || strings.Count(got, " ") != 3 {
		t.Errorf("main is %s", got)
	}
}

// No program of the repository runs in a merge, its drivers included; and git
// does not see what the environment holds.
func TestHostileMerge(t *testing.T) {
	o := checkout(t)
	write(t, filepath.Join(o.Repo, ".gitattributes"), "*.txt merge=evil diff=evil\n*.b filter=branch\n")
	sh(t, o.Repo, "add", "-A")
	sh(t, o.Repo, "commit", "-q", "-m", "attributes")
	sh(t, o.Repo, "branch", "other")
	program, mark := payload(t, t.TempDir())
	tree := create(t, o)
	write(t, filepath.Join(o.Repo, "sub/b.txt"), "mine\n")
	sh(t, o.Repo, "commit", "-qam", "mine")
	arm(t, filepath.Join(o.Repo, ".git"), program)
	write(t, filepath.Join(o.Repo, ".git/info/exclude"), ".iterion\n")
	quiet(t, mark)
	write(t, filepath.Join(tree.Root, "a.txt"), "changed\n")
	if _, err := approved(tree, Current, Join); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(tree.Root, "sub/b.txt"), "theirs\n")
	if _, err := approved(tree, Current, Join); err == nil || !strings.Contains(err.Error(), "conflicts with main in sub/b.txt") {
		t.Errorf("the driver's file: %v", err)
	}
	if _, err := approved(tree, "other", Squash); err != nil {
		t.Error(err)
	}
	for _, file := range []string{"a.txt", "sub/b.txt"} {
		data, err := os.ReadFile(filepath.Join(o.Repo, file))
		if err != nil || strings.Contains(string(data), "theirs") {
			t.Errorf("%s holds %q, %v", file, data, err)
		}
	}
}

// git sees nothing of the environment but what it needs.
func TestEnvironmentOfGit(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "git"), "#!/bin/sh\nenv\n")
	if err := os.Chmod(filepath.Join(dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("API_KEY", "hunter2")
	t.Setenv("GIT_ASKPASS", "hunter2")
	out, err := newGit(dir).run(t.Context(), "", "status")
	if err != nil || strings.Contains(out, "hunter2") || !strings.Contains(out, "PATH=") || !strings.Contains(out, "HOME=") {
		t.Errorf("%v\n%s", err, out)
	}
}

// However far a merge came when it was killed, it happens once, and the checkout
// is as the branch says.
func TestMergeKilledAnywhere(t *testing.T) {
	t.Parallel()
	for into, every := range map[string]int{Current: 1, "other": 3} {
		o := checkout(t)
		sh(t, o.Repo, "branch", "other")
		all, _ := runVictim(t, o, 1000, "VICTIM_INTO="+into)
		if all < 30 {
			t.Fatalf("a merge calls git %d times", all)
		}
		for n := 10; n <= all; n += every {
			t.Run(fmt.Sprint(into, n), func(t *testing.T) {
				t.Parallel()
				o := checkout(t)
				sh(t, o.Repo, "branch", "other")
				write(t, filepath.Join(o.Repo, ".git/info/exclude"), ".iterion\n")
				if _, worked := runVictim(t, o, n, "VICTIM_INTO="+into); !worked {
					return
				}
				tree, err := Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				m, err := approved(tree, into, Squash)
				if err != nil {
					t.Fatal(err)
				}
				if got := sh(t, o.Repo, "log", "--format=%s", m.Branch); got != "Merge the work\nfirst" {
					t.Errorf("%s is\n%s", m.Branch, got)
				}
				clean(t, o.Repo)
				if got := sh(t, o.Repo, "diff", "--name-status", m.Commit+"^", m.Branch); got != "A\twork.txt" {
					t.Errorf("merged\n%s", got)
				}
			})
		}
	}
}

// git itself was killed among the files of the checkout.
func TestHalfAChangedCheckout(t *testing.T) {
	t.Parallel()
	o, tree := mergeable(t)
	commit, err := tree.Snapshot(t.Context(), Current)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tree.git(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := Merge{Key: "key", Commit: commit, Into: Current, Strategy: Squash, Message: "Merge the work"}
	l, err := tree.plan(t.Context(), g, m, "main")
	if err != nil {
		t.Fatal(err)
	}
	tree.record.Landing = &l
	write(t, filepath.Join(o.Repo, "work.txt"), "work\n")
	write(t, filepath.Join(o.Repo, "a.txt"), "changed\n")
	if err := os.Remove(filepath.Join(o.Repo, "sub/b.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Merge(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	clean(t, o.Repo)
	if got := sh(t, o.Repo, "log", "--format=%s"); got != "Merge the work\nfirst" {
		t.Errorf("main is\n%s", got)
	}
}
