// Package routes knows the backends and providers that a call to a model can
// take: what each of them offers and enforces. Checks and the runtime read it;
// no other place tells backends apart by name.
package routes

import "slices"

// Names that facts are tied to.
const (
	Claw       = "claw"
	ClaudeCode = "claude_code"
	Codex      = "codex"
	Pi         = "pi"
	Kimi       = "kimi"
	Grok       = "grok"
	OpenCode   = "opencode"
)

// Auto is the backend's name that leaves the choice to what is set further out.
const Auto = "auto"

// Host says when a backend's gate works only outside of a sandbox.
type Host uint8

const (
	Anywhere   Host = iota // the gate needs no host
	HostForAsk             // questions need one while a sandbox is on
	HostAlways             // every gated call needs one
)

// Backend is what one backend offers.
type Backend struct {
	Name           string
	Memory         bool     // has the `memory:` block's store
	ProviderChain  bool     // goes on to the next of several providers
	AutoMemory     bool     // keeps notes of its own
	AmbientContext bool     // can leave out instructions from outside
	Command        bool     // runs another binary on request
	Effort         bool     // has a dial of reasoning effort
	Async          bool     // queues questions without waiting
	PausesSync     bool     // pauses for a question in the middle of a step
	ReceivesTools  bool     // is told the `tools:` list
	NamesResolved  bool     // looks bare tool names up in our own catalogue
	GatewayModel   bool     // reaches models of an OpenAI-compatible gateway
	OwnTools       bool     // has tools of its own for a node without a `tools:` line
	ListHolds      bool     // a node holds no other tool than those of its list
	GateModes      []string // permission modes it enforces
	HookNeedsHost  Host
	Gate           string // how the gate reaches it, or why it does not
}

// Enforces tells whether the backend enforces a permission mode.
func (b Backend) Enforces(mode string) bool { return slices.Contains(b.GateModes, mode) }

// Lookup returns a backend by name.
func Lookup(name string) (Backend, bool) {
	for i := range backends {
		if backends[i].Name == name {
			return backends[i], true
		}
	}
	return Backend{}, false
}

// Names lists the backends.
func Names() []string {
	names := make([]string, len(backends))
	for i := range backends {
		names[i] = backends[i].Name
	}
	return names
}

var backends = [...]Backend{
	{Name: Claw, Memory: true, AutoMemory: true, AmbientContext: true, Effort: true, Async: true, PausesSync: true,
		ReceivesTools: true, NamesResolved: true, GatewayModel: true, ListHolds: true,
		GateModes: []string{"ask", "deny"}, HookNeedsHost: HostForAsk, Gate: "before each call, in this process"},
	{Name: ClaudeCode, ProviderChain: true, AutoMemory: true, AmbientContext: true, Command: true, Effort: true,
		Async: true, PausesSync: true, ReceivesTools: true, OwnTools: true, GateModes: []string{"ask", "deny"},
		Gate: "a hook before each call, over the control channel"},
	{Name: Codex, AmbientContext: true, Effort: true, ReceivesTools: true, OwnTools: true, ListHolds: true,
		Gate: "no denial has been proven on it"},
	{Name: Pi, AutoMemory: true, AmbientContext: true, Effort: true, Async: true, PausesSync: true, OwnTools: true,
		GateModes: []string{"ask", "deny"}, Gate: "an extension asks before each call, in RPC mode only"},
	{Name: Kimi, OwnTools: true, GateModes: []string{"deny"}, HookNeedsHost: HostAlways, Gate: "a hook program in a home of its own"},
	{Name: Grok, OwnTools: true, Effort: true, GateModes: []string{"deny"}, HookNeedsHost: HostAlways, Gate: "a hook program in a home of its own"},
	{Name: OpenCode, OwnTools: true, Gate: "no denial has been proven on it"},
}
