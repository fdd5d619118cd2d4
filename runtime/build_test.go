package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// The helpers below build programs as the compiler would.

func set[T any](v T) ir.Opt[T] { return ir.Opt[T]{V: v, Span: source.Span{Start: 1, End: 2}} }

func str(s string) ir.Opt[ir.Text] { return set(ir.PlainText(s)) }

func words(s ...string) ir.List {
	items := make([]ir.Item, len(s))
	for i := range s {
		items[i].Text = s[i]
	}
	return set(items)
}

// pairs makes bindings of key, value, key, value …
func pairs(kv ...string) ir.Bindings {
	var out []ir.Binding
	for i := 0; i < len(kv); i += 2 {
		out = append(out, ir.Binding{Key: kv[i], Value: ir.PlainText(kv[i+1])})
	}
	return set(out)
}

func node(id string, kind ir.Kind) *ir.Node {
	n := &ir.Node{ID: id, Kind: kind, Common: &ir.Common{}}
	n.Name = id
	return n
}

func compute(id string, kv ...string) *ir.Node {
	n := node(id, ir.KindCompute)
	n.Compute = &ir.Compute{Expr: pairs(kv...)}
	return n
}

func shellTool(id, command string) *ir.Node {
	n := node(id, ir.KindTool)
	n.Tool = &ir.Tool{Command: str(command)}
	return n
}

func agent(id, user string) (*ir.Node, *ir.Prompt) {
	n := node(id, ir.KindAgent)
	n.LLM = &ir.LLM{User: set(ir.PromptUse{Name: id + "_user"})}
	p := &ir.Prompt{Text: ir.PlainText(user)}
	p.Name = id + "_user"
	return n, p
}

func router(id, mode string) *ir.Node {
	n := node(id, ir.KindRouter)
	n.Router = &ir.Router{Mode: set(mode)}
	return n
}

func each(id, over string) *ir.Node {
	n := router(id, ir.ModeFanOutEach)
	n.Router.Over = str(over)
	return n
}

func failNode(id, code, message string) *ir.Node {
	n := node(id, ir.KindFail)
	n.FailNode = &ir.FailNode{Code: set(code), Message: str(message)}
	return n
}

func output(n *ir.Node, schema string) *ir.Node {
	n.Output = set(schema)
	return n
}

func collects(n *ir.Node, strategy string) *ir.Node {
	n.Join = set(strategy)
	return n
}

// schema makes a schema of name, type, name, type …
func schema(name string, fields ...string) *ir.Schema {
	s := &ir.Schema{}
	s.Name = name
	for i := 0; i < len(fields); i += 2 {
		s.Fields = append(s.Fields, ir.Field{Name: fields[i], Type: fields[i+1]})
	}
	return s
}

type edgeOption func(*ir.Edge)

func edge(from, to string, options ...edgeOption) *ir.Edge {
	e := &ir.Edge{From: from, To: to}
	for _, o := range options {
		o(e)
	}
	return e
}

func when(cond string) edgeOption   { return func(e *ir.Edge) { e.Expr = str(cond) } }
func whenField(f string) edgeOption { return func(e *ir.Edge) { e.When = set(f) } }
func whenNot(f string) edgeOption {
	return func(e *ir.Edge) { e.When = set(f); e.Not = true }
}
func otherwise(e *ir.Edge) { e.Else = set(true) }
func with(kv ...string) edgeOption {
	return func(e *ir.Edge) { e.With = pairs(kv...) }
}
func loop(name string, count int64) edgeOption {
	return func(e *ir.Edge) { e.Loop = &ir.LoopUse{Name: name, Count: set(count)} }
}
func loopCap(name, cap string) edgeOption {
	return func(e *ir.Edge) { e.Loop = &ir.LoopUse{Name: name, Cap: str(cap)} }
}
func unbounded(name string) edgeOption {
	return func(e *ir.Edge) { e.Loop = &ir.LoopUse{Name: name, Unbounded: set(true)} }
}
func foreach(name, collection string) edgeOption {
	return func(e *ir.Edge) {
		e.Foreach = &ir.ForeachUse{Name: name, Item: set("item"), Collection: str(collection)}
	}
}

// program joins nodes, edges, schemas, prompts and loops; the first node is the
// entry.
func program(parts ...any) *ir.Program {
	p := &ir.Program{Workflow: &ir.Workflow{}}
	p.Workflow.Name = "test"
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Node:
			p.Nodes = append(p.Nodes, part)
		case *ir.Edge:
			p.Edges = append(p.Edges, part)
		case *ir.Schema:
			p.Schemas = append(p.Schemas, part)
		case *ir.Prompt:
			p.Prompts = append(p.Prompts, part)
		case *ir.Var:
			p.Vars = append(p.Vars, part)
		case *ir.Loop:
			p.Loops = append(p.Loops, part)
		case *ir.Budget:
			p.Workflow.Budget = part
		case ir.Resource:
			p.Workflow.Resources = append(p.Workflow.Resources, part)
		}
	}
	p.Workflow.Entry = set(p.Nodes[0].ID)
	return p.Seal()
}

func cycle(name string, entries string, body ...string) *ir.Loop {
	return &ir.Loop{Name: name, Entries: strings.Fields(entries), Body: body}
}

func variable(name, kind, def string) *ir.Var {
	v := &ir.Var{Type: kind}
	v.Name = name
	if def != "" {
		v.Default = set(ir.Literal{Kind: ir.StringLiteral, Text: def})
	}
	return v
}

// play runs a program and holds every run to what all runs owe: the stored
// events, also as JSON, fold to the state that the engine had.
func play(t testing.TB, o Options) Result {
	t.Helper()
	return playWith(t, t.Context(), o)
}

func playWith(t testing.TB, ctx context.Context, o Options) Result {
	t.Helper()
	if o.Store == nil {
		o.Store = &store.Memory{}
	}
	if o.RunID == "" {
		o.RunID = "r"
	}
	result, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	events, err := o.Store.Events(o.RunID, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := canonical(t, result.State)
	if got := canonical(t, Fold(events)); got != want {
		t.Errorf("the events fold to another state:\n%s\nwant\n%s", got, want)
	}
	if got := canonical(t, Fold(reread(t, events))); got != want {
		t.Errorf("the events read from JSON fold to another state:\n%s\nwant\n%s", got, want)
	}
	return result
}

func canonical(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func reread(t testing.TB, events []Event) []Event {
	t.Helper()
	b, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var out []Event
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	for i := range out {
		data, err := expr.Normalize(out[i].Data)
		if err != nil {
			t.Fatal(err)
		}
		out[i].Data, _ = data.(map[string]any)
	}
	return out
}

// path is the nodes that started on the trunk and in branches, in order.
func path(t testing.TB, s store.Store) string {
	t.Helper()
	events, err := s.Events("r", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range events {
		if e.Type == outcome.NodeStarted {
			out = append(out, visitKey(e.NodeID, e.BranchID))
		}
	}
	return strings.Join(out, " ")
}

// only returns the data of the events of one type.
func only(t testing.TB, s store.Store, kind outcome.EventType) []map[string]any {
	t.Helper()
	events, err := s.Events("r", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for _, e := range events {
		if e.Type == kind {
			out = append(out, e.Data)
		}
	}
	return out
}

func wantStatus(t testing.TB, r Result, status outcome.Status, code outcome.Code) {
	t.Helper()
	if r.Status != status || r.FailureCode != code {
		t.Fatalf("the run is %s %s (%s), want %s %s", r.Status, r.FailureCode, r.Error, status, code)
	}
}

func wantOutput(t testing.TB, r Result, node, want string) {
	t.Helper()
	if got := expr.ScriptLiteral(r.Outputs[node]); got != want {
		t.Errorf("output of %s: %s, want %s", node, got, want)
	}
}
