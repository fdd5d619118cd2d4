package runtime

import (
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

func TestFallbackRoutes(t *testing.T) {
	spent := turn{err: backend.Errorf(outcome.UsageLimitBlocked, "spent")}
	denied := turn{err: backend.Errorf(outcome.AuthFailed, "no key")}
	ok := turn{output: map[string]any{"n": 1}}
	small := ir.Route{Model: str("small")}
	small.Name = "smaller"
	gated := ir.Route{Model: str("gated"), When: str("vars.go")}
	gated.Name = "gated"
	anyway := ir.Route{Model: str("any"), On: words("any")}
	anyway.Name = "anyway"
	skip := ir.Route{Action: set("skip"), On: words("auth")}
	skip.Name = "skip"
	for _, c := range []struct {
		name   string
		routes []ir.Route
		turns  []turn
		model  string // of the last task
		used   any
		code   outcome.Code
	}{
		{"not needed", []ir.Route{small}, []turn{ok}, "own", nil, ""},
		{"taken", []ir.Route{small}, []turn{spent, ok}, "small", "smaller", ""},
		{"another class", []ir.Route{small}, []turn{denied, ok}, "own", nil, outcome.AuthFailed},
		{"gated, then any", []ir.Route{gated, anyway}, []turn{denied, ok}, "any", "anyway", ""},
		{"all fail", []ir.Route{small, anyway}, []turn{spent, denied, denied}, "any", nil, outcome.UsageLimitBlocked},
		{"skipped", []ir.Route{skip}, []turn{denied}, "own", nil, ""},
	} {
		f := &fake{turns: map[string][]turn{"a": c.turns}}
		n, prompt := agent("a", "")
		n.LLM.Model, n.LLM.Fallbacks = str("own"), c.routes
		r, s := ask(t, f, output(n, "s"), prompt, schema("s", "n", "int"))
		out, _ := r.Outputs["a"].(map[string]any)
		if r.FailureCode != c.code || f.tasks[len(f.tasks)-1].Model != c.model || out["_fallback_used"] != c.used {
			t.Errorf("%s: %s (%s), model %s, output %v", c.name, r.FailureCode, r.Error, f.tasks[len(f.tasks)-1].Model, out)
		}
		if c.name == "skipped" && (out["_skipped"] != true || out["n"] != int64(0) || len(only(t, s, outcome.ModelFallback)) != 1) {
			t.Errorf("skipped: %v", out)
		}
	}
}
