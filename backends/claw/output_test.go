package claw

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

var okSchema = map[string]any{
	"type": "object", "additionalProperties": false, "required": []any{"ok"},
	"properties": map[string]any{"ok": map[string]any{"type": "boolean"}, "n": map[string]any{"type": "integer"}},
}

func submit(id, input string) backend.Call { return call(id, "structured_output", input) }

func TestAnOutputEndsATask(t *testing.T) {
	for name, turns := range map[string][]backend.Turn{
		"a call":                   {calls(submit("a", `{"ok":true}`))},
		"a text":                   {text(` {"ok": true} `)},
		"a call after others":      {calls(bash("x", "ls"), submit("a", `{"ok":true}`))},
		"after an invalid call":    {calls(submit("a", `{"ok":"yes"}`)), calls(submit("b", `{"ok":true}`))},
		"two in one turn":          {calls(submit("a", `{"ok":1}`), submit("b", `{"ok":true}`))},
		"after words":              {text("It is ok."), calls(submit("b", `{"ok":true}`))},
		"after a text of no shape": {text(`{"ok": 1}`), text(`{"ok": true}`)},
	} {
		w := newWorld(t, "bash", turns...)
		w.task.Schema = okSchema
		if got, err := w.run(); err != nil || got.Output["ok"] != true || len(w.seen) != len(turns) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestCallsAroundAnOutput(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "before"), submit("b", `{"ok":true}`), bash("c", "behind"), submit("d", `{"ok":false}`)))
	w.task.Schema = okSchema
	got, err := w.run()
	if err != nil || got.Output["ok"] != true {
		t.Fatalf("%+v, %v", got, err)
	}
	w.equal("ran", w.ran, []string{`bash {"command":"before"}`})
	for _, id := range []string{"c", "d"} {
		if r := w.result(id); !r.Failed || !strings.HasPrefix(r.Text, "not run: ") {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if r := w.result("b"); r.Failed || r.Decision.Stage != "infrastructure" {
		t.Errorf("the output: %+v", r)
	}
}

// Two questions for a valid output, then the task fails; a later try has as many.
func TestRepairsAreBounded(t *testing.T) {
	for name, bad := range map[string]func(id string) backend.Turn{
		"calls": func(id string) backend.Turn { return calls(submit(id, `{"n":0.5,"more":1}`)) },
		"text":  func(string) backend.Turn { return text("no idea") },
	} {
		w := newWorld(t, "", bad("a"), bad("b"), bad("c"), bad("d"), calls(submit("e", `{"ok":true}`)))
		w.task.Schema = okSchema
		if _, err := w.run(); code(err) != outcome.SchemaValidation || len(w.seen) != 3 {
			t.Errorf("%s: %v after %d turns", name, err, len(w.seen))
		}
		if got, err := w.run(); err != nil || got.Output["ok"] != true {
			t.Errorf("%s, tried again: %+v, %v", name, got, err)
		}
	}
}

func TestAnInvalidOutputIsExplained(t *testing.T) {
	w := newWorld(t, "", calls(submit("a", `{"n":0.5,"more":1}`)), text("[1]"), calls(submit("b", `{"ok":true}`)))
	w.task.Schema = okSchema
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/properties/n", `0.5 has type "number", want "integer"`} {
		if r := w.result("a"); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%q lacks %q", r.Text, want)
		}
	}
	if !slices.Contains(w.told(), "user: The answer cannot be used as the output: it is no JSON object. Call the tool structured_output with the output.") {
		t.Errorf("%q", w.told())
	}
}

// What another tool says does not count as an output.
func TestAToolThatTalksLikeTheLoop(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "x"), bash("b", "x")), text("no"), text("no"), calls(submit("c", `{"ok":true}`)))
	w.task.Schema = okSchema
	w.tool = func(context.Context, backend.Call) backend.CallResult {
		return backend.CallResult{Text: notValid + "ha", Failed: true}
	}
	if got, err := w.run(); err != nil || got.Output["ok"] != true {
		t.Errorf("%+v, %v", got, err)
	}
}

// A schema that cannot be used is told before any turn, and loads nothing.
func TestABrokenSchema(t *testing.T) {
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, schema := range map[string]map[string]any{
		"a file":    {"$ref": "file://" + file},
		"a website": {"$ref": "https://example.com/schema.json"},
	} {
		w := newWorld(t, "", text("{}"))
		w.task.Schema = schema
		if _, err := w.run(); code(err) != outcome.ExecutionFailed || w.seen != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
