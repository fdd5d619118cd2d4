//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// killingGit stands in for git: at the command AT it kills iterion, once before
// the real one runs and once behind it.
const killingGit = `#!/bin/sh
case "$*" in 'AT'*)
	for moment in before behind; do
		if [ ! -e "MARK-$moment" ]; then
			: >"MARK-$moment"
			[ $moment = before ] || "GIT" "$@" >/dev/null
			kill -9 $PPID
			exit 1
		fi
	done
esac
exec "GIT" "$@"
`

// A process that is killed between the decision and the end of the merge, before
// and behind each step of it, asks nobody again and merges once.
func TestKilledBetweenDecisionAndMerge(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"merge-tree", "commit-tree", "read-tree -m", "update-ref -m iterion: merge"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			repo, bin := filepath.Join(dir, "repo"), filepath.Join(dir, "bin")
			for _, folder := range []string{repo, bin} {
				if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range map[string]string{
				"repo/gate.bot":   mergingBot,
				"repo/turns.yaml": "nodes:\n  gate:\n    - output: { reply: \"Look.\" }\n",
				"repo/note.txt":   "old\n", "repo/.gitignore": ".iterion\n",
				"bin/git": strings.NewReplacer("AT", at, "MARK", filepath.Join(dir, "mark"), "GIT", real).Replace(killingGit),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			c := cell{t, repo, append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "ITERION_STORE=", "PATH="+bin+":"+os.Getenv("PATH"))}
			c.must("git", "init", "-q", "-b", "main")
			c.must("git", "add", "-A")
			c.must("git", "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "first")
			for _, mark := range []string{"mark-before", "mark-behind"} { // not of what the tree itself is made by
				if err := os.WriteFile(filepath.Join(dir, mark), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if code, said := c.run("iterion", "run", "gate.bot", "--script", "turns.yaml", "--run-id", "one", "--no-interactive"); code != exitPaused {
				t.Fatalf("status %d: %s", code, said)
			}
			os.Remove(filepath.Join(dir, "mark-before"))
			os.Remove(filepath.Join(dir, "mark-behind"))
			args := []string{"resume", "one", "--script", "turns.yaml", "--no-interactive", "--answer", "approved=true"}
			for range 2 {
				if code, said := c.run("iterion", args...); code != -1 {
					t.Fatalf("it was not killed: status %d: %s", code, said)
				}
				args = args[:5]
			}
			if code, said := c.run("iterion", args...); code != exitOK {
				t.Fatalf("status %d: %s", code, said)
			}
			if got := c.must("git", "log", "--format=%s"); got != "desk: what run one did, approved at gate\nfirst\n" {
				t.Errorf("main is\n%s", got)
			}
			if got := c.must("git", "status", "--porcelain"); got != "" {
				t.Errorf("the checkout is\n%s", got)
			}
		})
	}
}

const mergingBot = `dsl: 2

schema verdict:
  approved: bool

tool work:
  command: "echo new >> note.txt"

human gate:
  output: verdict
  interaction: review
  interaction_model: "small"

workflow desk:
  entry: work

  work -> gate
  gate -> done
`

// cell is where the processes of a test run.
type cell struct {
	t   *testing.T
	dir string
	env []string
}

// run returns the exit status, -1 of a process that was killed, and what was
// printed.
func (c cell) run(name string, args ...string) (int, string) {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

func (c cell) must(name string, args ...string) string {
	c.t.Helper()
	code, out := c.run(name, args...)
	if code != 0 {
		c.t.Fatalf("%s %v: status %d: %s", name, args, code, out)
	}
	return out
}
