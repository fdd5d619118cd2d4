package backend

import (
	"time"

	"iterion/ir/gate"

	"iterion/runtime/redact"
)

// Task is one execution of a node by a model, fully rendered.
type Task struct {
	RunID      string
	NodeID     string
	BranchID   string // "" on the trunk
	Visit      int64  // which execution of the node in its branch, from 1
	Attempt    int    // from 1; grows with retries and repairs of one visit
	Turns      int64  // turns of a model that this visit has used already
	Model      string // "" for the backend's own
	Provider   string
	Command    string // other binary of a CLI backend
	System     string
	User       string
	Images     []string // data URLs that go with User
	Tools      Tools
	MaxSteps   int64 // tool rounds; 0 for the backend's own
	MaxTokens  int64 // output tokens of a call; 0 for the backend's own
	Effort     string
	ReadOnly   bool           // nothing of the workspace may change: tools that write are withheld
	Schema     map[string]any // JSON Schema of the output; nil for free text
	Session    Session
	Repair     string      // why the answer before, in this conversation, was refused
	Policy     gate.Policy // armed; judges every tool call
	Asks       Asks
	Compaction Compaction
	Dir        string // working directory
	Files      string // folder for what is too long to be shown
	Env        []string
	Budget     Budget
	// Redact takes secrets out of texts; nil for none. What a tool gives passes
	// through it before a model or an event has it.
	Redact *redact.Redactor
}

// Tools are the tools a node lists. Absent and empty differ.
type Tools struct {
	Declared bool
	Names    []string
}

// Session is the conversation a task goes on with.
type Session struct {
	Mode        string // fresh, inherit, inherit_if_available, fork, artifacts_only, persist
	ID          string // of the conversation; of a new one, the engine's name for it
	New         bool   // the conversation begins with this task
	From        string // the conversation that a new one is a copy of, "" for none
	Fingerprint string
	// Resumed: the task itself was begun before in this conversation, and stopped
	// for a person, by a failure or with the process. Its prompt is not given
	// again.
	Resumed bool
	// Transcript is what was said in the conversation, empty where the backend
	// keeps that itself.
	Transcript []Message
	// Started are the calls that began and whose end was not recorded: their
	// effect is unknown.
	Started []string
	// Answers are what people said to what the task asked, by call.
	Answers map[string]Answer
}

// Asks says how the questions of a model itself are taken.
type Asks string

// The ways of asking.
const (
	AskNobody Asks = ""      // the model cannot ask
	AskPerson Asks = "wait"  // ask_user waits for the answer
	AskAsync  Asks = "async" // ask_user_async goes on, await_answers collects
)

// Compaction says when and how far a conversation is shortened; zero values are
// the backend's own.
type Compaction struct {
	Threshold      float64 // share of the model's window
	PreserveRecent int64   // messages kept as they are
}

// Budget is what the run may still spend. A field is nil where there is no cap.
type Budget struct {
	Tokens   *int64
	CostUSD  *float64
	Duration *time.Duration
}
