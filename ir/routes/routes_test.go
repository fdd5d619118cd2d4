package routes_test

import (
	"slices"
	"testing"

	"iterion/grammar/schema"
	"iterion/ir/routes"
)

// TestNames holds the table against the words that the grammar documents.
func TestNames(t *testing.T) {
	want := schema.Words(schema.Lookup("agent").Prop("backend").Values)
	if got := routes.Names(); !slices.Equal(got, want) {
		t.Errorf("Names() = %v, the property table has %v", got, want)
	}
}

func TestLookup(t *testing.T) {
	for _, name := range routes.Names() {
		if b, ok := routes.Lookup(name); !ok || b.Name != name {
			t.Errorf("Lookup(%q) = %v, %v", name, b.Name, ok)
		}
	}
	for _, name := range []string{"", routes.Auto, "Claw"} {
		if _, ok := routes.Lookup(name); ok {
			t.Errorf("Lookup(%q) found a backend", name)
		}
	}
}

// having lists the backends for which a fact holds.
func having(fact func(routes.Backend) bool) []string {
	var names []string
	for _, name := range routes.Names() {
		if b, _ := routes.Lookup(name); fact(b) {
			names = append(names, name)
		}
	}
	return names
}

func TestFacts(t *testing.T) {
	for _, tc := range []struct {
		name string
		fact func(routes.Backend) bool
		want []string
	}{
		{"memory", func(b routes.Backend) bool { return b.Memory }, []string{"claw"}},
		{"provider chain", func(b routes.Backend) bool { return b.ProviderChain }, []string{"claude_code"}},
		{"auto memory", func(b routes.Backend) bool { return b.AutoMemory }, []string{"claw", "claude_code", "pi"}},
		{"ambient context", func(b routes.Backend) bool { return b.AmbientContext }, []string{"claw", "claude_code", "codex", "pi"}},
		{"command", func(b routes.Backend) bool { return b.Command }, []string{"claude_code"}},
		{"effort", func(b routes.Backend) bool { return b.Effort }, []string{"claw", "claude_code", "codex", "pi", "grok"}},
		{"async", func(b routes.Backend) bool { return b.Async }, []string{"claw", "claude_code", "pi"}},
		{"pauses", func(b routes.Backend) bool { return b.PausesSync }, []string{"claw", "claude_code", "pi"}},
		{"receives tools", func(b routes.Backend) bool { return b.ReceivesTools }, []string{"claw", "claude_code", "codex"}},
		{"names resolved", func(b routes.Backend) bool { return b.NamesResolved }, []string{"claw"}},
		{"gateway model", func(b routes.Backend) bool { return b.GatewayModel }, []string{"claw"}},
		{"ask", func(b routes.Backend) bool { return b.Enforces("ask") }, []string{"claw", "claude_code", "pi"}},
		{"deny", func(b routes.Backend) bool { return b.Enforces("deny") }, []string{"claw", "claude_code", "pi", "kimi", "grok"}},
		{"host for ask", func(b routes.Backend) bool { return b.HookNeedsHost == routes.HostForAsk }, []string{"claw"}},
		{"host always", func(b routes.Backend) bool { return b.HookNeedsHost == routes.HostAlways }, []string{"kimi", "grok"}},
	} {
		if got := having(tc.fact); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestHasUltracode(t *testing.T) {
	for model, want := range map[string]bool{
		"claude-opus-4-8":                    true,
		"anthropic/claude-opus-4.8":          true,
		"us.anthropic.claude-opus-4-8-v1:0":  true,
		"claude-opus-5":                      true,
		"anthropic/claude-sonnet-5-20260901": true,
		"Claude-5-Haiku":                     true,
		"claude-sonnet-4-5":                  false,
		"claude-haiku-4-5-20251001":          false,
		"claude-3-5-sonnet":                  false,
		"claude-opus-4-80":                   false,
		"claude-sonnet-50":                   false,
		"gpt-5":                              false,
	} {
		if got := routes.HasUltracode(model); got != want {
			t.Errorf("HasUltracode(%q) = %v", model, got)
		}
	}
}
