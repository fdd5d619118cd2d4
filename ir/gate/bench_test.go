package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"iterion/ir/gate"
)

// rulesOf makes a policy of n rules over shell commands and paths, of which a
// few are about the calls of the benchmarks.
func rulesOf(b testing.TB, n int) gate.Policy {
	b.Helper()
	level := gate.Level{Mode: "deny"}
	add := func(k gate.Kind, format string, args ...any) {
		rule, err := gate.ParseRule(fmt.Sprintf(format, args...))
		if err != nil {
			b.Fatal(err)
		}
		level.Lists[k] = append(level.Lists[k], rule)
	}
	for i := range n / 5 {
		add(gate.AllowList, "Bash(prog%d sub:*)", i)
		add(gate.DenyList, "Bash(tool%d rm:*)", i)
		add(gate.AllowList, "Read(dir%d/**)", i)
		add(gate.DenyList, "Read(secret%d/**)", i)
		add(gate.AskList, "Edit(gen%d/*.go)", i)
	}
	add(gate.AllowList, "Bash(go test:*)")
	add(gate.AllowList, "Bash(git diff:*)")
	add(gate.AllowList, "Read(pkg/**)")
	add(gate.AllowList, "Grep")
	add(gate.AllowList, "WebSearch")
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		b.Fatal(err)
	}
	return p.Arm("/work/repo", "/home/me")
}

func call(tool, input string) gate.Call { return gate.Call{Tool: tool, Input: input} }

var benchSizes = []int{10, 100, 1000, 10000}

// A rule that does not look. The folders of a search are held against the
// closed trees all the same.
func BenchmarkBare(b *testing.B) {
	for _, c := range []gate.Call{call("WebSearch", `{"query":"x"}`), call("Grep", `{"pattern":"x","path":"pkg"}`)} {
		b.Run(c.Tool, func(b *testing.B) {
			g := gate.New(rulesOf(b, 100), nil)
			if v := g.Evaluate(c); v.Decision != gate.Allowed {
				b.Fatal(v.Reason())
			}
			b.ReportAllocs()
			for b.Loop() {
				g.Evaluate(c)
			}
		})
	}
}

const (
	plainCommand    = "go test ./pkg/server"
	compoundCommand = "cd pkg && CGO_ENABLED=0 timeout 120 go test ./... 2>&1 | tail -20; git diff --stat"
)

// Distinct texts, so that no kept verdict answers.
func commands(text string) []gate.Call {
	list := make([]gate.Call, 4096)
	for i := range list {
		list[i] = call("Bash", fmt.Sprintf(`{"command":"%s%d"}`, strings.ReplaceAll(text, `"`, `\"`), i))
	}
	return list
}

func benchCommands(b *testing.B, text string, rules int) {
	g, list := gate.New(rulesOf(b, rules), nil), commands(text)
	if v := g.Evaluate(list[0]); v.Decision != gate.Allowed {
		b.Fatal(v.Reason())
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		g.Evaluate(list[i%len(list)])
		i++
	}
}

func BenchmarkPlain(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchCommands(b, plainCommand, n) })
	}
}

func BenchmarkCompound(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchCommands(b, compoundCommand, n) })
	}
}

func BenchmarkCached(b *testing.B) {
	g, c := gate.New(rulesOf(b, 100), nil), call("Bash", `{"command":"go test ./pkg/server"}`)
	b.ReportAllocs()
	for b.Loop() {
		g.Evaluate(c)
	}
}

func BenchmarkPath(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g, c := gate.New(rulesOf(b, n), nil), call("Read", `{"file_path":"/work/repo/pkg/server/main.go"}`)
			if v := g.Evaluate(c); v.Decision != gate.Allowed {
				b.Fatal(v.Reason())
			}
			b.ReportAllocs()
			for b.Loop() {
				g.Evaluate(c)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range benchSizes {
		p := rulesOf(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g := gate.New(p, nil)
				g.Evaluate(call("Bash", `{"command":"ls"}`))
				g.Evaluate(call("Read", `{"path":"a"}`))
			}
		})
	}
}

// BenchmarkShellParser is the yardstick: what the parser alone needs.
func BenchmarkShellParser(b *testing.B) {
	for name, text := range map[string]string{"plain": plainCommand, "compound": compoundCommand} {
		b.Run(name, func(b *testing.B) {
			p := syntax.NewParser(syntax.Variant(syntax.LangBash))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Parse(strings.NewReader(text), ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A verdict on a plain command allocates nothing, and what any verdict
// allocates does not grow with the rules.
func TestAllocations(t *testing.T) {
	calls := map[string]gate.Call{
		"bare":     call("sh", `{"command":"ls"}`),
		"plain":    call("Bash", `{"command":"go test ./pkg/server"}`),
		"compound": call("Bash", `{"command":"cd pkg && go test ./... 2>&1 | tail -20"}`),
		"path":     call("Read", `{"file_path":"/work/repo/pkg/server/main.go"}`),
	}
	few, many := gate.New(rulesOf(t, 100), nil), gate.New(rulesOf(t, 10000), nil)
	for name, c := range calls {
		at := func(g *gate.Gate) float64 { return testing.AllocsPerRun(200, func() { g.Evaluate(c) }) }
		a, b := at(few), at(many)
		if b > a+1 || (name == "bare" || name == "plain") && b > 0 {
			t.Errorf("%s: %v allocations with 100 rules, %v with 10,000", name, a, b)
		}
	}
}
