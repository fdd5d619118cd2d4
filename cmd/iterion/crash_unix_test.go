//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store/sqlite"
)

// crashes is how often the crash test kills a process.
const crashes = 320

// A run that is killed at any moment, again and again, ends like one that was
// left alone, and every effect stands in the ledger once. Where an effect is not
// known the run says so and waits for a person, who looks it up.
func TestKilledRunsEndTheSame(t *testing.T) {
	program := filepath.Join(builds(t), "iterion")
	calm := newVictim(t, program, "calm")
	calm.finish(t)
	want := calm.ending(t)

	var kills atomic.Int64
	var wg sync.WaitGroup
	for lane := range 2 {
		wg.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(lane), 7))
			for n := 0; kills.Load() < crashes && !t.Failed(); n++ {
				v := newVictim(t, program, fmt.Sprintf("lane%d-%d", lane, n))
				for range 12 {
					if v.strike(t, dice, calm.took) {
						kills.Add(1)
					}
				}
				v.finish(t)
				if got := v.ending(t); got != want {
					t.Errorf("%s ended otherwise:\n%s\nwant\n%s\nledger\n%s", v.id, got, want, v.ledger(t))
				}
				v.checkLedger(t)
			}
		})
	}
	wg.Wait()
	t.Logf("%d kills", kills.Load())
	if kills.Load() < crashes {
		t.Errorf("only %d kills", kills.Load())
	}
}

// victim is a run that is killed.
type victim struct {
	program, dir, id string
	begun            bool
	next             []string // arguments of the next resume
	took             time.Duration
}

func newVictim(t *testing.T, program, id string) *victim {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.bot", "script.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata/crash", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return &victim{program: program, dir: dir, id: id}
}

func (v *victim) command() *exec.Cmd {
	args := []string{"run", "main.bot", "--run-id", v.id}
	if v.begun {
		args = append([]string{"resume", v.id}, v.next...)
	}
	cmd := exec.Command(v.program, append(args, "--store", "store", "--script", "script.yaml", "--no-interactive", "--json")...)
	cmd.Dir = v.dir
	cmd.Env = append(os.Environ(), "LEDGER="+filepath.Join(v.dir, "ledger"))
	return cmd
}

// strike runs the victim and kills it at some moment; false when it stopped by
// itself before that.
func (v *victim) strike(t *testing.T, dice *rand.Rand, most time.Duration) bool {
	cmd := v.command()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false
	}
	moment := time.AfterFunc(time.Duration(dice.Int64N(int64(most))), func() { cmd.Process.Signal(syscall.SIGKILL) })
	err := cmd.Wait()
	moment.Stop()
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		v.begun, v.next = v.stored(), nil
		return true
	}
	v.stopped(t, exit, stderr.String())
	return false
}

// stored tells whether the run's first event was stored before the kill.
func (v *victim) stored() bool {
	s, err := sqlite.Open(filepath.Join(v.dir, "store"))
	if err != nil {
		return false
	}
	defer s.Close()
	run, err := s.Run(v.id)
	if err == nil && run.Seq == 0 {
		_ = s.Remove(v.id)
	}
	return err == nil && run.Seq > 0
}

// stopped reads why a run stopped, and what lets it go on.
func (v *victim) stopped(t *testing.T, exit *exec.ExitError, stderr string) {
	v.begun = true
	switch {
	case exit == nil:
		v.next = nil
	case exit.ExitCode() == exitPaused && strings.Contains(stderr, "--approve"):
		v.next = []string{"--approve"}
	case exit.ExitCode() == exitPaused:
		v.next = []string{"--answer", "ok=true"}
	case strings.Contains(stderr, string(outcome.OutcomeUnknown)):
		v.next = v.lookUp(t)
	case exit.ExitCode() == exitUsage && strings.Contains(stderr, "is finished"):
	default:
		t.Errorf("%s: exit %d: %s", v.id, exit.ExitCode(), stderr)
	}
}

// lookUp is the person who looks whether an effect has happened.
func (v *victim) lookUp(t *testing.T) (flags []string) {
	state := v.state(t)
	done := strings.Split(v.ledger(t), "\n")
	for _, sc := range state.Scopes {
		n := sc.Node
		if sc.Phase != runtime.PhaseRunning && sc.Held != runtime.PhaseRunning {
			continue
		}
		place := n
		if sc.ID != "" {
			place += "@" + sc.ID
		}
		key := fmt.Sprintf("%s:%s:%s:%d", v.id, n, sc.ID, state.Visits[place])
		switch {
		case !slices.Contains(done, key):
			flags = append(flags, "--rerun", place)
		case n == "plan":
			flags = append(flags, "--accept", place+`={"items":["x","y","z"]}`)
		case n == "work":
			index := strings.TrimPrefix(sc.ID, "branch_each_")
			flags = append(flags, "--accept", place+`={"result":"`+map[string]string{"0": "x", "1": "y", "2": "z"}[index]+`"}`)
		default:
			flags = append(flags, "--accept", place+`={"result":""}`)
		}
	}
	return flags
}

// finish lets the run go on, undisturbed, to its end.
func (v *victim) finish(t *testing.T) {
	for range 20 {
		cmd := v.command()
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		began := time.Now()
		err := cmd.Run()
		v.took = max(v.took, time.Since(began))
		var exit *exec.ExitError
		if !errors.As(err, &exit) && err != nil {
			t.Fatal(err)
		}
		v.stopped(t, exit, stderr.String())
		if exit == nil || strings.Contains(stderr.String(), "is finished") {
			return
		}
	}
	t.Errorf("%s does not come to its end", v.id)
}

func (v *victim) state(t *testing.T) *runtime.State {
	s, err := sqlite.Open(filepath.Join(v.dir, "store"))
	if err != nil {
		t.Error(err)
		return runtime.NewState()
	}
	defer s.Close()
	events, err := s.Events(v.id, 0)
	if err != nil {
		t.Error(err)
	}
	return runtime.Fold(events)
}

// ending is what two runs of the program must have in common at their end.
func (v *victim) ending(t *testing.T) string {
	s := v.state(t)
	trunk := s.Scopes[runtime.Trunk]
	delete(trunk.Outputs, "sure") // it says whether its recipe ran, or was done already
	for _, output := range trunk.Outputs {
		if m, ok := output.(map[string]any); ok {
			delete(m, "_duration_ms")
			delete(m, "_session_id")
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"status": s.Status, "outputs": trunk.Outputs, "artifacts": trunk.Artifacts, "loops": counts(trunk),
		"visits": s.Visits, "versions": s.Versions, "tokens": s.Usage.Tokens, "iterations": s.Usage.Iterations,
	}, "", " ")
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

func counts(sc *runtime.Scope) map[string]int64 {
	out := map[string]int64{}
	for name, l := range sc.Loops {
		out[name] = l.Count
	}
	return out
}

func (v *victim) ledger(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join(v.dir, "ledger"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	return string(text)
}

// checkLedger holds that every effect happened once. A call of a model that was
// cut off may be missing: the model was told that its outcome is unknown.
func (v *victim) checkLedger(t *testing.T) {
	seen := map[string]int{}
	for line := range strings.Lines(v.ledger(t)) {
		seen[strings.TrimSpace(line)]++
	}
	want := []string{"sure"}
	for _, key := range []string{"plan::0", "again::0", "again::1", "again::2", "work:branch_each_0:0", "work:branch_each_1:0", "work:branch_each_2:0", "end::0"} {
		want = append(want, v.id+":"+key)
	}
	for _, key := range want {
		if seen[key] != 1 {
			t.Errorf("%s: %s happened %d times", v.id, key, seen[key])
		}
	}
	unknown := 0
	for _, talk := range v.state(t).Talks {
		for _, m := range talk.Messages {
			if strings.Contains(m.Text, "outcome unknown") {
				unknown++
			}
		}
	}
	missing := 0
	for i := 1; i <= 4; i++ {
		n := seen[fmt.Sprintf("call-%d", i)]
		if n > 1 {
			t.Errorf("%s: call %d ran %d times", v.id, i, n)
		}
		missing += 1 - n
	}
	if missing > unknown {
		t.Errorf("%s: %d calls are missing, %d unknown", v.id, missing, unknown)
	}
}
