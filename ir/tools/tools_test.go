package tools_test

import (
	"slices"
	"strings"
	"testing"

	"iterion/ir/tools"
)

// A spelling names one tool only.
func TestSpellingsAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range tools.All() {
		if tool.Key != strings.ToLower(tool.Key) {
			t.Errorf("the key %q is not lower case", tool.Key)
		}
		for _, s := range append([]string{tool.Key}, tool.Spellings...) {
			if other, taken := seen[strings.ToLower(s)]; taken {
				t.Errorf("%q names both %s and %s", s, other, tool.Key)
			}
			seen[strings.ToLower(s)] = tool.Key
			for _, spelled := range []string{s, strings.ToUpper(s), strings.ToLower(s)} {
				if got := tools.Lookup(spelled); got == nil || got.Key != tool.Key {
					t.Errorf("Lookup(%q) = %v, want %s", spelled, got, tool.Key)
				}
			}
		}
		if tool.Claw != "" && tools.Lookup(tool.Claw).Key != tool.Key {
			t.Errorf("the loop's name %q is no spelling of %s", tool.Claw, tool.Key)
		}
	}
}

// Tools that resemble each other are not one tool.
func TestResemblingTools(t *testing.T) {
	for _, pair := range [][2]string{{"workspace_grep", "grep"}, {"diagnostic_shell", "bash"}, {"repl", "bash"}, {"read", "glob"}, {"edit", "write"}} {
		if tools.Lookup(pair[0]) == tools.Lookup(pair[1]) {
			t.Errorf("%s and %s are one row", pair[0], pair[1])
		}
	}
}

func TestShellClass(t *testing.T) {
	var got []string
	for _, tool := range tools.All() {
		if tool.InClass(tools.Shell) {
			got = append(got, tool.Key)
		}
		if tool.InClass("network") {
			t.Errorf("%s is in a class that does not exist", tool.Key)
		}
	}
	want := []string{"bash", "diagnostic_shell", "repl", "monitor", "powershell", "codemode", "workflow"}
	if !slices.Equal(got, want) {
		t.Errorf("the shell class is %v, want %v", got, want)
	}
}

func TestSplitMCP(t *testing.T) {
	for name, want := range map[string]tools.MCP{
		"mcp__github__get_me": {"github", "get_me"}, "mcp.github.get_me": {"github", "get_me"},
		"mcp__s__a__b": {"s", "a__b"}, "mcp.s.a.b": {"s", "a.b"}, "MCP__s__t": {"s", "t"},
		"mcp__github": {"github", ""}, "mcp.github": {"github", ""}, "mcp__*": {"*", ""},
	} {
		if got, ok := tools.SplitMCP(name); !ok || got != want {
			t.Errorf("SplitMCP(%q) = %v, %v; want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"mcp_slack_post", "mcp", "mcp__", "Bash", "xmcp__a__b", ""} {
		if got, ok := tools.SplitMCP(name); ok {
			t.Errorf("SplitMCP(%q) = %v", name, got)
		}
	}
}

// The list of a tool that is gone, and of a legacy name, never lead nowhere.
func TestReplacements(t *testing.T) {
	for _, old := range []string{"patch", "git_diff", "tree", "Search_Codebase"} {
		now, ok := tools.Replacement(old)
		if !ok || tools.Lookup(now) == nil || tools.Lookup(old) != nil {
			t.Errorf("%s is replaced by %q", old, now)
		}
	}
	if len(tools.ClawNames()) < 50 || tools.IsBoard("Bash") || !tools.IsBoard("create_issue") {
		t.Error("the catalogue lacks names")
	}
	for _, n := range tools.ClaudeNatives() {
		if tools.Lookup(n.Name) == nil && n.Withheld == "" {
			t.Errorf("%s is granted by no spelling and not withheld", n.Name)
		}
	}
	mutating := tools.Lookup("computer_use").Mutates() && tools.Lookup("bash").Mutates() && tools.Lookup("agent").Mutates()
	if !mutating || tools.Lookup("grep").Mutates() || tools.Lookup("web_fetch").Mutates() {
		t.Error("what changes the workspace is not told from what does not")
	}
}
