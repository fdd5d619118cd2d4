package outcome

// EventType is the type of an event.
type EventType string

// The types of events that a run records.
const (
	RunStarted     EventType = "run_started"
	RunPaused      EventType = "run_paused"
	RunResumed     EventType = "run_resumed"
	RunFinished    EventType = "run_finished"
	RunFailed      EventType = "run_failed"
	RunCancelled   EventType = "run_cancelled"
	RunInterrupted EventType = "run_interrupted"

	NodeStarted        EventType = "node_started"
	NodeFinished       EventType = "node_finished"
	NodeRecovery       EventType = "node_recovery"
	NodeVerifiedAction EventType = "node_verified_action"
	EdgeSelected       EventType = "edge_selected"
	BranchStarted      EventType = "branch_started"
	BranchFinished     EventType = "branch_finished"
	JoinReady          EventType = "join_ready"
	ArtifactWritten    EventType = "artifact_written"

	HumanInputRequested  EventType = "human_input_requested"
	HumanAnswersRecorded EventType = "human_answers_recorded"
	InteractionAnswered  EventType = "interaction_answered"

	BudgetWarning   EventType = "budget_warning"
	BudgetReached   EventType = "budget_exceeded"
	BudgetExitGrace EventType = "budget_exit_grace"

	LLMRequest       EventType = "llm_request"
	LLMRetry         EventType = "llm_retry"
	DelegateStarted  EventType = "delegate_started"
	DelegateFinished EventType = "delegate_finished"
	DelegateError    EventType = "delegate_error"
	ModelFallback    EventType = "model_fallback"
	ToolCalled       EventType = "tool_called"
	ToolError        EventType = "tool_error"

	// Ours: what a conversation needs to go on at the very call.
	ToolStarted   EventType = "tool_started"
	SessionOpened EventType = "session_opened"
	MessageAdded  EventType = "message_added"
)

// EventInfo is one row of the table of events.
type EventInfo struct {
	Type   EventType
	Family string // run, graph, people, budget, model
}

var events = []EventInfo{
	{RunStarted, "run"}, {RunPaused, "run"}, {RunResumed, "run"}, {RunFinished, "run"},
	{RunFailed, "run"}, {RunCancelled, "run"}, {RunInterrupted, "run"},
	{NodeStarted, "graph"}, {NodeFinished, "graph"}, {NodeRecovery, "graph"},
	{NodeVerifiedAction, "graph"}, {EdgeSelected, "graph"}, {BranchStarted, "graph"},
	{BranchFinished, "graph"}, {JoinReady, "graph"}, {ArtifactWritten, "graph"},
	{HumanInputRequested, "people"}, {HumanAnswersRecorded, "people"}, {InteractionAnswered, "people"},
	{BudgetWarning, "budget"}, {BudgetReached, "budget"}, {BudgetExitGrace, "budget"},
	{LLMRequest, "model"}, {LLMRetry, "model"}, {DelegateStarted, "model"},
	{DelegateFinished, "model"}, {DelegateError, "model"}, {ModelFallback, "model"},
	{ToolCalled, "model"}, {ToolError, "model"},
	{ToolStarted, "model"}, {SessionOpened, "model"}, {MessageAdded, "model"},
}

// Events returns the table of event types. The slice is the caller's.
func Events() []EventInfo { return append([]EventInfo(nil), events...) }

// Status is where a run stands.
type Status string

// The statuses of a run.
const (
	Queued          Status = "queued"
	Running         Status = "running"
	PausedHuman     Status = "paused_waiting_human"
	PausedOperator  Status = "paused_operator"
	Finished        Status = "finished"
	Failed          Status = "failed"
	FailedResumable Status = "failed_resumable"
	CancelledRun    Status = "cancelled"
)
