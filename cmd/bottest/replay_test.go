package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/backends/claw"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/runtime/process"
	"iterion/runtime/store"
	"iterion/runtime/store/sqlite"
	"iterion/workspace"
)

// compiled is the program of a file of the corpus, which may be a child of
// another.
func compiled(name, from string) (*ir.Program, string, error) {
	path := filepath.Join(filepath.Dir(from), name)
	_, in := workspace.Input(path)
	r, err := build.Unit(in)
	if err != nil {
		return nil, "", err
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diagnostics.Error {
			return nil, "", fmt.Errorf("%s: %s", path, d.Message)
		}
	}
	return r.Program(), path, nil
}

func benchOf(t *testing.T, bot string) Bench {
	t.Helper()
	p, _, err := compiled(bot, "")
	if err != nil {
		t.Fatal(err)
	}
	return Bench{
		Program: p, Child: compiled, Timeout: time.Minute, Lookup: os.LookupEnv,
		Backend: func(m backend.LanguageModel) backend.Backend { return claw.New(m, disk.Links{}) },
	}
}

// played is a bot of the corpus with one way to run it.
type played struct {
	name  string
	bench Bench
	test  Test
}

// all are the bots that can run: those with tests with each of their tests, and
// those without models as they are.
func all(t *testing.T) (list []played) {
	t.Helper()
	files, err := filepath.Glob("../../corpus/*/*" + Suffix)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		bot, err := file.Program()
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range file.Tests {
			list = append(list, played{strings.TrimSuffix(filepath.Base(name), Suffix) + "/" + test.Name, benchOf(t, bot), test})
		}
	}
	for _, r := range corpus.Runs() {
		if r.Script != nil {
			continue // it has tests
		}
		p := played{r.Name, benchOf(t, filepath.Join("../../corpus", r.File.Name)), Test{Vars: map[string]any{}, Answers: map[string]Forms{}}}
		for i := 0; i+1 < len(r.Args); i += 2 {
			name, value, _ := strings.Cut(r.Args[i+1], "=")
			p.test.Vars[name] = value
		}
		for _, answers := range r.Answers {
			p.test.Answers[personIn(p.bench.Program)] = Forms{always: fields(answers)}
		}
		list = append(list, p)
	}
	return list
}

// personIn is the node that asks a person.
func personIn(p *ir.Program) string {
	i := slices.IndexFunc(p.Nodes, func(n *ir.Node) bool { return n.Kind == ir.KindHuman })
	return p.Nodes[i].ID
}

func fields(pairs []string) map[string]any {
	out := map[string]any{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		out[name] = value
	}
	return out
}

// once lets a person answer one question, then none: the next pauses the run.
type once struct {
	runtime.Asker
	left int
}

func (o *once) Ask(ctx context.Context, q runtime.Question) (map[string]any, bool, error) {
	if o.left == 0 {
		return nil, false, nil
	}
	answers, ok, err := o.Asker.Ask(ctx, q)
	if ok {
		o.left--
	}
	return answers, ok, err
}

// Every bot of the corpus that can run, in memory and on disk, with its
// questions answered in place and over pauses: the events that it left fold to
// the very state that the engine ended with, from whatever they are read, and so
// does each part of them to a state of its own, always the same.
func TestRunsAreTheirEvents(t *testing.T) {
	for _, p := range all(t) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for _, pauses := range []bool{false, true} {
				onDisk, err := sqlite.Open(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				defer onDisk.Close()
				for _, s := range []store.Store{&store.Memory{}, onDisk} {
					replayed(t, p, s, pauses)
				}
			}
		})
	}
}

// Every other program of the corpus too: with models that say nothing and
// commands that do nothing it ends somehow, and is its events.
func TestProgramsThatGetNowhereAreTheirEvents(t *testing.T) {
	ran := 0
	for _, f := range corpus.Files() {
		if f.Fragment() {
			continue
		}
		p, _, err := compiled("../../corpus/"+f.Name, "")
		if err != nil || p.Workflow == nil {
			continue // it is no program on its own
		}
		synctest.Test(t, func(t *testing.T) {
			test := Test{Vars: map[string]any{}}
			for _, v := range p.Vars {
				if !v.Default.Set() {
					test.Vars[v.Name] = sample(v)
				}
			}
			b := benchOf(t, "../../corpus/"+f.Name)
			w := newWorld(t.TempDir(), &test)
			o, err := b.options(w, test)
			if err != nil {
				return // it takes what is not here
			}
			o.Store = &store.Memory{}
			o.Tools = func(runtime.ToolStep) (process.Output, bool) { return process.Output{Stdout: "{}"}, true }
			ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
			defer cancel()
			result, err := runtime.Run(ctx, o)
			if err != nil {
				return // it asks for what this build cannot give
			}
			ran++
			folds(t, o.Store, o.RunID, result.State)
			parts(t, eventsOf(t, o.Store, o.RunID))
		})
	}
	if ran < 120 {
		t.Errorf("only %d programs ran", ran)
	}
}

// sample is some value of a var.
func sample(v *ir.Var) any {
	switch {
	case v.Enum.Set():
		return ir.Strings(v.Enum)[0]
	case v.Type == "int", v.Type == "float":
		return 1
	case v.Type == "bool":
		return true
	case v.Type == "string":
		return "x"
	}
	return []any{}
}

func replayed(t *testing.T, p played, s store.Store, pauses bool) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	test := p.test
	test.Answers = maps.Clone(test.Answers)
	w := newWorld(dir, &test)
	o, err := p.bench.options(w, test)
	if err != nil {
		t.Fatal(err)
	}
	o.Store = s
	people := &once{o.Asker, -1}
	if pauses {
		people.left = 0
	}
	o.Asker = people
	result, err := runtime.Run(t.Context(), o)
	for rounds := 0; err == nil; rounds++ {
		folds(t, s, o.RunID, result.State)
		if !pauses || result.Status != outcome.PausedHuman || rounds > 100 {
			break
		}
		people.left = 1
		if result, err = runtime.Resume(t.Context(), o, runtime.Resumption{}); err == nil && people.left == 1 {
			folds(t, s, o.RunID, result.State)
			break // nobody answers
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Runs()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs { // those of its subbots, too
		parts(t, eventsOf(t, s, r.ID))
	}
}

func eventsOf(t *testing.T, s store.Store, run string) []Event {
	t.Helper()
	events, err := s.Events(run, 0)
	if err != nil || len(events) == 0 {
		t.Fatal(run, len(events), err)
	}
	return events
}

// folds holds that a run's events, as stored and as JSON, make the state.
func folds(t *testing.T, s store.Store, run string, want *runtime.State) {
	t.Helper()
	events := eventsOf(t, s, run)
	before := text(t, events)
	for how, list := range map[string][]Event{"as stored": events, "as JSON": reread(t, before)} {
		if got := text(t, runtime.Fold(list)); got != text(t, want) {
			t.Errorf("the events %s fold to another state:\n%s\nwant\n%s", how, got, text(t, want))
		}
	}
	if text(t, events) != before {
		t.Error("folding changes the events")
	}
}

// parts holds that every part of a run's events from the first folds to the same
// state at once and event by event, and that a part with a hole or a repeated
// event folds to some state.
func parts(t *testing.T, events []Event) {
	t.Helper()
	step := runtime.NewState()
	for n, e := range events {
		step.Apply(e)
		if whole := text(t, runtime.Fold(events[:n+1])); whole != text(t, step) {
			t.Fatalf("%d events (%s) fold to two states", n+1, e.Type)
		}
		runtime.Fold(slices.Concat(events[:n], events[n+1:]))
		runtime.Fold(slices.Concat(events[:n+1], events[n:]))
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// reread reads events from JSON as values.
func reread(t *testing.T, text string) (events []Event) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&events); err != nil {
		t.Fatal(err)
	}
	for i := range events {
		data, err := expr.Normalize(events[i].Data)
		if err != nil {
			t.Fatal(err)
		}
		events[i].Data, _ = data.(map[string]any)
	}
	return events
}
