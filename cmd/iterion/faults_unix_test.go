//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faultBot has three effects in a ledger; WEDGE is what goes wrong meanwhile.
const faultBot = `dsl: 2

tool first:
  command: "echo first >> \"$LEDGER\"; echo '{\"a\": 1}'"

tool wedge:
  command: "echo wedge >> \"$LEDGER\"; eval \"$WEDGE\""

tool last:
  command: "echo last >> \"$LEDGER\"; echo '{\"b\": 2}'"

workflow faults:
  entry: first
  worktree: none

  first -> wedge
  wedge -> last
  last -> done
`

// newFault is a folder with the bot, whose store is `store` in it.
func newFault(t *testing.T, wedge string) cell {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fault.bot"), []byte(faultBot), 0o600); err != nil {
		t.Fatal(err)
	}
	return cell{t, dir, append(os.Environ(), "ITERION_STORE="+filepath.Join(dir, "store"), "LEDGER="+filepath.Join(dir, "ledger"), "WEDGE="+wedge)}
}

// ledger wants each effect once.
func (c cell) ledger(want string) {
	c.t.Helper()
	data, _ := os.ReadFile(filepath.Join(c.dir, "ledger"))
	if got := strings.Join(strings.Fields(string(data)), " "); got != want {
		c.t.Errorf("the ledger is %q, want %q", got, want)
	}
}

// fails wants a status, and an error that says all of what it has to.
func (c cell) fails(status int, says []string, args ...string) {
	c.t.Helper()
	code, out := c.run(args[0], args[1:]...)
	if code != status {
		c.t.Errorf("%v: status %d, want %d: %s", args, code, status, out)
	}
	for _, part := range says {
		if !strings.Contains(out, part) {
			c.t.Errorf("%v: %q is not in: %s", args, part, out)
		}
	}
	if strings.Contains(out, "panic") || strings.Contains(out, "goroutine") {
		c.t.Errorf("%v: %s", args, out)
	}
}

// readers are the commands that look at a run, writers those that bring it on.
var (
	readers = [][]string{{"runs"}, {"runs", "show", "r"}, {"events", "r"}, {"events", "r", "--json"}, {"inspect", "r"}, {"report", "r"}}
	writers = [][]string{{"run", "fault.bot", "--run-id", "n"}, {"resume", "r"}, {"cancel", "r"}, {"runs", "rm", "r"}}
)

func (c cell) store(name string) string { return filepath.Join(c.dir, "store", name) }

func iterion(args []string) []string { return append([]string{"iterion"}, args...) }

// A limit on file sizes ends a run at the event that does not fit. It is named,
// and what was done is not done again when the limit is gone.
func TestLimitOfFileSizes(t *testing.T) {
	c := newFault(t, "head -c 300000 /dev/zero | tr '\\0' x")
	c.fails(exitFailed, []string{c.store("runs.db"), "STORE_FULL", "free some space", "resume the run"},
		"bash", "-c", "ulimit -f 200; exec iterion run fault.bot --run-id r --json")
	c.ledger("first wedge")
	c.fails(exitOK, []string{"interrupted"}, "iterion", "runs")
	c.fails(exitResumable, []string{"OUTCOME_UNKNOWN", "--rerun wedge"}, "iterion", "resume", "r")
	c.fails(exitOK, nil, "iterion", "resume", "r", "--accept", "wedge", "--output", "result=x")
	c.ledger("first wedge last")
}

// With no room at all nothing begins, and nothing is left that would be in the
// way.
func TestNoRoomAtAll(t *testing.T) {
	for _, blocks := range []string{"0", "8", "40"} {
		c := newFault(t, "true")
		c.fails(exitFailed, []string{"STORE_FULL", "free some space"}, "bash", "-c", "ulimit -f "+blocks+"; exec iterion run fault.bot --run-id r")
		c.ledger("")
		if left, _ := filepath.Glob(c.store("files/*")); len(left) > 0 {
			t.Errorf("%s KiB: %v is left", blocks, left)
		}
		c.fails(exitOK, nil, "iterion", "run", "fault.bot", "--run-id", "r")
		c.ledger("first wedge last")
	}
}

// What cannot be printed is no success.
func TestFullOutputs(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Fatal(err)
	}
	c := newFault(t, "true")
	c.fails(exitOK, nil, "iterion", "run", "fault.bot", "--run-id", "r")
	for _, args := range readers {
		c.fails(exitUsage, []string{"no space left on device"}, "bash", "-c", "exec iterion "+strings.Join(args, " ")+" >/dev/full")
	}
	// Nobody sees the events of such a run: it ends, and goes on elsewhere.
	code, out := c.run("bash", "-c", "exec iterion run fault.bot --run-id full --json >/dev/full")
	if code == exitOK || !strings.Contains(out, "no space left on device") {
		t.Errorf("status %d: %s", code, out)
	}
}

// damages are what may happen to the file of a store.
func damages() map[string]struct {
	says []string
	make func(t *testing.T, path string)
} {
	type damage = struct {
		says []string
		make func(t *testing.T, path string)
	}
	rewrite := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, change(data), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	corrupt := []string{"STORE_CORRUPT", "put a copy back"}
	return map[string]damage{
		"half of it":       {corrupt, rewrite(func(b []byte) []byte { return b[:len(b)/2] })},
		"less than a page": {corrupt, rewrite(func(b []byte) []byte { return b[:700] })},
		"a text":           {corrupt, rewrite(func([]byte) []byte { return []byte("#!/bin/sh\necho this is no database\n") })},
		"random in all pages": {corrupt, rewrite(func(b []byte) []byte {
			for at := 4096; at < len(b); at += 4096 {
				sum := sha256.Sum256(b[at : at+64])
				for i := range 4000 {
					b[at+i] ^= sum[i%32] | 1
				}
			}
			return b
		})},
		"a newer version": {[]string{"STORE_NEWER", "use that build"}, func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err == nil {
				_, err = db.Exec("PRAGMA user_version = 99")
				db.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
	}
}

// A damaged store is named by every command and changed by none; with a copy
// put back the run goes on.
func TestDamagedStore(t *testing.T) {
	for name, d := range damages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFault(t, "test -e \"$LEDGER.mended\"")
			c.fails(exitResumable, []string{"TOOL_FAILED_PERMANENT"}, "iterion", "run", "fault.bot", "--run-id", "r")
			healthy, err := os.ReadFile(c.store("runs.db"))
			if err != nil {
				t.Fatal(err)
			}
			d.make(t, c.store("runs.db"))
			before, _ := os.ReadFile(c.store("runs.db"))
			for _, args := range append(append([][]string{}, readers...), writers...) {
				c.fails(exitFailed, append(d.says, c.store("runs.db")), iterion(args)...)
			}
			if after, _ := os.ReadFile(c.store("runs.db")); !bytes.Equal(after, before) {
				t.Error("the damaged file was changed")
			}
			c.ledger("first wedge")
			for _, name := range []string{"runs.db-wal", "runs.db-shm"} {
				os.Remove(c.store(name))
			}
			if err := os.WriteFile(c.store("runs.db"), healthy, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(c.dir, "ledger.mended"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c.fails(exitOK, nil, "iterion", "resume", "r")
			c.ledger("first wedge wedge last")
		})
	}
}

// Wherever a few bytes are lost, a command shows what was recorded or names the
// damage.
func TestDamageInTheMiddle(t *testing.T) {
	c := newFault(t, "true")
	c.fails(exitOK, nil, "iterion", "run", "fault.bot", "--run-id", "r")
	healthy, err := os.ReadFile(c.store("runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, args := range readers {
		want[strings.Join(args, " ")] = c.must("iterion", args...)
	}
	named := 0
	for at := 2048; at < len(healthy); at += len(healthy) / 12 {
		damaged := bytes.Clone(healthy)
		copy(damaged[at:], bytes.Repeat([]byte{0xa5, 0x0d, 0xff}, 300))
		if err := os.WriteFile(c.store("runs.db"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range readers {
			code, out := c.run("iterion", args...)
			switch {
			case code == exitOK && out == want[strings.Join(args, " ")]:
			case code == exitFailed && strings.Contains(out, "STORE_CORRUPT"):
				named++
			default:
				t.Errorf("damage at %d, %v: status %d: %s", at, args, code, out)
			}
		}
	}
	if named == 0 {
		t.Error("no damage was found")
	}
}

// whole wants JSON lines, none of them cut.
func whole(t *testing.T, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("half an event: %q", line)
		}
	}
}
