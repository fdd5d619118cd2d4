package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/corpus"
	"iterion/ir/gate"
	"iterion/ir/tools"
)

// material is what the vectors are made of: rules and calls, to be combined.
type material struct {
	rules []string
	calls []gate.Call
}

func materialOf(t testing.TB) material {
	t.Helper()
	var m material
	seen := map[string]bool{}
	for _, v := range corpus.GateVectors() {
		line, err := v.At("/work/repo", "/elsewhere")
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]string{line.Policy.Allow, line.Policy.Ask, line.Policy.Deny} {
			for _, text := range list {
				if !seen[text] {
					seen[text] = true
					m.rules = append(m.rules, text)
				}
			}
		}
		m.calls = append(m.calls, gate.Call{Tool: line.Call.Tool, Input: string(line.Call.Input)})
	}
	return m
}

// drawn is a policy and a call for it.
type drawn struct {
	policy gate.Policy
	call   gate.Call
}

func (m material) draw(t *rapid.T) drawn {
	var level gate.Level
	level.Mode = rapid.SampledFrom([]string{"ask", "deny"}).Draw(t, "mode")
	for _, k := range gate.Kinds() {
		for _, text := range rapid.SliceOfN(rapid.SampledFrom(m.rules), 0, 4).Draw(t, k.String()) {
			level.Lists[k] = append(level.Lists[k], parsed(t, text))
		}
	}
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		t.Fatal(err)
	}
	d := drawn{policy: p.Arm("/work/repo", "/home/me"), call: rapid.SampledFrom(m.calls).Draw(t, "call")}
	if rapid.Bool().Draw(t, "granted") {
		from := rapid.SampledFrom(m.calls).Draw(t, "grant")
		scope := rapid.SampledFrom([]gate.Scope{gate.ForArgument, gate.ForSimilar, gate.ForTool}).Draw(t, "scope")
		d.policy.Grants = []gate.Grant{{Tool: from.Tool, Input: from.Input, Scope: scope}}
	}
	return d
}

func parsed(t *rapid.T, text string) gate.Rule {
	rule, err := gate.ParseRule(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return rule
}

func (d drawn) verdict() gate.Verdict { return gate.New(d.policy, nil).Evaluate(d.call) }

// with returns the policy with one more row in a list.
func (d drawn) with(k gate.Kind, rule gate.Rule) drawn {
	rows := d.policy.Rows[k]
	d.policy.Rows[k] = append(rows[:len(rows):len(rows)], gate.Row{Rule: rule, From: gate.FromFlag, Index: len(rows)})
	return d
}

func TestProperties(t *testing.T) {
	m := materialOf(t)
	rapid.Check(t, func(t *rapid.T) {
		d := m.draw(t)
		v := d.verdict()
		rule := parsed(t, rapid.SampledFrom(m.rules).Draw(t, "rule"))
		if closed := d.with(gate.DenyList, rule).verdict(); closed.Decision > v.Decision {
			t.Fatalf("a deny turns %v (%v) into %v (%v)", v.Decision, v.Reason(), closed.Decision, closed.Reason())
		}
		if asked := d.with(gate.AskList, rule).verdict(); asked.Decision == gate.Allowed && v.Decision != gate.Allowed {
			t.Fatalf("an ask turns %v into %v (%v)", v.Decision, asked.Decision, asked.Reason())
		}
		if opened := d.with(gate.AllowList, rule).verdict(); opened.Decision < v.Decision {
			t.Fatalf("an allow turns %v (%v) into %v (%v)", v.Decision, v.Reason(), opened.Decision, opened.Reason())
		}
		off := d
		off.policy.Mode = gate.Off
		if got := off.verdict(); got.Decision != gate.Allowed {
			t.Fatalf("off gives %v", got.Decision)
		}
		travels(t, d, v)
		spelled(t, d, v)
	})
}

// travels wants a policy that was written and read to judge alike.
func travels(t *rapid.T, d drawn, v gate.Verdict) {
	text, err := d.policy.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if d.policy, err = gate.Decode(text); err != nil {
		t.Fatal(err)
	}
	if got := d.verdict(); got.Decision != v.Decision || got.Stage != v.Stage || got.Rule != v.Rule || got.From != v.From {
		t.Fatalf("read again it gives %v (%v, %q), before %v (%v, %q)", got.Decision, got.Stage, got.Rule, v.Decision, v.Stage, v.Rule)
	}
}

// spelled wants every spelling of a tool to be judged alike.
func spelled(t *rapid.T, d drawn, v gate.Verdict) {
	tool := tools.Lookup(d.call.Tool)
	if tool == nil {
		return
	}
	for _, name := range append(tool.Spellings, tool.Key, strings.ToUpper(tool.Key)) {
		d.call.Tool = name
		if got := d.verdict(); got.Decision != v.Decision {
			t.Fatalf("as %s the call is %v, else %v", name, got.Decision, v.Decision)
		}
	}
}

// An index of many rows finds what trying all of them finds.
func TestIndexAgrees(t *testing.T) {
	m := materialOf(t)
	rapid.Check(t, func(t *rapid.T) {
		d := m.draw(t)
		for _, k := range gate.Kinds() {
			for _, text := range rapid.SliceOfN(rapid.SampledFrom(m.rules), 17, 40).Draw(t, "more "+k.String()) {
				d = d.with(k, parsed(t, text))
			}
		}
		g := gate.New(d.policy, nil)
		v := g.Evaluate(d.call)
		if all, _ := g.Explain(d.call); all.Decision != v.Decision || all.Stage != v.Stage || all.Rule != v.Rule {
			t.Fatalf("%v (%v, %q) by the index, %v (%v, %q) by all", v.Decision, v.Stage, v.Rule, all.Decision, all.Stage, all.Rule)
		}
	})
}

// A path that leads into a denied tree is denied however it is spelled.
func TestDeniedTreeHolds(t *testing.T) {
	w, o := real(t, t.TempDir()), real(t, t.TempDir())
	must(t, os.MkdirAll(filepath.Join(w, "a", "b"), 0o755))
	must(t, os.MkdirAll(filepath.Join(o, "secret", "in"), 0o755))
	must(t, os.Symlink(filepath.Join(o, "secret"), filepath.Join(w, "a", "link")))
	must(t, os.Symlink("../a", filepath.Join(w, "a", "up")))
	rule, err := gate.ParseRule("Read(" + o + "/secret/**)")
	must(t, err)
	open, err := gate.ParseRule("*")
	must(t, err)
	var level gate.Level
	level.Mode = "ask"
	level.Lists[gate.DenyList], level.Lists[gate.AllowList] = []gate.Rule{rule}, []gate.Rule{open}
	p, err := gate.Resolve(gate.Levels{Node: level})
	must(t, err)
	g := gate.New(p.Arm(w, ""), diskFiles{})
	parts := rapid.SampledFrom([]string{"a", "b", "link", "up", "..", ".", "", "in", "gone", "secret"})
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(parts, 1, 7).Draw(t, "parts"), "/")
		if rapid.Bool().Draw(t, "absolute") {
			name = w + "/" + name
		}
		input, _ := json.Marshal(map[string]string{"path": name})
		v := g.Evaluate(gate.Call{Tool: "Read", Input: string(input)})
		if leadsInto(name, w, filepath.Join(o, "secret")) && v.Decision != gate.Denied {
			t.Fatalf("%q leads into the tree and is %v: %s", name, v.Decision, v.Reason())
		}
	})
}

// leadsInto asks the kernel where a path leads.
func leadsInto(name, cwd, tree string) bool {
	if !filepath.IsAbs(name) {
		name = cwd + "/" + name
	}
	for dir := name; ; {
		f, err := os.Open(dir)
		if err == nil {
			defer f.Close()
			target, err := os.Readlink("/proc/self/fd/" + itoa(f.Fd()))
			return err == nil && (target == tree || strings.HasPrefix(target, tree+"/")) && !strings.Contains(name[len(dir):], "..")
		}
		at := strings.LastIndexByte(dir, '/')
		if at <= 0 {
			return false
		}
		dir = dir[:at]
	}
}

func itoa(n uintptr) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// Whatever the call, it is answered, and as often as it is asked alike.
func FuzzEvaluate(f *testing.F) {
	m := materialOf(f)
	for i, c := range m.calls {
		f.Add(m.rules[i%len(m.rules)], m.rules[(i*7)%len(m.rules)], c.Tool, c.Input)
	}
	f.Fuzz(func(t *testing.T, closing, opening, tool, input string) {
		level := gate.Level{Mode: "deny"}
		for k, text := range map[gate.Kind]string{gate.DenyList: closing, gate.AllowList: opening} {
			rule, err := gate.ParseRule(text)
			if err != nil {
				return
			}
			level.Lists[k] = []gate.Rule{rule}
		}
		p, err := gate.Resolve(gate.Levels{Node: level})
		if err != nil {
			t.Fatal(err)
		}
		p = p.Arm("/work/repo", "/home/me")
		g, c := gate.New(p, nil), gate.Call{Tool: tool, Input: input}
		v := g.Evaluate(c)
		if again := g.Evaluate(c); again.Decision != v.Decision {
			t.Fatalf("%v, then %v", v.Decision, again.Decision)
		}
		if v.Reason() == "" {
			t.Fatal("no reason")
		}
		p.Rows[gate.AllowList] = nil
		if less := gate.New(p, nil).Evaluate(c); less.Decision > v.Decision {
			t.Fatalf("without an allow it is %v, with it %v", less.Decision, v.Decision)
		}
	})
}
