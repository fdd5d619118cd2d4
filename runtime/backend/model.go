package backend

import "context"

// LanguageModel gives the turns of a conversation: a provider's model, or a
// script in its place. It is safe for concurrent use.
type LanguageModel interface {
	// Turn answers a request. A failure that can be classified is an *Error.
	Turn(ctx context.Context, r Request) (Turn, error)
	// Priced tells whether the cost of the turns of a node, by a model, will be
	// known.
	Priced(node, model string) bool
	// Window is the size of a model's context in tokens, 0 when unknown.
	Window(model string) int64
}

// Request asks for the next turn of a conversation.
type Request struct {
	RunID     string
	NodeID    string
	BranchID  string
	Visit     int64
	Number    int64  // which turn of the visit, from 1, failed ones included; of a subagent, of its own
	Agent     string // a subagent's number in the visit, "" for the node itself
	Model     string
	Provider  string
	System    string
	Messages  []Message
	Tools     []ToolSpec
	Schema    map[string]any // the output's JSON Schema, nil for free text; the structured_output tool is among Tools
	MaxTokens int64
	Effort    string
}

// ToolSpec is a tool as a model sees it.
type ToolSpec struct {
	Name        string
	Description string
	Schema      map[string]any // JSON Schema of the input
}
