package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runaways are the ways out of a process group: a session of its own, a daemon
// that was forked twice, each with the command's output open and without.
var runaways = map[string]string{
	"setsid":                         "setsid sh -c '%' >/dev/null 2>&1 & ",
	"setsid, holds the output":       "setsid sh -c '%' & ",
	"twice forked":                   "(setsid sh -c '(%) & ' >/dev/null 2>&1 &) ; ",
	"twice forked, holds the output": "setsid sh -c '(%) & ' & ",
}

// runaway is a command that leaves a process behind, and goes on when that is up.
func runaway(form, rest string) string {
	return strings.Replace(form, "%", `exec 9>"$FIFO"; echo up >&9; echo >"$FIFO.up"; sleep 600; :`, 1) + `read -r _ <"$FIFO.up"; ` + rest
}

// held is a FIFO that runaways hold: its reader sees the end when the last of
// them is gone.
type held struct{ reader, writer *os.File }

func newHeld(t *testing.T, c *cell) held {
	t.Helper()
	path := filepath.Join(c.dir, "fifo")
	for _, name := range []string{path, path + ".up"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.env = append(c.env, "FIFO="+path)
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(path, os.O_WRONLY, 0) // until a runaway holds it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	return held{reader, writer}
}

// up waits until a runaway holds the FIFO.
func (h held) up(t *testing.T) {
	t.Helper()
	if _, err := io.ReadFull(h.reader, make([]byte, len("up\n"))); err != nil {
		t.Fatal(err)
	}
	h.writer.Close()
}

// ends waits until nothing holds it.
func (h held) ends(t *testing.T) {
	t.Helper()
	if rest, err := io.ReadAll(h.reader); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

// What a node leaves outside of its group is named, does not keep the node
// waiting, serves the nodes behind it, and is gone when the run has ended.
func TestRunawaysEndWithTheRun(t *testing.T) {
	for name, form := range runaways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFault(t, "")
			h := newHeld(t, &c)
			c.env = append(c.env, "WEDGE="+runaway(form, "echo done"))
			code, out := c.run("iterion", "run", "fault.bot", "--run-id", "r")
			if code != exitOK || !strings.Contains(out, "wedge left process ") || !strings.Contains(out, "until this run stops: ") {
				t.Errorf("status %d: %s", code, out)
			}
			c.ledger("first wedge last")
			h.up(t)
			h.ends(t)
		})
	}
}

// A run that is stopped, or killed, takes them along.
func TestRunawaysEndWithTheProcess(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		for name, form := range runaways {
			t.Run(signal.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				c := newFault(t, "")
				h := newHeld(t, &c)
				c.env = append(c.env, "WEDGE="+runaway(form, "exec sleep 600"))
				cmd := exec.Command("iterion", "run", "fault.bot", "--run-id", "r")
				cmd.Dir, cmd.Env = c.dir, c.env
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				h.up(t)
				_ = cmd.Process.Signal(signal)
				_ = cmd.Wait()
				if code := cmd.ProcessState.ExitCode(); signal == syscall.SIGINT && code != exitCancelled {
					t.Errorf("status %d: %s", code, out.String())
				}
				h.ends(t)
				c.fails(exitResumable, []string{"OUTCOME_UNKNOWN"}, "iterion", "resume", "r")
				c.fails(exitOK, nil, "iterion", "resume", "r", "--accept", "wedge", "--output", "result=x")
				c.ledger("first wedge last")
			})
		}
	}
}

// Killed in a later node, the process takes along what an earlier one left.
func TestRunawaysOfEarlierNodes(t *testing.T) {
	t.Parallel()
	c := newFault(t, "")
	h := newHeld(t, &c)
	bot := strings.Replace(faultBot, `echo last >> \"$LEDGER\"; echo '{\"b\": 2}'`, `exec 8>\"$LATE\"; sleep 600`, 1)
	if err := os.WriteFile(filepath.Join(c.dir, "fault.bot"), []byte(bot), 0o600); err != nil {
		t.Fatal(err)
	}
	late := filepath.Join(c.dir, "late")
	if err := syscall.Mkfifo(late, 0o600); err != nil {
		t.Fatal(err)
	}
	c.env = append(c.env, "LATE="+late, "WEDGE="+runaway(runaways["setsid"], "echo done"))
	cmd := exec.Command("iterion", "run", "fault.bot", "--run-id", "r")
	cmd.Dir, cmd.Env = c.dir, c.env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(late) // the last node runs
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h.up(t)
	_ = cmd.Process.Kill() // in its last node
	_ = cmd.Wait()
	h.ends(t)
}
