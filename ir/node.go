package ir

import (
	"iterion/ast"
	"iterion/ast/source"
)

// Kind is the kind of a node, spelled as its keyword.
type Kind string

const (
	KindAgent   Kind = "agent"
	KindJudge   Kind = "judge"
	KindRouter  Kind = "router"
	KindHuman   Kind = "human"
	KindTool    Kind = "tool"
	KindCompute Kind = "compute"
	KindSubbot  Kind = "subbot"
	KindEmit    Kind = "emit"
	KindWait    Kind = "wait"
	KindAwait   Kind = "await_answers"
	KindFail    Kind = "fail"
)

// Done and Fail are the built-in terminals: edge targets without a node.
const (
	Done = "done"
	Fail = "fail"
)

// Node is one node of the graph. Exactly one of the kind pointers is set.
type Node struct {
	Decl                   // Name is the id: a group's member is PREFIX.name
	ID       string        `json:"id"`
	Kind     Kind          `json:"kind"`
	Instance *Instance     `json:"instance,omitempty"`
	*Common                // never nil
	LLM      *LLM          `json:"llm,omitempty"` // agent, judge
	Router   *Router       `json:"router,omitempty"`
	Human    *Human        `json:"human,omitempty"`
	Tool     *Tool         `json:"tool,omitempty"`
	Compute  *Compute      `json:"compute,omitempty"`
	Subbot   *Subbot       `json:"subbot,omitempty"`
	Emit     *Emit         `json:"emit,omitempty"`
	Wait     *Wait         `json:"wait,omitempty"`
	Await    *AwaitAnswers `json:"await_answers,omitempty"`
	FailNode *FailNode     `json:"fail,omitempty"`
}

// Instance says which `use` made a node.
type Instance struct {
	Group  string           `json:"group"`
	Prefix string           `json:"prefix"`
	Member string           `json:"member"` // the node's name in the group
	Origin Origin           `json:"origin"` // of the `use` declaration
	Span   source.Span      `json:"span"`   // of the `use` line, in its declaration
	Tree   *ast.Declaration `json:"-"`      // of the `use` line
}

// Common holds the properties that several kinds share.
type Common struct {
	Description    Opt[Text]   `json:"description,omitzero" dsl:"description"`
	Input          Opt[string] `json:"input,omitzero" dsl:"input"`
	Output         Opt[string] `json:"output,omitzero" dsl:"output"`
	Publish        Opt[string] `json:"publish,omitzero" dsl:"publish"`
	ArtifactLabels List        `json:"artifact_labels,omitzero" dsl:"artifact_labels"`
	Join           Opt[string] `json:"await,omitzero" dsl:"await"`
	Needs          List        `json:"needs,omitzero" dsl:"needs"`
}

// LLM is an agent or a judge.
type LLM struct {
	Model             Opt[Text]      `json:"model,omitzero" dsl:"model"`
	Backend           Opt[Text]      `json:"backend,omitzero" dsl:"backend"`
	Provider          Opt[Text]      `json:"provider,omitzero" dsl:"provider"`
	Command           Opt[string]    `json:"command,omitzero" dsl:"command"`
	System            Opt[PromptUse] `json:"system,omitzero" dsl:"system"`
	User              Opt[PromptUse] `json:"user,omitzero" dsl:"user"`
	Session           Opt[string]    `json:"session,omitzero" dsl:"session"`
	SessionSlot       Opt[string]    `json:"session_slot,omitzero" dsl:"session_slot"`
	Tools             List           `json:"tools,omitzero" dsl:"tools"`
	ToolPolicy        List           `json:"tool_policy,omitzero" dsl:"tool_policy"`
	Capabilities      List           `json:"capabilities,omitzero" dsl:"capabilities"`
	Skills            List           `json:"skills,omitzero" dsl:"skills"`
	ToolMaxSteps      Opt[int64]     `json:"tool_max_steps,omitzero" dsl:"tool_max_steps"`
	MaxTokens         Opt[int64]     `json:"max_tokens,omitzero" dsl:"max_tokens"`
	ReasoningEffort   Opt[Text]      `json:"reasoning_effort,omitzero" dsl:"reasoning_effort"`
	Timeout           Opt[string]    `json:"timeout,omitzero" dsl:"timeout"`
	Readonly          Opt[bool]      `json:"readonly,omitzero" dsl:"readonly"`
	FullAccess        Opt[bool]      `json:"full_access,omitzero" dsl:"full_access"`
	Images            Texts          `json:"images,omitzero" dsl:"images"`
	Interaction       Opt[string]    `json:"interaction,omitzero" dsl:"interaction"`
	InteractionPrompt Opt[string]    `json:"interaction_prompt,omitzero" dsl:"interaction_prompt"`
	InteractionModel  Opt[Text]      `json:"interaction_model,omitzero" dsl:"interaction_model"`
	Compress          Opt[string]    `json:"compress,omitzero" dsl:"compress"`
	RTK               Opt[string]    `json:"rtk,omitzero" dsl:"rtk"`
	AutoMemory        Opt[string]    `json:"auto_memory,omitzero" dsl:"auto_memory"`
	AmbientContext    Opt[string]    `json:"ambient_context,omitzero" dsl:"ambient_context"`
	Permission        Opt[string]    `json:"permission,omitzero" dsl:"permission"`
	Allow             List           `json:"allow,omitzero" dsl:"allow"`
	Ask               List           `json:"ask,omitzero" dsl:"ask"`
	Deny              List           `json:"deny,omitzero" dsl:"deny"`
	Fallbacks         []Route        `json:"fallbacks,omitempty" dsl:"fallbacks"`
	MCP               *NodeMCP       `json:"mcp,omitempty" dsl:"mcp"`
	Compaction        *Compaction    `json:"compaction,omitempty" dsl:"compaction"`
	Memory            *Memory        `json:"memory,omitempty" dsl:"memory"`
	Sandbox           *Sandbox       `json:"sandbox,omitempty" dsl:"sandbox"`
	Cursors           *CursorUse     `json:"cursors,omitempty" dsl:"cursors"`
}

// Texts is a list of templates.
type Texts = Opt[[]TextItem]

// TextItem is an element of Texts.
type TextItem struct {
	Text Text        `json:"text"`
	Span source.Span `json:"span"`
}

// Route is a fallback route.
type Route struct {
	Key
	Backend  Opt[Text]   `json:"backend,omitzero" dsl:"backend"`
	Model    Opt[Text]   `json:"model,omitzero" dsl:"model"`
	Provider Opt[Text]   `json:"provider,omitzero" dsl:"provider"`
	On       List        `json:"on,omitzero" dsl:"on"`
	Metered  Opt[bool]   `json:"metered,omitzero" dsl:"metered"`
	Action   Opt[string] `json:"action,omitzero" dsl:"action"`
	When     Opt[Text]   `json:"when,omitzero" dsl:"when"`
}

// CursorUse is a node's `cursors:` block.
type CursorUse struct {
	Block
	Enabled  Opt[bool] `json:"enabled,omitzero" dsl:"enabled"`
	Settings []Binding `json:"settings,omitempty" dsl:"*"`
}

// Router sends a visit on.
type Router struct {
	Mode            Opt[string]    `json:"mode,omitzero" dsl:"mode"`
	Model           Opt[Text]      `json:"model,omitzero" dsl:"model"`
	Backend         Opt[Text]      `json:"backend,omitzero" dsl:"backend"`
	Provider        Opt[Text]      `json:"provider,omitzero" dsl:"provider"`
	System          Opt[PromptUse] `json:"system,omitzero" dsl:"system"`
	User            Opt[PromptUse] `json:"user,omitzero" dsl:"user"`
	Multi           Opt[bool]      `json:"multi,omitzero" dsl:"multi"`
	ReasoningEffort Opt[Text]      `json:"reasoning_effort,omitzero" dsl:"reasoning_effort"`
	Over            Opt[Text]      `json:"over,omitzero" dsl:"over"`
	As              Opt[string]    `json:"as,omitzero" dsl:"as"`
	Key             Opt[string]    `json:"key,omitzero" dsl:"key"`
	DependsOn       Opt[string]    `json:"depends_on,omitzero" dsl:"depends_on"`
}

// Modes of a router.
const (
	ModeFanOutAll  = "fan_out_all"
	ModeFanOutEach = "fan_out_each"
	ModeCondition  = "condition"
	ModeRoundRobin = "round_robin"
	ModeLLM        = "llm"
)

// EffectiveMode is the router's mode with its default.
func (r *Router) EffectiveMode() string { return r.Mode.Or(ModeFanOutAll) }

// Human asks a person.
type Human struct {
	Instructions      Opt[PromptUse] `json:"instructions,omitzero" dsl:"instructions"`
	System            Opt[PromptUse] `json:"system,omitzero" dsl:"system"`
	Model             Opt[Text]      `json:"model,omitzero" dsl:"model"`
	Interaction       Opt[string]    `json:"interaction,omitzero" dsl:"interaction"`
	InteractionPrompt Opt[string]    `json:"interaction_prompt,omitzero" dsl:"interaction_prompt"`
	InteractionModel  Opt[Text]      `json:"interaction_model,omitzero" dsl:"interaction_model"`
	MinAnswers        Opt[int64]     `json:"min_answers,omitzero" dsl:"min_answers"`
	ReviewURL         Opt[Text]      `json:"review_url,omitzero" dsl:"review_url"`
	Posture           Opt[string]    `json:"posture,omitzero" dsl:"posture"`
	MergeStrategy     Opt[string]    `json:"merge_strategy,omitzero" dsl:"merge_strategy"`
	MergeInto         Opt[string]    `json:"merge_into,omitzero" dsl:"merge_into"`
	MaxTurns          Opt[int64]     `json:"max_turns,omitzero" dsl:"max_turns"`
}

// Tool runs a command, a script or a connector's action.
type Tool struct {
	Command       Opt[Text]   `json:"command,omitzero" dsl:"command"`
	Script        Opt[Text]   `json:"script,omitzero" dsl:"script"`
	Language      Opt[string] `json:"language,omitzero" dsl:"language"`
	Action        Opt[string] `json:"action,omitzero" dsl:"action"`
	Connection    Opt[string] `json:"connection,omitzero" dsl:"connection"`
	Retry         Opt[string] `json:"retry,omitzero" dsl:"retry"`
	Timeout       Opt[string] `json:"timeout,omitzero" dsl:"timeout"`
	Sandbox       *Sandbox    `json:"sandbox,omitempty" dsl:"sandbox"`
	Compress      Opt[string] `json:"compress,omitzero" dsl:"compress"`
	RTK           Opt[string] `json:"rtk,omitzero" dsl:"rtk"`
	Permission    Opt[string] `json:"permission,omitzero" dsl:"permission"`
	ParallelSafe  Opt[bool]   `json:"parallel_safe,omitzero" dsl:"parallel_safe"`
	Goal          Opt[Text]   `json:"goal,omitzero" dsl:"goal"`
	Postcondition Opt[Text]   `json:"postcondition,omitzero" dsl:"postcondition"`
	Policy        Opt[string] `json:"policy,omitzero" dsl:"policy"`
	Recovery      *Recovery   `json:"recovery,omitempty" dsl:"recovery"`
	Params        Bindings    `json:"params,omitzero" dsl:"params"`
}

// Recovery bounds the repairs of a Verified Action.
type Recovery struct {
	Block
	MaxRepairAttempts Opt[int64] `json:"max_repair_attempts,omitzero" dsl:"max_repair_attempts"`
	MaxAgentAttempts  Opt[int64] `json:"max_agent_attempts,omitzero" dsl:"max_agent_attempts"`
	Model             Opt[Text]  `json:"model,omitzero" dsl:"model"`
	AgentTools        List       `json:"agent_tools,omitzero" dsl:"agent_tools"`
}

// Compute evaluates expressions.
type Compute struct {
	Expr Bindings `json:"expr,omitzero" dsl:"expr"`
}

// Subbot runs another program.
type Subbot struct {
	Source   Opt[string] `json:"source,omitzero" dsl:"source"`
	With     Bindings    `json:"with,omitzero" dsl:"with"`
	Isolated Opt[bool]   `json:"isolated,omitzero" dsl:"isolated"`
}

// Emit stores an event.
type Emit struct {
	Event Opt[string] `json:"event,omitzero" dsl:"event"`
	With  Bindings    `json:"with,omitzero" dsl:"with"`
}

// Wait waits for an event.
type Wait struct {
	Event   Opt[string] `json:"event,omitzero" dsl:"event"`
	Timeout Opt[string] `json:"timeout,omitzero" dsl:"timeout"`
}

// AwaitAnswers waits until asynchronous questions are answered.
type AwaitAnswers struct {
	From    Opt[string] `json:"from,omitzero" dsl:"from"`
	Timeout Opt[string] `json:"timeout,omitzero" dsl:"timeout"`
}

// FailNode ends a run with a code of the author's.
type FailNode struct {
	Code      Opt[string] `json:"code,omitzero" dsl:"code"`
	Message   Opt[Text]   `json:"message,omitzero" dsl:"message"`
	Resumable Opt[bool]   `json:"resumable,omitzero" dsl:"resumable"`
}
