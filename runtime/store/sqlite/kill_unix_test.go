//go:build unix

package sqlite

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// TestMain runs the writer that TestKilledWriter kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ITERION_TEST_WRITER"); dir != "" {
		if err := writeForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// writeForever goes on with the run and says after each append which event is
// stored.
func writeForever(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	if _, err := s.Own("r"); err != nil {
		return err
	}
	r, err := s.Run("r")
	if err != nil {
		return err
	}
	for at := r.Seq; ; at += 3 {
		batch := transition("r", at)
		if at/3%7 == 0 { // and a large value now and then
			batch[1].Data = map[string]any{"text": large(strconv.FormatInt(at, 10))[:maxInline+1]}
		}
		if err := s.Append("r", batch...); err != nil {
			return err
		}
		fmt.Println(at + 3)
	}
}

// Whenever a writer is killed: what it was told is stored is there, whole
// batches without a gap, and the next process owns the run at once.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	must(t, s.Create(store.Run{ID: "r"}))
	random := rand.New(rand.NewSource(1))
	var before int64
	for round := range 30 {
		told := killedWriter(t, dir, 1+random.Intn(25), random.Intn(2) == 0)
		r, err := s.Run("r")
		must(t, err)
		if r.Seq < told || r.Seq > told+3 || r.Seq%3 != 0 {
			t.Fatalf("round %d: told of %d, stored %d", round, told, r.Seq)
		}
		list, err := s.Events("r", before)
		if err != nil || before+int64(len(list)) != r.Seq {
			t.Fatalf("round %d: %d events behind %d of %d, %v", round, len(list), before, r.Seq, err)
		}
		before = r.Seq
		if owner, live, err := s.Owner("r"); err != nil || live {
			t.Fatalf("round %d: %+v lives, %v", round, owner, err)
		}
	}
	lease, err := s.Own("r")
	must(t, err)
	must(t, s.Append("r", event(before+1, outcome.RunCancelled, nil)))
	must(t, lease.Release())
}

// killedWriter starts a writer and kills it once it has told of some appends,
// at that moment or a bit later: while it writes on. It returns the last event
// that the writer told of.
func killedWriter(t *testing.T, dir string, appends int, later bool) (told int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ITERION_TEST_WRITER="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	kill := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	defer kill()
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		told, err = strconv.ParseInt(lines.Text(), 10, 64)
		must(t, err)
		switch {
		case n == appends && later:
			go kill() // races with what the writer does next
		case n == appends:
			kill()
		}
	}
	_ = cmd.Wait()
	if told == 0 || said.Len() > 0 {
		t.Fatalf("the writer told of %d: %s", told, said.String())
	}
	return told
}
