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
	"iterion/runtime/attachment"
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
	w := newWorld(dir, &t)
	o, err := b.options(w, t)
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
	out := Outcome{Ending: ended(result), Events: w.tale.events}
	if errors.Is(context.Cause(ctx), errTooLong) {
		out.Problems = append(out.Problems, "the test took longer than "+b.Timeout.String()+" and was ended")
	}
	out.Problems = slices.Concat(out.Problems, w.people.problems, t.Expect.holds(seen{result, w.tale, w.bench.commands, w.workspace()}))
	if !t.Unused {
		out.Problems = slices.Concat(out.Problems, w.model.Left(), w.people.left(), w.bench.left())
	}
	return out
}

// world is all that a test's run meets. Its folder holds the workspace and what
// is beside it.
type world struct {
	dir    string
	model  *scripted.Counted
	people *people
	bench  *bench
	tale   *story
}

func newWorld(dir string, t *Test) *world {
	return &world{
		dir:    dir,
		model:  scripted.NewCounted(&t.Script.inline),
		people: &people{forms: t.Answers, given: map[string]int{}, approvals: slices.Clone(t.Approvals)},
		bench:  &bench{tools: t.Tools, used: map[string]bool{}, proofs: map[runtime.ToolStep]int{}, commands: map[string][]string{}},
		tale:   &story{paths: map[string][]string{}, outputs: map[string]map[string]any{}},
	}
}

func (w *world) workspace() string { return filepath.Join(w.dir, "workspace") }
func (w *world) home() string      { return filepath.Join(w.dir, "home") }

// options are those of a test's run, with its files in place.
func (b Bench) options(w *world, t Test) (runtime.Options, error) {
	answering := b.Backend(w.model)
	o := runtime.Options{
		Program: b.Program, Child: b.Child, Asker: w.people, RunID: "test", Operator: "test", Landing: nowhere{}, Workspace: w.workspace(), Tools: w.bench.run,
		Backends:         func(string) (backend.Backend, bool) { return answering, true },
		AllowUnknownCost: true, // nothing is paid for
		Env:              b.environment(w.home(), t.Env),
		Permission:       runtime.Permission{Flag: gate.Level{Mode: t.Permission}, Home: filepath.ToSlash(w.home())},
		ArtifactDir:      filepath.Join(w.dir, "artifacts"),
		OnEvent:          w.tale.hear,
	}
	for _, dir := range []string{w.workspace(), w.home(), o.ArtifactDir} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return o, err
		}
	}
	if err := lay(w.workspace(), t.Files, 0o644); err != nil {
		return o, err
	}
	var err error
	if o.Secrets, err = secrets(b.Program, t.Secrets, filepath.Join(w.dir, "secrets")); err != nil {
		return o, err
	}
	if o.Attachments, err = attachment.Take(b.Program, t.Attachments, filepath.Join(w.dir, "attachments")); err != nil {
		return o, fmt.Errorf("attachments: %w", err)
	}
	o.Vars, err = b.vars(t, o.Env)
	return o, err
}

// nowhere is where reviews of a test merge: it has no repository.
type nowhere struct{}

func (nowhere) Snapshot(context.Context, string) (string, error) { return "test", nil }

func (nowhere) Merge(_ context.Context, m runtime.Merge) (runtime.Merged, error) {
	return runtime.Merged{Branch: m.Into, Commit: m.Commit}, nil
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

// secrets are values for every secret of a program, also as files where it wants
// them so: real ones are not for tests.
func secrets(p *ir.Program, own map[string]string, dir string) (runtime.Secrets, error) {
	set := runtime.Secrets{Values: map[string]string{}, Paths: map[string]string{}}
	files := map[string]string{}
	for _, s := range p.Secrets {
		value, given := own[s.Name]
		if !given {
			value = "test-secret-" + s.Name
		}
		set.Values[s.Name] = value
		if s.As.V != "file" {
			continue
		}
		files[s.Name] = value
		set.Paths[s.Name] = filepath.Join(dir, s.Name)
		if s.Env.Set() {
			set.Env = append(set.Env, s.Env.V+"="+set.Paths[s.Name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if _, ok := set.Values[name]; !ok {
			return set, fmt.Errorf("secrets.%s: the program has no such secret", name)
		}
	}
	return set, lay(dir, files, 0o600)
}

// lay writes files below a folder.
func lay(dir string, files map[string]string, mode os.FileMode) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			return err
		}
	}
	return nil
}
