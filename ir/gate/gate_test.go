package gate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/ir/gate"
	"iterion/ir/tools"
)

func TestParseRule(t *testing.T) {
	for text, want := range map[string]gate.Rule{
		"Bash":                      {Subject: "bash"},
		"  run_command ":            {Subject: "bash"},
		"My_Tool":                   {Subject: "my_tool"},
		"Bash(echo (x))":            {Subject: "bash", Scoped: true, Pattern: "echo (x)"},
		"Bash (git push:*)":         {Subject: "bash", Scoped: true, Pattern: "git push:*"},
		"class:shell":               {Subject: "shell", Kind: gate.Class},
		"CLASS: shell":              {Subject: "shell", Kind: gate.Class},
		"class:SHELL(git push:*)":   {Subject: "shell", Kind: gate.Class, Scoped: true, Pattern: "git push:*"},
		"mcp__github__get_*":        {Subject: "mcp__github__get_*", Kind: gate.Glob},
		"mcp.github.create_issue":   {Subject: "mcp__github__create_issue"},
		"mcp__db__query(db=prod *)": {Subject: "mcp__db__query", Scoped: true, Pattern: "db=prod *"},
		"*":                         {Subject: "*", Kind: gate.Glob},
	} {
		got, err := gate.ParseRule(text)
		want.Text = text
		if err != nil || got != want {
			t.Errorf("ParseRule(%q) = %+v, %v", text, got, err)
		}
	}
}

func TestParseRuleRefuses(t *testing.T) {
	for text, want := range map[string]struct {
		column int
		words  string
	}{
		"":                 {1, "empty"},
		"   ":              {1, "empty"},
		"Bash(rm -rf:*":    {14, "never closed"},
		"é Bash(x":         {9, "never closed"},
		"Bash(rm -rf /)*":  {15, "behind the last"},
		"Bash)x(":          {8, "never closed"},
		"Bash)":            {5, "closes nothing"},
		"a)b(c)":           {2, "closes nothing"},
		"(x)":              {1, "no tool"},
		"Bash()":           {6, "pattern is empty"},
		"Bash(  )":         {6, "pattern is empty"},
		"Bash(:*)":         {6, "prefix of nothing"},
		"class:network":    {7, `no class is called "network"`},
		"class:":           {7, "no class"},
		"mcp__github":      {1, "none of its tools"},
		"mcp.github":       {1, "none of its tools"},
		"mcp__github(x=1)": {1, "none of its tools"},
	} {
		got, err := gate.ParseRule(text)
		var fault *gate.RuleError
		if !errors.As(err, &fault) {
			t.Errorf("ParseRule(%q) = %+v, want an error", text, got)
			continue
		}
		if fault.Column(text) != want.column || !strings.Contains(fault.Message, want.words) {
			t.Errorf("ParseRule(%q): %d %s, want %d … %s …", text, fault.Column(text), fault.Message, want.column, want.words)
		}
	}
}

// No entry makes the reader fail in any other way, and what it reads keeps its
// text.
func TestParseRuleAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ a-zB(:*)_.]{0,12}`)).Draw(t, "entry")
		rule, err := gate.ParseRule(text)
		var fault *gate.RuleError
		switch {
		case err == nil && (rule.Text != text || rule.Subject == "" || rule.Scoped && strings.TrimSpace(rule.Pattern) == ""):
			t.Fatalf("%q is read as %+v", text, rule)
		case err != nil && (!errors.As(err, &fault) || fault.At < 0 || fault.At > len(text)):
			t.Fatalf("%q: %v", text, err)
		}
	})
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		rule          string
		covers, opens string // keys of the shell's tools
	}{
		{"Bash", "bash", "bash"}, {"sh", "bash", "bash"}, {"repl", "repl", "repl"},
		{"class:shell", "bash diagnostic_shell repl", "bash diagnostic_shell repl"},
		{"run_*", "bash", ""}, {"*shell", "bash diagnostic_shell", "diagnostic_shell"},
		{"*", "bash diagnostic_shell repl", "bash diagnostic_shell repl"}, {"Read", "", ""}, {"B*S*H", "bash", "bash"},
		{"mcp__*", "", ""},
	} {
		rule, err := gate.ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		var covers, opens []string
		for _, key := range []string{"bash", "diagnostic_shell", "repl"} {
			if rule.Covers(tools.Lookup(key)) {
				covers = append(covers, key)
			}
			if rule.Opens(tools.Lookup(key)) {
				opens = append(opens, key)
			}
		}
		if got := strings.Join(covers, " "); got != c.covers {
			t.Errorf("%s covers %q, want %q", c.rule, got, c.covers)
		}
		if got := strings.Join(opens, " "); got != c.opens {
			t.Errorf("%s opens %q, want %q", c.rule, got, c.opens)
		}
	}
}

// Every level in every combination: the strongest mode that is written wins.
func TestResolveMode(t *testing.T) {
	words := []string{"", " ", "off", "ASK", " deny ", "never"}
	for _, flag := range words {
		for _, node := range words {
			for _, workflow := range words {
				for _, env := range words {
					checkMode(t, []string{flag, node, workflow, env})
				}
			}
		}
	}
}

func checkMode(t *testing.T, words []string) {
	t.Helper()
	p, err := gate.Resolve(gate.Levels{Flag: gate.Level{Mode: words[0]}, Node: gate.Level{Mode: words[1]},
		Workflow: gate.Level{Mode: words[2]}, Environment: words[3]})
	origins := []gate.Origin{gate.FromFlag, gate.FromNode, gate.FromWorkflow, gate.FromEnvironment}
	i := slices.IndexFunc(words, func(w string) bool { return strings.TrimSpace(w) != "" })
	var bad *gate.ModeError
	switch {
	case i < 0:
		if err != nil || p.Mode != gate.Off || p.ModeFrom != gate.FromDefault {
			t.Errorf("%q: %v from %v, %v", words, p.Mode, p.ModeFrom, err)
		}
	case words[i] == "never":
		if !errors.As(err, &bad) || bad.From != origins[i] {
			t.Errorf("%q: %v, want an error of the %v", words, err, origins[i])
		}
	case err != nil || p.Mode.String() != strings.ToLower(strings.TrimSpace(words[i])) || p.ModeFrom != origins[i]:
		t.Errorf("%q: %v from %v, %v", words, p.Mode, p.ModeFrom, err)
	}
}

// A node's list replaces, each kind by itself; the flags' rows are added.
func TestResolveLists(t *testing.T) {
	rules := func(texts ...string) []gate.Rule {
		var list []gate.Rule
		for _, text := range texts {
			rule, err := gate.ParseRule(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rule)
		}
		return list
	}
	l := gate.Levels{}
	l.Workflow.Lists[gate.DenyList] = rules("Read(.env*)")
	l.Workflow.Lists[gate.AllowList] = rules("Read(**)", "Bash(git diff:*)")
	l.Node.Lists[gate.DenyList] = rules("Bash")
	l.Flag.Lists[gate.DenyList] = rules("WebFetch")
	l.Flag.Lists[gate.AskList] = rules("Edit")
	p, err := gate.Resolve(l)
	if err != nil {
		t.Fatal(err)
	}
	want := map[gate.Kind]string{
		gate.DenyList: "Bash/node/0 WebFetch/flag/0", gate.AskList: "Edit/flag/0",
		gate.AllowList: "Read(**)/workflow/0 Bash(git diff:*)/workflow/1",
	}
	for k, text := range want {
		var got []string
		for _, row := range p.Rows[k] {
			got = append(got, row.Text+"/"+row.From.String()+"/"+string(rune('0'+row.Index)))
		}
		if strings.Join(got, " ") != text {
			t.Errorf("%v: %v, want %s", k, got, text)
		}
	}
}

func TestCanAsk(t *testing.T) {
	ask := gate.Level{Lists: gate.Lists{gate.AskList: {{Subject: "bash"}}}}
	for _, c := range []struct {
		mode  string
		level gate.Level
		want  bool
	}{{"off", ask, false}, {"deny", gate.Level{}, false}, {"deny", ask, true}, {"ask", gate.Level{}, true}} {
		c.level.Mode = c.mode
		if p, err := gate.Resolve(gate.Levels{Node: c.level}); err != nil || p.CanAsk() != c.want {
			t.Errorf("%s: %v, %v", c.mode, p.CanAsk(), err)
		}
	}
}
