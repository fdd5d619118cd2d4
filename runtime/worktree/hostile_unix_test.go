//go:build unix

package worktree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hooks are all that git knows.
var hooks = []string{
	"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit",
	"pre-rebase", "post-checkout", "post-merge", "pre-push", "post-rewrite", "reference-transaction", "post-index-change", "pre-auto-gc",
	"fsmonitor-watchman", "sendemail-validate", "push-to-checkout", "update", "post-update",
}

// payload writes a program that leaves a mark when it runs.
func payload(t *testing.T, dir string) (program, mark string) {
	t.Helper()
	mark = filepath.Join(dir, "ran")
	program = filepath.Join(dir, "payload")
	write(t, program, "#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n[ \"$1\" = -o ] || cat\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	return program, mark
}

// arm puts a program wherever a repository can name one.
func arm(t *testing.T, gitDir, program string) {
	t.Helper()
	for _, hook := range hooks {
		path := filepath.Join(gitDir, "hooks", hook)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.Symlink(program, path); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(gitDir, "branch.inc"), "[filter \"branch\"]\n clean = "+program+"\n smudge = "+program+"\n process = "+program+"\n required = true\n")
	f, err := os.OpenFile(filepath.Join(gitDir, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.WriteString(strings.ReplaceAll(`
[core]
	fsmonitor = PAYLOAD
	hooksPath = `+filepath.Join(gitDir, "hooks")+`
	sshCommand = PAYLOAD
	editor = PAYLOAD
	pager = PAYLOAD
	askPass = PAYLOAD
	gitProxy = PAYLOAD
	alternateRefsCommand = PAYLOAD
	attributesFile = `+filepath.Join(gitDir, "attributes")+`
[filter "odd = name.x"]
	clean = PAYLOAD
	smudge = PAYLOAD
	required = true
[filter "process"]
	process = PAYLOAD
	required = true
[diff]
	external = PAYLOAD
[diff "evil"]
	command = PAYLOAD
	textconv = PAYLOAD
[merge "evil"]
	driver = PAYLOAD
[hook "evil"]
	command = PAYLOAD
	event = post-checkout
	event = reference-transaction
	event = post-index-change
[gpg]
	program = PAYLOAD
[commit]
	gpgSign = true
	verbose = true
[credential]
	helper = !PAYLOAD
[alias]
	add = !PAYLOAD
	update-ref = !PAYLOAD
[submodule]
	recurse = true
[status]
	submoduleSummary = true
[includeIf "onbranch:iterion/**"]
	path = branch.inc
`, "PAYLOAD", program))
	if err != nil {
		t.Fatal(err)
	}
}

// quiet fails the test at its end when a payload has run.
func quiet(t *testing.T, mark string) {
	t.Helper()
	t.Cleanup(func() {
		if ran, err := os.ReadFile(mark); err == nil {
			t.Errorf("the repository ran its own programs:\n%s", ran)
		}
	})
}

// plainGit runs git without guards, to see that the traps are real.
func plainGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	t.Logf("git %v: %v %s", args, err, out)
}

// Nothing that a repository names is run, from the first look to the last commit.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	write(t, filepath.Join(o.Repo, ".gitattributes"), "*.txt filter=\"odd = name.x\" diff=evil merge=evil\n*.p filter=process\n*.b filter=branch\n")
	for _, name := range []string{"x.p", "x.b"} {
		write(t, filepath.Join(o.Repo, name), "x\n")
	}
	sh(t, o.Repo, "add", "-A")
	sh(t, o.Repo, "commit", "-q", "-m", "attributes")
	program, mark := payload(t, t.TempDir())
	arm(t, filepath.Join(o.Repo, ".git"), program)
	unchanged(t, o)
	quiet(t, mark)

	tree := create(t, o)
	for _, name := range []string{"a.txt", "n.txt", "x.p", "x.b"} {
		write(t, filepath.Join(tree.Root, name), "changed\n")
	}
	write(t, filepath.Join(o.Repo, "a.txt"), "a\n") // a new time, so that status has to read it
	tree, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	f := finish(t, tree)
	g := newGit(o.Repo)
	if got, err := g.run(t.Context(), "", "show", "--no-textconv", "--no-ext-diff", f.Commit+":x.b"); got != "changed" || err != nil {
		t.Errorf("x.b holds %q, %v", got, err)
	}
	o.Run = "run_2"
	create(t, o)
	if _, err := Prune(t.Context(), o, func(string) bool { return false }); err != nil {
		t.Error(err)
	}
}

// The traps of the tests here would catch plain git.
func TestTrapsAreReal(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	write(t, filepath.Join(o.Repo, ".gitattributes"), "*.b filter=branch\n")
	write(t, filepath.Join(o.Repo, "x.b"), "x\n")
	sh(t, o.Repo, "add", "-A")
	sh(t, o.Repo, "commit", "-q", "-m", "attributes")
	program, mark := payload(t, t.TempDir())
	arm(t, filepath.Join(o.Repo, ".git"), program)
	plainGit(t, o.Repo, "worktree", "add", "-b", "iterion/x", filepath.Join(t.TempDir(), "w"))
	ran, err := os.ReadFile(mark)
	for _, want := range []string{"reference-transaction", "/payload"} {
		if err != nil || !strings.Contains(string(ran), want) {
			t.Errorf("%s did not run: %v\n%s", want, err, ran)
		}
	}
}

// The tree is the run's to write to: a repository of its own making, in the
// place of the tree's or of a submodule, is not looked into.
func TestHostileTree(t *testing.T) {
	t.Parallel()
	module := checkout(t)
	for name, plant := range map[string]func(t *testing.T, root, program string){
		"the tree's own .git": func(t *testing.T, root, program string) {
			if err := os.Remove(filepath.Join(root, ".git")); err != nil {
				t.Fatal(err)
			}
			sh(t, root, "init", "-q")
			arm(t, filepath.Join(root, ".git"), program)
		},
		"a submodule": func(t *testing.T, root, program string) {
			sh(t, filepath.Join(root, "mod"), "init", "-q")
			sh(t, filepath.Join(root, "mod"), "commit", "-q", "--allow-empty", "-m", "m")
			arm(t, filepath.Join(root, "mod/.git"), program)
		},
		"a repository in it": func(t *testing.T, root, program string) {
			write(t, filepath.Join(root, "own/file"), "f")
			sh(t, filepath.Join(root, "own"), "init", "-q")
			sh(t, filepath.Join(root, "own"), "commit", "-q", "--allow-empty", "-m", "m")
			arm(t, filepath.Join(root, "own/.git"), program)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := checkout(t)
			sh(t, o.Repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module.Repo, "mod")
			sh(t, o.Repo, "commit", "-q", "-m", "module")
			unchanged(t, o)
			program, mark := payload(t, t.TempDir())
			quiet(t, mark)
			tree := create(t, o)
			if left, _ := os.ReadDir(filepath.Join(tree.Root, "mod")); len(left) > 0 {
				t.Errorf("the submodule was touched: %v", left)
			}
			plant(t, tree.Root, program)
			write(t, filepath.Join(tree.Root, "work.txt"), "w")
			f := finish(t, tree)
			if got := sh(t, o.Repo, "diff", "--name-status", "main", f.Commit); got != "A\twork.txt" {
				t.Errorf("the branch holds\n%s", got)
			}
		})
	}
}

// A partial clone fetches what it lacks by programs of the repository's choice.
func TestNothingIsFetched(t *testing.T) {
	t.Parallel()
	o := checkout(t)
	program, mark := payload(t, t.TempDir())
	quiet(t, mark)
	sh(t, o.Repo, "config", "core.sshCommand", program)
	sh(t, o.Repo, "config", "remote.o.url", "ssh://host/x")
	sh(t, o.Repo, "config", "remote.o.promisor", "true")
	sh(t, o.Repo, "config", "protocol.ext.allow", "always")
	blob := sh(t, o.Repo, "rev-parse", "HEAD:a.txt")
	if err := os.Remove(filepath.Join(o.Repo, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), o); err == nil {
		t.Error("a tree was made without one of its files")
	}
	nothingLeft(t, o)
}

// Variables of the caller do not lead git elsewhere.
func TestVariablesOfTheCaller(t *testing.T) {
	o := checkout(t)
	program, mark := payload(t, t.TempDir())
	quiet(t, mark)
	unchanged(t, o)
	for name, value := range map[string]string{
		"GIT_DIR": t.TempDir(), "GIT_WORK_TREE": t.TempDir(), "GIT_INDEX_FILE": "/none", "GIT_OBJECT_DIRECTORY": t.TempDir(),
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": program,
		"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + program + "'", "GIT_EXEC_PATH": "/none", "GIT_NAMESPACE": "n",
	} {
		t.Setenv(name, value)
	}
	tree, err := Create(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(tree.Root, "work.txt"), "w")
	if f := finish(t, tree); f.Branch == "" {
		t.Error("the work is gone")
	}
}
