//go:build unix

package toolrun

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ir/gate"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
)

// world is a workspace `w` beside a folder `o` that lies outside of it.
type world struct {
	*Runner
	root, dir, out string
	gate           *gate.Gate
}

// newWorld makes a world. `$R`, `$W` and `$O` in rules stand for its
// folders.
func newWorld(t testing.TB, mode string, rules ...string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := worldAt(root, mode, rules...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// worldAt makes a world in a folder. Rules are written `deny Read(x)`.
func worldAt(root, mode string, rules ...string) (*world, error) {
	w := &world{root: root, dir: root + "/w", out: root + "/o"}
	var lists gate.Lists
	for _, text := range rules {
		list, rule, _ := strings.Cut(strings.NewReplacer("$R", root, "$W", w.dir, "$O", w.out).Replace(text), " ")
		read, err := gate.ParseRule(rule)
		if err != nil {
			return nil, err
		}
		kind := map[string]gate.Kind{"deny": gate.DenyList, "ask": gate.AskList, "allow": gate.AllowList}[list]
		lists[kind] = append(lists[kind], read)
	}
	p, err := gate.Resolve(gate.Levels{Node: gate.Level{Mode: mode, Lists: lists}})
	if err != nil {
		return nil, err
	}
	w.gate = gate.New(p.Arm(w.dir, root+"/home", root+"/secrets"), disk.Links{})
	w.Runner = New(Options{Dir: w.dir, Gate: func() *gate.Gate { return w.gate }})
	return w, errors.Join(os.MkdirAll(w.dir, 0o777), os.MkdirAll(w.out, 0o777))
}

// lay puts files, by their path relative to the workspace.
func (w *world) lay(t testing.TB, files map[string]string) {
	t.Helper()
	for name, content := range files {
		put(t, filepath.Join(w.dir, name), content)
	}
}

func put(t testing.TB, name, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, name string) {
	t.Helper()
	os.Remove(name)
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func holds(t testing.TB, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

type fields map[string]any

// call judges a call and carries it out when it is allowed.
func (w *world) call(tool string, in fields) (result backend.CallResult, allowed bool) {
	text, err := json.Marshal(in)
	if err != nil {
		return failed("%v", err), false
	}
	c := backend.Call{ID: "1", Tool: tool, Input: string(text)}
	v := w.gate.Evaluate(c.Gate())
	permit, ok := v.Permit()
	if !ok {
		return failed("the gate: %s", v.Reason()), false
	}
	return w.Run(context.Background(), permit, c), true
}

// works calls a tool and wants an answer.
func (w *world) works(t testing.TB, tool string, in fields) string {
	t.Helper()
	result, allowed := w.call(tool, in)
	if !allowed || result.Failed {
		t.Fatalf("%s %v: %s", tool, in, result.Text)
	}
	return result.Text
}

// fails calls a tool and wants an error that says something.
func (w *world) fails(t testing.TB, tool string, in fields, want string) {
	t.Helper()
	result, allowed := w.call(tool, in)
	if !allowed || !result.Failed || !strings.Contains(result.Text, want) {
		t.Errorf("%s %v: allowed %v, failed %v, %s; want %q", tool, in, allowed, result.Failed, result.Text, want)
	}
}
