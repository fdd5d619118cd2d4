package process

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stage is a folder for one test whose processes are known by a variable: none
// may be left when the test ends.
type stage struct {
	*testing.T
	dir  string
	mark string
}

func newStage(t *testing.T) stage {
	t.Helper()
	s := stage{t, t.TempDir(), "STAGE_" + newMark()}
	if err := syscall.Mkfifo(s.fifo(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.gone()
		for _, left := range marked(s.mark, 0) {
			t.Errorf("%d (%s) is left", left.PID, left.Command)
			end(left.PID, s.mark)
		}
	})
	return s
}

func (s stage) fifo() string { return filepath.Join(s.dir, "fifo") }

func (s stage) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), s.mark + "=1", "FIFO=" + s.fifo()}
}

func (s stage) bash(script string) Command {
	return Command{Args: []string{"bash", "-c", script}, Dir: s.dir, Env: s.env(), grace: time.Hour}
}

// reader opens the stage's pipe. A process that holds it (9>$FIFO) keeps it
// from ending, so its end tells that every such process is gone.
func (s stage) reader() *bufio.Reader {
	s.Helper()
	f, err := os.OpenFile(s.fifo(), os.O_RDONLY, 0)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = f.Close() })
	return bufio.NewReader(f)
}

func (s stage) line(r *bufio.Reader) string {
	s.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		s.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func (s stage) ends(r *bufio.Reader) {
	s.Helper()
	if _, err := io.Copy(io.Discard, r); err != nil {
		s.Fatal(err)
	}
}

type ended struct {
	Output
	err error
}

func (s stage) background(ctx context.Context, c Command) <-chan ended {
	done := make(chan ended, 1)
	go func() {
		out, err := c.Run(ctx)
		done <- ended{out, err}
	}()
	return done
}

func TestOutput(t *testing.T) {
	s := newStage(t)
	for script, want := range map[string]Output{
		"echo out; echo err >&2; exit 3":        {Stdout: "out\n", Stderr: "err\n", Exit: 3},
		"cat":                                   {},
		"kill -KILL $$":                         {Exit: 137},
		"kill -SEGV $$":                         {Exit: 139},
		`printf 'a\xffb\x00'`:                   {Stdout: "a\uFFFDb\x00"},
		"kill 0; exit 4":                        {Exit: 143},
		"trap 'exit 5' TERM; kill 0; sleep 600": {Exit: 5},
		"trap -p":                               {}, // no signal is ignored
		"exec /no/such/program 2>/dev/null":     {Exit: 127},
		"for f in {3..9}; do [ ! -e /proc/$$/fd/$f ] || echo $f; done": {}, // no file of ours
	} {
		out, err := s.bash(script).Run(t.Context())
		if err != nil || out.Stdout != want.Stdout || out.Stderr != want.Stderr || out.Exit != want.Exit || len(out.Escaped) > 0 {
			t.Errorf("%s: %+v, %v", script, out, err)
		}
	}
}

func TestStdinAndMerge(t *testing.T) {
	s := newStage(t)
	c := s.bash("cat; echo err >&2; echo out")
	c.Stdin, c.Merge = strings.Repeat("line\n", 100_000), true
	out, err := c.Run(t.Context())
	if err != nil || out.Stdout != c.Stdin+"err\nout\n" || out.Stderr != "" {
		t.Errorf("%d bytes, stderr %q, %v", len(out.Stdout), out.Stderr, err)
	}
	c.Args[2] = "exec <&-; exit 0" // nobody reads it
	if out, err := c.Run(t.Context()); err != nil || out.Exit != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestLimits(t *testing.T) {
	s := newStage(t)
	c := s.bash("head -c 9000000 /dev/zero | tr '\\0' x; printf %s 0123456789 >&2")
	c.StderrLimit = 4
	out, err := c.Run(t.Context())
	if err != nil || len(out.Stdout) != MaxOutput || out.Lost != 9_000_000-MaxOutput || out.Spill != nil || out.Stderr != "6789" {
		t.Errorf("%d kept, %d lost, %v, stderr %q, %v", len(out.Stdout), out.Lost, out.Spill, out.Stderr, err)
	}
	c.Spill = s.dir
	out, err = c.Run(t.Context())
	if err != nil || out.Spill == nil || len(out.Stdout) != MaxOutput || out.Lost != 0 {
		t.Fatalf("%d kept, %d lost, %v, %v", len(out.Stdout), out.Lost, out.Spill, err)
	}
	sum := sha256.Sum256([]byte(strings.Repeat("x", 9_000_000)))
	info, err := os.Stat(out.Spill.Path)
	if err != nil || info.Size() != 9_000_000 || info.Mode().Perm() != 0o600 || out.Spill.Size != 9_000_000 || out.Spill.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v, %v", out.Spill, err)
	}
	c.Spill = filepath.Join(s.dir, "gone")
	if out, err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "output could not be kept") || out.Lost != 9_000_000-MaxOutput {
		t.Errorf("%d lost, %v", out.Lost, err)
	}
}

func TestProgramIsFoundInTheCommandsPath(t *testing.T) {
	s := newStage(t)
	if err := os.WriteFile(filepath.Join(s.dir, "mine"), []byte("#!/bin/sh\necho mine\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, ok := range map[string]bool{s.dir: true, ".": false, "": false, "/none::.:" + s.dir: true} {
		c := Command{Args: []string{"mine"}, Dir: s.dir, Env: []string{s.mark + "=1", "PATH=" + path}}
		if out, err := c.Run(t.Context()); (err == nil) != ok || ok && out.Stdout != "mine\n" || !ok && err.Error() != "mine is not installed" {
			t.Errorf("PATH=%s: %+v, %v", path, out, err)
		}
	}
	c := s.bash("true")
	c.Dir = filepath.Join(s.dir, "gone")
	if _, err := c.Run(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestScript(t *testing.T) {
	s := newStage(t)
	for language, script := range map[string]string{"python": "print('x' * 200_000)", "js": "console.log('x'.repeat(200_000))", "bash": "printf 'x%.0s' {1..200000}; echo"} {
		c, err := ScriptCommand(language, script+strings.Repeat("\n", 200_000)) // longer than a word may be
		if err != nil {
			t.Fatal(err)
		}
		c.Dir, c.Env = s.dir, append(s.env(), "TMPDIR="+s.dir)
		if out, err := c.Run(t.Context()); err != nil || len(out.Stdout) != 200_001 {
			t.Errorf("%s: %d bytes, %s, %v", language, len(out.Stdout), out.Stderr, err)
		}
	}
	if _, err := ScriptCommand("cobol", ""); err == nil {
		t.Error("a language without interpreter has one")
	}
}

var errStop = errors.New("stop")

// What a command leaves in its group is killed at its end, and does not keep it
// waiting although it holds its output.
func TestLeftovers(t *testing.T) {
	s := newStage(t)
	done := s.background(t.Context(), s.bash("sleep 600 9>$FIFO & (sleep 600 & sleep 600) 9>$FIFO & echo done 9>$FIFO"))
	r := s.reader()
	if got := <-done; got.err != nil || got.Stdout != "done\n" || len(got.Escaped) > 0 {
		t.Errorf("%+v", got)
	}
	s.ends(r)
}

// A cancelled command is asked to end, with all its children.
func TestCancel(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := s.background(ctx, s.bash("exec 9>$FIFO; trap 'echo bye; exit 7' TERM; sleep 600 & (sleep 600 & sleep 600) & echo up >&9; wait"))
	r := s.reader()
	s.line(r)
	cancel(errStop)
	if got := <-done; got.err != errStop || got.Stdout != "bye\n" || got.Exit != 7 {
		t.Errorf("%+v", got)
	}
	s.ends(r)
	if _, err := s.bash("echo ran > ran").Run(ctx); err != errStop {
		t.Errorf("a context that has ended: %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "ran")); err == nil {
		t.Error("it ran although the context had ended")
	}
}

const stubborn = "exec 9>$FIFO; trap '' TERM; (trap '' TERM; sleep 600; sleep 600) & echo up >&9; wait; sleep 600"

func TestGraceEnds(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	c := s.bash(stubborn)
	c.grace = time.Millisecond
	done := s.background(ctx, c)
	r := s.reader()
	s.line(r)
	cancel(errStop)
	if got := <-done; got.err != errStop || got.Exit != 137 {
		t.Errorf("%+v", got)
	}
	s.ends(r)
}

// The grace is an hour here: only the second context ends the command.
func TestKillSkipsTheGrace(t *testing.T) {
	s := newStage(t)
	kill, now := context.WithCancel(t.Context())
	ctx, cancel := context.WithCancelCause(WithKill(t.Context(), kill))
	done := s.background(ctx, s.bash(stubborn))
	r := s.reader()
	s.line(r)
	cancel(errStop)
	now()
	if got := <-done; got.err != errStop || got.Exit != 137 {
		t.Errorf("%+v", got)
	}
	s.ends(r)
}

// escape starts a process that leaves the group, holding the output.
const escape = `exec 9>$FIFO; setsid bash -c 'echo $$ >&9; trap "" TERM; sleep 600; :' & `

// A process that left the group runs on when the command ends by itself, and is
// named.
func TestEscapedIsNamed(t *testing.T) {
	s := newStage(t)
	if err := syscall.Mkfifo(filepath.Join(s.dir, "up"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := s.background(t.Context(), s.bash(`setsid bash -c 'exec 9>$FIFO; echo $$ >&9; echo > up; read -r _ < up; :' & read -r _ < up; echo done`))
	r := s.reader()
	pid := s.line(r)
	got := <-done
	if got.err != nil || got.Stdout != "done\n" || len(got.Escaped) != 1 || strconv.Itoa(got.Escaped[0].PID) != pid || !strings.HasPrefix(got.Escaped[0].Command, "bash -c exec 9>") {
		t.Errorf("%+v", got)
	}
	// It lives: it ends when it is told to.
	if err := os.WriteFile(filepath.Join(s.dir, "up"), []byte("end\n"), 0); err != nil {
		t.Fatal(err)
	}
	s.ends(r)
}

// Nothing survives a command that is stopped, not even what left its group.
func TestEscapedIsKilledOnCancel(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := s.background(ctx, s.bash(escape+"wait"))
	r := s.reader()
	pid := s.line(r)
	cancel(errStop)
	got := <-done
	if got.err != errStop || len(got.Escaped) == 0 || strconv.Itoa(got.Escaped[0].PID) != pid {
		t.Errorf("%+v", got)
	}
	s.ends(r)
}

// Without its watcher a group is killed by us all the same.
func TestWatcherIsKilled(t *testing.T) {
	s := newStage(t)
	done := s.background(t.Context(), s.bash(`exec 9>$FIFO; sleep 600 & read -r _ _ _ _ g _ < /proc/$$/stat; kill -KILL $g; echo $g >&9`))
	r := s.reader()
	s.line(r)
	if got := <-done; got.err != nil || got.Exit != 0 {
		t.Errorf("%+v", got)
	}
	s.ends(r)
}

// TestMain lets a test start this binary as a process that is then killed: it
// runs commands, some at a time, until it is.
func TestMain(m *testing.M) {
	script := os.Getenv("PROCESS_TEST_SCRIPT")
	if script == "" {
		os.Exit(m.Run())
	}
	hold, err := os.OpenFile(os.Getenv("FIFO"), os.O_WRONLY, 0) // so that it does not end between two commands
	if err != nil {
		os.Exit(2)
	}
	defer hold.Close()
	for range 3 {
		go func() {
			for {
				_, _ = Command{Args: []string{"bash", "-c", script}}.Run(context.Background())
			}
		}()
	}
	select {}
}

// However and whenever this process is killed, its commands die with it: those
// in the group and those that left it.
func TestChildrenDieWithUs(t *testing.T) {
	for script, lines := range map[string]int{
		escape + "(sleep 600 & sleep 600) & trap '' TERM; wait; sleep 600": 3,
		"exec 9>$FIFO; echo up >&9; (sleep 0.01; :) & sleep 0.005; :":      40, // starts and ends all the time
	} {
		for run := range 5 {
			s := newStage(t)
			victim := exec.Command(os.Args[0])
			victim.Env = append(s.env(), "PROCESS_TEST_SCRIPT="+script)
			if err := victim.Start(); err != nil {
				t.Fatal(err)
			}
			r := s.reader()
			for range min(lines, lines/2+run*7) {
				s.line(r)
			}
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = victim.Wait()
			s.ends(r)
		}
	}
}

// gone waits until no process of the stage is left: one that is just dying has
// closed its files before.
func (s stage) gone() {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if len(marked(s.mark, 0)) == 0 {
			return
		}
		<-time.After(time.Millisecond)
	}
}
