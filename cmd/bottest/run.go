package bottest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"iterion/backends/scripted"
	"iterion/ir"
	"iterion/ir/gate"
	"iterion/runtime"
	"iterion/runtime/backend"
)

// Bench runs the tests of one program.
type Bench struct {
	Program *ir.Program
	Child   func(source, from string) (p *ir.Program, file string, err error) // of subbots
	Backend func(backend.LanguageModel) backend.Backend                       // the loop over a script
	Timeout time.Duration                                                     // of one test
	Lookup  func(name string) (value string, ok bool)                         // in the environment, of which tests see little
}

// Outcome is what came of a test.
type Outcome struct {
	Ending   string   // how the run ended, "" when it did not start
	Problems []string // empty when the test passed; each may have several lines
	Events   []Event
	Took     time.Duration
}

// Event is one line of a run's log.
type Event = runtime.Event

// passed are the variables of the environment that a test sees: what commands
// need to be found and to find a place for files.
var passed = []string{"PATH", "TMPDIR", "TEMP", "TMP", "LANG", "SYSTEMROOT", "PATHEXT", "COMSPEC"}

// errTooLong ends a test.
var errTooLong = errors.New("the test took too long")

// Run runs a test in a workspace of its own, which is removed again.
func (b Bench) Run(ctx context.Context, t Test) (out Outcome) {
	began := time.Now()
	defer func() { out.Took = time.Since(began) }()
	dir, err := os.MkdirTemp("", "iterion-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return Outcome{Problems: []string{"there is no place for the workspace: " + err.Error()}}
	}
	return b.in(ctx, dir, t)
}

// in runs a test with a folder to itself.
func (b Bench) in(ctx context.Context, dir string, t Test) Outcome {
	work, home := filepath.Join(dir, "workspace"), filepath.Join(dir, "home")
	model := scripted.NewCounted(&t.Script.inline)
	helpers := &people{forms: t.Answers, given: map[string]int{}, approvals: slices.Clone(t.Approvals)}
	stand := &bench{tools: t.Tools, used: map[string]bool{}, proofs: map[runtime.ToolStep]int{}, commands: map[string][]string{}}
	tale := &story{paths: map[string][]string{}, outputs: map[string]map[string]any{}}
	answering := b.Backend(model)
	o := runtime.Options{
		Program: b.Program, Child: b.Child, Asker: helpers, RunID: "test", Operator: "test", Workspace: work, Tools: stand.run,
		Backends:         func(string) (backend.Backend, bool) { return answering, true },
		AllowUnknownCost: true, // nothing is paid for
		Env:              b.environment(home, t.Env), Secrets: runtime.Secrets{Values: secrets(b.Program, t.Secrets)},
		Permission: runtime.Permission{Flag: gate.Level{Mode: t.Permission}, Home: filepath.ToSlash(home)},
		OnEvent:    tale.hear,
	}
	err := lay(work, home, t.Files)
	if err == nil {
		o.Vars, err = b.vars(t, o.Env)
	}
	if err != nil {
		return Outcome{Problems: []string{err.Error()}}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, b.Timeout, errTooLong)
	defer cancel()
	result, err := runtime.Run(ctx, o)
	var refused *runtime.Failure
	switch {
	case errors.As(err, &refused):
		result = failed(refused)
	case err != nil:
		return Outcome{Problems: []string{err.Error()}}
	}
	out := Outcome{Ending: ended(result), Events: tale.events}
	if errors.Is(context.Cause(ctx), errTooLong) {
		out.Problems = append(out.Problems, "the test took longer than "+b.Timeout.String()+" and was ended")
	}
	out.Problems = slices.Concat(out.Problems, helpers.problems, t.Expect.holds(seen{result, tale, stand.commands, work}))
	if !t.Unused {
		out.Problems = slices.Concat(out.Problems, model.Left(), helpers.left(), stand.left())
	}
	return out
}

// environment is what the processes of a test see: little of ours.
func (b Bench) environment(home string, own map[string]string) []string {
	env := []string{"HOME=" + home}
	for _, name := range passed {
		if value, ok := b.Lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		env = append(env, name+"="+own[name])
	}
	return env
}

func (b Bench) vars(t Test, env []string) (map[string]any, error) {
	texts := map[string]string{}
	for name, value := range t.Vars {
		text, err := runtime.VarText(value)
		if err != nil {
			return nil, fmt.Errorf("vars.%s: %w", name, err)
		}
		texts[name] = text
	}
	return runtime.BindVars(b.Program, texts, t.Preset, func(name string) (string, bool) {
		for _, entry := range slices.Backward(env) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value, true
			}
		}
		return "", false
	})
}

// secrets are values for every secret of a program: real ones are not for tests.
func secrets(p *ir.Program, own map[string]string) map[string]string {
	values := map[string]string{}
	for _, s := range p.Secrets {
		values[s.Name] = "test-secret-" + s.Name
	}
	maps.Copy(values, own)
	return values
}

// lay makes the folders of a test and writes its files.
func lay(work, home string, files map[string]string) error {
	for _, dir := range []string{work, home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	for name, text := range files {
		path := filepath.Join(work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
