//go:build unix

package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// victim is a run that is killed on its way. It says in the file `worked` that
// its work is done.
func victim() {
	o := Options{Repo: os.Getenv("VICTIM_REPO"), Store: os.Getenv("VICTIM_STORE"), Run: "run_1"}
	tree, err := Create(context.Background(), o)
	if err == nil {
		err = os.WriteFile(filepath.Join(tree.Root, "work.txt"), []byte("work\n"), 0o600)
	}
	if err == nil {
		err = os.WriteFile(os.Getenv("VICTIM_WORKED"), nil, 0o600)
	}
	if into := os.Getenv("VICTIM_INTO"); into != "" && err == nil {
		if err = approve(tree, into); err == nil {
			os.Exit(0)
		}
	}
	if err == nil {
		_, err = tree.Finish(context.Background(), "m")
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// killer stands in for git: it counts its calls and kills its caller behind the
// one that it is told.
const killer = `#!/bin/sh
n=$(($(cat "COUNT") + 1))
echo $n >"COUNT"
"GIT" "$@"
status=$?
if [ $n = "VICTIM" ]; then kill -9 $PPID; fi
exit $status
`

// runVictim kills a run behind its nth call of git, and returns how many calls
// it came to and whether its work was done.
func runVictim(t *testing.T, o Options, n int, more ...string) (calls int, worked bool) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	write(t, count, "0")
	write(t, filepath.Join(dir, "bin/git"), strings.NewReplacer("COUNT", count, "GIT", real, "VICTIM", strconv.Itoa(n)).Replace(killer))
	if err := os.Chmod(filepath.Join(dir, "bin/git"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), more...), "WORKTREE_VICTIM=1", "VICTIM_REPO="+o.Repo, "VICTIM_STORE="+o.Store, "VICTIM_WORKED="+filepath.Join(dir, "worked"),
		"PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if text := string(out); text != "" {
		t.Errorf("the run printed %s", text)
	}
	data, _ := os.ReadFile(count)
	calls, _ = strconv.Atoi(strings.TrimSpace(string(data)))
	if (err == nil) != (calls < n) {
		t.Errorf("behind call %d of %d the run ended with %v", n, calls, err)
	}
	_, err = os.Stat(filepath.Join(dir, "worked"))
	return calls, err == nil
}

// checkBranch wants the work on the branch when it was done, and else no branch.
func checkBranch(t *testing.T, o Options, worked bool) {
	t.Helper()
	refs := sh(t, o.Repo, "for-each-ref", "--format=%(refname:short)", "refs/heads/iterion")
	switch {
	case !worked && refs != "":
		t.Errorf("nothing was done, and there is the branch %s", refs)
	case worked && refs != "iterion/run_1":
		t.Errorf("the work is on no branch: %q", refs)
	case worked:
		if got := sh(t, o.Repo, "diff", "--name-status", "main", refs); got != "A\twork.txt" {
			t.Errorf("the branch holds\n%s", got)
		}
	}
	nothingLeft(t, o)
}

// However far a run came, Prune keeps its work and takes the rest away; and a
// resume goes on with it.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	all, worked := runVictim(t, o, 1000)
	checkBranch(t, o, true)
	if all < 15 || !worked {
		t.Fatalf("a run calls git %d times, worked %v", all, worked)
	}
	for n := 1; n <= all; n++ {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			o := checkout(t)
			unchanged(t, o)
			_, worked := runVictim(t, o, n)
			if n%2 == 0 {
				resume(t, o)
			}
			if _, err := Prune(t.Context(), o, func(string) bool { return false }); err != nil {
				t.Error(err)
			}
			checkBranch(t, o, worked)
		})
	}
}

// resume goes on with a run that was killed: with its tree, when it has one that
// is not finished.
func resume(t *testing.T, o Options) {
	t.Helper()
	tree, err := Open(t.Context(), o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		if !strings.Contains(err.Error(), "finished") {
			t.Error(err)
		}
		return
	}
	if _, err := os.Stat(filepath.Join(tree.Root, "a.txt")); err != nil {
		t.Errorf("the tree is not whole: %v", err)
	}
	finish(t, tree)
}

// git itself may be killed halfway through.
func TestHalfMadeByGit(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T, o Options, root string){
		"the branch alone": func(t *testing.T, o Options, _ string) { sh(t, o.Repo, "branch", "iterion/run_1") },
		"metadata without a way back": func(t *testing.T, o Options, _ string) {
			write(t, filepath.Join(o.Repo, ".git/worktrees/run_1/locked"), "initializing")
		},
		"an empty folder": func(t *testing.T, _ Options, root string) { write(t, filepath.Join(root, "a.txt"), "half") },
		"no files": func(t *testing.T, o Options, root string) {
			sh(t, o.Repo, "worktree", "add", "-q", "--no-checkout", "-b", "iterion/run_1", root)
		},
	} {
		for _, next := range []string{"create", "open", "prune"} {
			t.Run(name+", "+next, func(t *testing.T) {
				t.Parallel()
				o := checkout(t)
				unchanged(t, o)
				root := filepath.Join(o.Store, "worktrees/run_1")
				write(t, root+".json", "")
				r := record{Repo: filepath.Join(o.Repo, ".git"), Base: sh(t, o.Repo, "rev-parse", "HEAD"), State: creating}
				if err := r.write(root + ".json"); err != nil {
					t.Fatal(err)
				}
				make(t, o, root)
				switch next {
				case "create":
					finish(t, create(t, o))
				case "open":
					resume(t, o)
				default:
					if done, err := Prune(t.Context(), o, func(string) bool { return false }); err != nil || len(done) != 1 {
						t.Errorf("pruned %v, %v", done, err)
					}
				}
				checkBranch(t, o, false)
			})
		}
	}
}
