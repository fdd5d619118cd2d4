// Package outcome names what can come of a run: the failure codes, the
// statuses and the types of events. The runtime writes them, checks refuse them
// as codes of an author's own, the documentation lists them.
package outcome

// Code is a failure code as it stands in events and reports. Codes of authors
// (`fail NAME:`) are Codes too, outside the table.
type Code string

// The codes of the engine.
const (
	ExecutionFailed     Code = "EXECUTION_FAILED"
	Timeout             Code = "TIMEOUT"
	RateLimited         Code = "RATE_LIMITED"
	UsageLimitBlocked   Code = "USAGE_LIMIT_BLOCKED"
	NetworkTransient    Code = "NETWORK_TRANSIENT"
	ToolFailedTransient Code = "TOOL_FAILED_TRANSIENT"
	ToolFailedPermanent Code = "TOOL_FAILED_PERMANENT"
	BudgetExceeded      Code = "BUDGET_EXCEEDED"
	FailNode            Code = "FAIL_NODE"
	NoOutgoingEdge      Code = "NO_OUTGOING_EDGE"
	LoopExhausted       Code = "LOOP_EXHAUSTED"
	ExpressionFailed    Code = "EXPRESSION_FAILED"
	SchemaValidation    Code = "SCHEMA_VALIDATION"
	NodeNotFound        Code = "NODE_NOT_FOUND"
	AuthFailed          Code = "AUTH_FAILED"
	ContextLength       Code = "CONTEXT_LENGTH_EXCEEDED"
	WorkspaceSafety     Code = "WORKSPACE_SAFETY"
	AmbiguousEffect     Code = "AMBIGUOUS_EFFECT"
	Cancelled           Code = "CANCELLED"
	Interrupted         Code = "INTERRUPTED"
	ProcessOrphaned     Code = "PROCESS_ORPHANED"
	Unsupported         Code = "CAPABILITY_UNSUPPORTED"
	JoinFailed          Code = "JOIN_FAILED"
	ResumeInvalid       Code = "RESUME_INVALID"
	IRUnloadable        Code = "IR_UNLOADABLE"
	RequiresNewerEngine Code = "BOT_REQUIRES_NEWER_ENGINE"
	QueueSchemaMismatch Code = "QUEUE_SCHEMA_MISMATCH"
	DeadLetterParked    Code = "DLQ_PARKED"
	ScratchNotPortable  Code = "SCRATCH_NOT_PORTABLE"
	OutcomeUnknown      Code = "OUTCOME_UNKNOWN"
	GateLost            Code = "GATE_LOST"
	ScriptExhausted     Code = "SCRIPT_EXHAUSTED"
)

// Info is one row of the table.
type Info struct {
	Code      Code
	Retryable bool   // trying again, unchanged or with a raised cap, may succeed
	Own       bool   // ours; not among the public project's codes
	Doc       string // one sentence: when a run ends so
}

// codes is the table, in the order of the documentation.
var codes = []Info{
	{ExecutionFailed, true, false, "A step failed and no narrower code fits."},
	{Timeout, true, false, "A node, tool call or wait ran longer than its timeout."},
	{RateLimited, true, false, "The model provider asked for fewer requests."},
	{UsageLimitBlocked, true, false, "The account's usage window is spent."},
	{NetworkTransient, true, false, "The network or the provider failed for a moment."},
	{ToolFailedTransient, true, false, "A tool failed in a way that may pass."},
	{ToolFailedPermanent, false, false, "A tool failed, or its postcondition did not hold."},
	{BudgetExceeded, true, false, "A limit of the budget was reached; a raised limit lets the run go on."},
	{FailNode, false, false, "The run reached `fail`, or a fail node without a code."},
	{NoOutgoingEdge, false, false, "No edge of the node could be taken."},
	{LoopExhausted, false, false, "The node's loop was spent and no other edge was left."},
	{ExpressionFailed, false, false, "An expression, loop cap or collection could not be evaluated."},
	{SchemaValidation, false, false, "An output does not have the shape its schema declares."},
	{NodeNotFound, false, false, "The run stands on a node that the program does not have."},
	{AuthFailed, false, false, "The provider refused the credentials."},
	{ContextLength, false, false, "The conversation no longer fits the model's window."},
	{WorkspaceSafety, false, false, "Two parallel branches would write to one workspace."},
	{AmbiguousEffect, false, false, "An action may have happened and must not be repeated blindly."},
	{Cancelled, false, false, "The step was cancelled."},
	{Interrupted, false, false, "The process was stopped from outside."},
	{ProcessOrphaned, false, false, "The process that owned the run is gone."},
	{Unsupported, false, false, "The node needs something this build or backend cannot do."},
	{JoinFailed, false, false, "Parallel branches did not come together at one collector."},
	{ResumeInvalid, false, false, "The run cannot be resumed as asked."},
	{IRUnloadable, false, false, "The stored program cannot be read."},
	{RequiresNewerEngine, false, false, "The bot asks for a newer engine."},
	{QueueSchemaMismatch, false, false, "A queued run was written by an incompatible build."},
	{DeadLetterParked, false, false, "A queued run failed too often and was set aside."},
	{ScratchNotPortable, false, false, "The scratch folder cannot move to another host."},
	{OutcomeUnknown, false, true, "A step started and its end was not recorded, so its effect is unknown."},
	{GateLost, false, true, "The permission gate stopped answering, so no further call was allowed."},
	{ScriptExhausted, false, true, "The script has no further turn for the node."},
}

// Codes returns the whole table. The slice is the caller's.
func Codes() []Info { return append([]Info(nil), codes...) }

// Lookup returns the row of a code of the engine.
func Lookup(c Code) (Info, bool) {
	for _, row := range codes {
		if row.Code == c {
			return row, true
		}
	}
	return Info{}, false
}

// Retryable tells whether trying again may help; a code outside the table is
// an author's decision and stands.
func (c Code) Retryable() bool {
	row, _ := Lookup(c)
	return row.Retryable
}
