package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"iterion/backends/hook"
	"iterion/corpus"
	"iterion/ir/gate"
)

// laid is a vector with its files in place.
type laid struct {
	corpus.GateVector
	corpus.GateCase
}

func vectors(t testing.TB) []laid {
	t.Helper()
	var list []laid
	for _, v := range corpus.GateVectors() {
		var dirs [2]string
		for i := range dirs {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			dirs[i] = dir
		}
		c, err := v.At(dirs[0], dirs[1])
		if err == nil {
			err = c.Lay()
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, laid{v, c})
	}
	return list
}

func (l laid) line(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"id": l.ID, "policy": l.Policy, "call": map[string]any{"tool": l.Call.Tool, "input": l.Call.Input}})
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// Every vector is answered by `permission eval`, in order.
func TestEvalVectors(t *testing.T) {
	list := vectors(t)
	var in, out, stderr bytes.Buffer
	for _, l := range list {
		in.Write(l.line(t))
	}
	if code := execute([]string{"permission", "eval"}, streams{&in, &out, &stderr}); code != exitOK {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	dec := json.NewDecoder(&out)
	for _, l := range list {
		var a struct{ ID, Verdict, Stage, Rule, Reason string }
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if a.ID != l.ID || a.Verdict != l.Want || a.Stage == "" || a.Reason == "" || l.GateVector.Rule != nil && a.Rule != *l.GateVector.Rule {
			t.Errorf("%s: %+v, want %s", l.ID, a, l.Want)
		}
	}
	if dec.More() {
		t.Error("more answers than calls")
	}
}

// What is no call is answered as that, and the others go on.
func TestEvalErrors(t *testing.T) {
	const good = `{"id":"g","policy":{"mode":"ask"},"call":{"tool":"Bash","input":{}}}`
	lines := []string{
		`{"id":"a"`, `[]`, `{"id":"b","policy":{"mode":"ask"}}`, `{"id":"c","policy":{"mode":"never"},"call":{"tool":"Bash","input":{}}}`,
		`{"id":"d","policy":{"mode":"ask","denny":["Bash"]},"call":{"tool":"Bash","input":{}}}`,
		`{"id":"e","policy":{"mode":"ask","deny":["Bash("]},"call":{"tool":"Bash","input":{}}}`,
		`{"id":"f","policy":{"mode":"ask","grants":[{"tool":"Bash","input":{},"scope":"all"}]},"call":{"tool":"Bash","input":{}}}`,
		`{"policy":` + strings.Repeat("x", longestLine) + `}`, good,
	}
	var out, stderr bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n\n" + good)
	if code := execute([]string{"permission", "eval"}, streams{in, &out, &stderr}); code != exitUsage {
		t.Errorf("status %d", code)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != len(lines)+1 {
		t.Fatalf("%d answers for %d lines:\n%s", len(answers), len(lines)+1, out.String())
	}
	for i, a := range answers {
		if wrong := strings.Contains(a, `"error"`); wrong != (i < len(lines)-1) || wrong == strings.Contains(a, `"verdict"`) {
			t.Errorf("line %d: %s", i+1, a)
		}
	}
}

// hookRun answers one event with a process of its own.
func hookRun(exe string, l laid, policy string) (refused bool, output string, err error) {
	event, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "tool_name": l.Call.Tool, "tool_input": l.Call.Input})
	if err != nil {
		return false, "", err
	}
	cmd := exec.Command(exe, hook.Verb, policy)
	cmd.Dir = filepath.Dir(exe)
	cmd.Stdin = bytes.NewReader(event)
	out, err := cmd.Output()
	if exit, is := err.(*exec.ExitError); is && exit.ExitCode() == hook.Denied {
		return true, string(out), nil
	}
	return false, string(out), err
}

func hookPolicy(t testing.TB, l laid) string {
	t.Helper()
	text, err := json.Marshal(l.Policy)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPolicy(text)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// Every vector is answered by the hook as a process: what asks is refused, and
// only what is allowed is let through, with an answer that says nothing.
func TestHookVectors(t *testing.T) {
	exe := filepath.Join(builds(t), "iterion")
	list := vectors(t)
	each(len(list), func(i int) {
		l := list[i]
		refused, out, err := hookRun(exe, l, hookPolicy(t, l))
		if err != nil || refused != (l.Want != gate.Allowed.String()) || refused == (out == "{}\n") {
			t.Errorf("%s: refused %v, %q, %v; want %s", l.ID, refused, out, err, l.Want)
		}
	})
}

// The hook answers without the command line's own help or flags.
func TestHookArguments(t *testing.T) {
	exe := filepath.Join(builds(t), "iterion")
	for _, args := range [][]string{{hook.Verb}, {hook.Verb, "--help"}, {hook.Verb, "a", "b"}} {
		cmd := exec.Command(exe, args...)
		out, err := cmd.Output()
		exit, is := err.(*exec.ExitError)
		if !is || exit.ExitCode() != hook.Denied || !bytes.Contains(out, []byte(`"decision":"deny"`)) {
			t.Errorf("%v: %v, %s", args, err, out)
		}
	}
}

// BenchmarkHook is what an agent waits for before each call: a process of its
// own, alone and with 16 at once. p99 is over all of them.
func BenchmarkHook(b *testing.B) {
	exe := filepath.Join(builds(b), "iterion")
	l := vectors(b)[0]
	policy := hookPolicy(b, l)
	for name, together := range map[string]int{"alone": 1, "16 at once": 16} {
		b.Run(name, func(b *testing.B) {
			var mu sync.Mutex
			var times []time.Duration
			for b.Loop() {
				var group sync.WaitGroup
				for range together {
					group.Go(func() {
						began := time.Now()
						_, _, err := hookRun(exe, l, policy)
						took := time.Since(began)
						mu.Lock()
						defer mu.Unlock()
						if err != nil {
							b.Error(err)
						}
						times = append(times, took)
					})
				}
				group.Wait()
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// BenchmarkEval is a batch of all vectors.
func BenchmarkEval(b *testing.B) {
	var in bytes.Buffer
	list := vectors(b)
	for _, l := range list {
		in.Write(l.line(b))
	}
	b.ReportAllocs()
	for b.Loop() {
		var e evaluator
		var out bytes.Buffer
		for range 10 {
			if err := e.run(bytes.NewReader(in.Bytes()), &out); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(10*len(list)*b.N)/b.Elapsed().Seconds(), "verdicts/s")
}
