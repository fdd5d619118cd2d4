package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"iterion/grammar/schema"
	"iterion/ir/build"
)

const tooLarge = "99999999999999999999"

// Every property that takes a number refuses what is none, at the literal: it
// never means "no limit".
func TestEveryNumber(t *testing.T) {
	count := 0
	for _, b := range bodies(t) {
		for _, p := range b.kind.Props {
			if p.Form != schema.Int && p.Form != schema.Num {
				continue
			}
			count++
			refused := map[string]string{
				"-1": "E002", "-0.5": "E002", "+1": "E002", "1e999": "E002", "1e9": "E002", "1_000": "E002", "0x10": "E002",
				".5": "E002", "5.": "E002", "3%": "E002", `"5"`: "E002", `"-1"`: "E002", "five": "E002", "inf": "E002", "NaN": "E002",
				"true": "E002", "[1]": "E002", tooLarge: "E020", "9223372036854775808": "E020",
			}
			if p.Form == schema.Int {
				refused["1.5"] = "E002"
			}
			for value, code := range refused {
				text, at := b.with(p.Name + ": " + value)
				first := 2*b.level + len(p.Name) + 3
				got := findings(text)
				ok := len(got) == 1
				if ok { // the literal, or the part of it that goes too far
					var line, column int
					var found string
					if _, err := fmt.Sscanf(got[0], "%d:%d %s", &line, &column, &found); err != nil {
						t.Fatal(err)
					}
					ok = found == code && line == at[0] && column >= first && column < first+len(value)
				}
				if !ok {
					t.Errorf("%s: %s: %s: found %q, want %s at %d:%d", b.path, p.Name, value, got, code, at[0], first)
				}
			}
		}
	}
	if count < 18 {
		t.Errorf("only %d numbers", count)
	}
}

// What numbers and texts that stand for numbers mean at their bounds.
func TestBounds(t *testing.T) {
	budget := func(line string) string {
		return plainTool + "\nworkflow w:\n  entry: t\n\n  budget:\n    " + line + "\n\n  t -> done\n"
	}
	agent := func(lines string) string { return modelHead + lines + plainFlow }
	loop := func(clause string) string {
		return plainTool + "\nworkflow w:\n  entry: t\n\n  t -> done\n  t -> t as " + clause + "\n"
	}
	value := func(v string) string {
		return plainTool + "\ntool u:\n  command: \"x\"\n\nworkflow w:\n  entry: t\n\n  t -> u with { a: " + v + " }\n  u -> done\n"
	}
	huge := "1" + strings.Repeat("0", 400)
	tests := []struct{ name, text, want string }{
		// Nothing spent is nothing limited.
		{"no cost", budget("max_cost_usd: 0"), ""},
		{"no cost, as a float", budget("max_cost_usd: 0.0"), ""},
		{"no tokens", budget("max_tokens: 0"), ""},
		{"no branches", budget("max_parallel_branches: 0"), ""},
		{"no iterations", budget("max_iterations: 0"), ""},
		{"no early word", budget("warn_tokens: 0"), ""},
		{"the most tokens", budget("max_tokens: 9223372036854775807"), ""},
		{"a cost below 0", budget("max_cost_usd: -1"), "8:19 E002"},
		{"a cost without end", budget("max_cost_usd: " + huge + ".0"), "8:19 C046"},
		{"a cost with an exponent", budget("max_cost_usd: 1e999"), "8:20 E002"},
		{"a cost beyond 64 bits", budget("max_cost_usd: " + huge), "8:19 E020"},
		{"tokens beyond 64 bits", budget("max_tokens: " + tooLarge), "8:17 E020"},
		{"branches below 0", budget("max_parallel_branches: -1"), "8:28 E002"},

		{"a duration", budget("max_duration: \"1h30m\""), ""},
		{"a duration of the environment", budget("max_duration: \"${MAX:-2h}\""), ""},
		{"a duration without quotes", budget("max_duration: 5m"), "8:19 E002"},
		{"a duration that is a number", budget("max_duration: 5"), "8:19 E002"},

		{"no bound on tool rounds", agent("  tool_max_steps: 0\n"), ""},
		{"rounds below 0", agent("  tool_max_steps: -1\n"), "3:19 E002"},
		{"no share", agent("  compaction:\n    threshold: 0\n"), "4:16 C043"},
		{"the whole", agent("  compaction:\n    threshold: 1\n"), ""},
		{"more than the whole", agent("  compaction:\n    threshold: 1.01\n"), "4:16 C043"},
		{"nothing kept", agent("  compaction:\n    preserve_recent: 0\n"), "4:22 C043"},
		{"one message kept", agent("  compaction:\n    preserve_recent: 1\n"), ""},

		{"a loop of 0", loop("r(0)"), "8:15 C026"},
		{"a loop of 1", loop("r(1)"), ""},
		{"a loop below 0", loop("r(-1)"), "8:15 E002"},
		{"a loop and a half", loop("r(1.5)"), "8:15 E002"},
		{"a loop beyond 64 bits", loop("r(" + tooLarge + ")"), "8:15 E020"},
		{"a quoted loop of 0", loop(`r("0")`), "8:15 C026"},
		{"a quoted loop below 0", loop(`r("-1")`), "8:15 C026"},
		{"a loop computed to 0", loop(`r("2 - 2")`), "8:15 C026"},
		{"a loop computed to 3", loop(`r("2 + 1")`), ""},
		{"a loop divided by 0", loop(`r("1 / 0")`), "8:15 C026"},
		{"a quoted loop and a half", loop(`r("2.5")`), "8:15 C026"},
		{"a loop of a word", loop(`r("x")`), "8:15 C026"},
		{"a loop of a text", loop(`r("'3'")`), "8:15 C026"},
		{"a loop of nothing", loop(`r("")`), "8:16 C040"},
		{"fuel for nothing", loop("r(unbounded 0)"), "8:25 C026"},
		{"fuel below 0", loop("r(unbounded -1)"), "8:25 E002"},
		{"no fuel", loop("r(unbounded)"), "8:10 C097"},
		{"a loop of a variable", "vars:\n  n: int = 0\n\n" + loop(`r("vars.n - 1")`), ""},

		{"a var below 0", "vars:\n  a: int = -1\n\n" + plainTool + plainFlow, "2:12 E002"},
		{"a var beyond 64 bits", "vars:\n  a: int = " + tooLarge + "\n\n" + plainTool + plainFlow, "2:12 E020"},
		{"a preset beyond 64 bits", "vars:\n  a: int\n\npresets:\n  p:\n    a: " + tooLarge + "\n\n" + plainTool + plainFlow, "6:8 E020"},
		{"a mapped value", value("0"), ""},
		{"a mapped value beyond 64 bits", value(tooLarge), "10:20 E020"},
		{"a resource below 0", plainTool + "\nworkflow w:\n  entry: t\n\n  resources:\n    r: -1\n\n  t -> done\n", "8:8 E002"},
		{"a resource beyond 64 bits", plainTool + "\nworkflow w:\n  entry: t\n\n  resources:\n    r: " + tooLarge + "\n\n  t -> done\n", "8:8 E020"},
		{"a retry below 0", "tool t:\n  action: a.b.c\n  connection: forge\n  retry: -1\n" + plainFlow, "4:10 E002"},
		{"a cursor outside its range", "cursor c:\n  bands:\n    \"0..1\": \"x\"\n\n" + agent("  cursors:\n    c: 1.5\n"), "8:8 C084"},
		{"a number in an expression", "schema s:\n  n: int\n\ncompute t:\n  output: s\n  expr:\n    n: \"" + tooLarge + "\"\n" + plainFlow, "7:9 C040"},
		{"a float in an expression", "schema s:\n  n: float\n\ncompute t:\n  output: s\n  expr:\n    n: \"" + huge + ".0\"\n" + plainFlow, "7:9 C040"},
		{"a profile", "dsl: " + tooLarge + "\n\n" + plainTool + plainFlow, "1:6 E040"},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
}

// A duration of a budget that cannot be read is no limit at run time; here it
// keeps its text.
func TestUnreadableDuration(t *testing.T) {
	for _, value := range []string{"-5m", "5", "soon", "5 m", ""} {
		r := build.Text("a.bot", plainTool+"\nworkflow w:\n  entry: t\n\n  budget:\n    max_duration: \""+value+"\"\n\n  t -> done\n")
		if value != "-5m" && !r.Valid() {
			t.Errorf("%q: %s", value, lines(r.Diagnostics))
		}
		if got := r.Program().Workflow.Budget.MaxDuration.V.Value(); got != value {
			t.Errorf("%q is %q", value, got)
		}
	}
}

// The names of tools survive as they are written, whatever is said of them.
func TestToolNamesSurvive(t *testing.T) {
	for _, names := range [][]string{{"read_file", "list_files"}, {"firecrawl_search"}, {"read_fil"}, {"run_command", "shell", "Read", "edit_file"}} {
		for _, wiring := range []string{"", "  mcp:\n    servers: [m]\n"} {
			text := "mcp_server m:\n  transport: stdio\n  command: \"x\"\n\n" + modelHead + "  tools: [" + strings.Join(names, ", ") + "]\n" + wiring + plainFlow
			r := build.Text("a.bot", text)
			for _, d := range r.Diagnostics {
				if d.Code != "C135" || slices.Contains(names, "shell") {
					t.Errorf("%v: %s", names, lines(r.Diagnostics))
				}
			}
			if got, want := toolsOf(t, r), fmt.Sprintf("%q", names); got != want {
				t.Errorf("tools %s, want %s", got, want)
			}
		}
	}
}
