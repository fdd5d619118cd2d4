package ir

import "iterion/ast/source"

// Workflow holds the settings of the one graph.
type Workflow struct {
	Decl
	Entry               Opt[string]  `json:"entry,omitzero" dsl:"entry"`
	Contract            Opt[string]  `json:"contract,omitzero" dsl:"contract"`
	Worktree            Opt[string]  `json:"worktree,omitzero" dsl:"worktree"`
	DefaultBackend      Opt[Text]    `json:"default_backend,omitzero" dsl:"default_backend"`
	Interaction         Opt[string]  `json:"interaction,omitzero" dsl:"interaction"`
	Compress            Opt[string]  `json:"compress,omitzero" dsl:"compress"`
	RTK                 Opt[string]  `json:"rtk,omitzero" dsl:"rtk"`
	AutoMemory          Opt[string]  `json:"auto_memory,omitzero" dsl:"auto_memory"`
	AmbientContext      Opt[string]  `json:"ambient_context,omitzero" dsl:"ambient_context"`
	Permission          Opt[string]  `json:"permission,omitzero" dsl:"permission"`
	Allow               List         `json:"allow,omitzero" dsl:"allow"`
	Ask                 List         `json:"ask,omitzero" dsl:"ask"`
	Deny                List         `json:"deny,omitzero" dsl:"deny"`
	ToolPolicy          List         `json:"tool_policy,omitzero" dsl:"tool_policy"`
	Capabilities        List         `json:"capabilities,omitzero" dsl:"capabilities"`
	Skills              List         `json:"skills,omitzero" dsl:"skills"`
	LoopBudgetGuard     Opt[string]  `json:"loop_budget_guard,omitzero" dsl:"loop_budget_guard"`
	RepoDevbox          Opt[string]  `json:"repo_devbox,omitzero" dsl:"repo_devbox"`
	WorkspaceCheckpoint Opt[string]  `json:"workspace_checkpoint,omitzero" dsl:"workspace_checkpoint"`
	Budget              *Budget      `json:"budget,omitempty" dsl:"budget"`
	Resources           []Resource   `json:"resources,omitempty" dsl:"resources"`
	MCP                 *WorkflowMCP `json:"mcp,omitempty" dsl:"mcp"`
	Compaction          *Compaction  `json:"compaction,omitempty" dsl:"compaction"`
	Sandbox             *Sandbox     `json:"sandbox,omitempty" dsl:"sandbox"`
}

// Budget limits a run; zero or absent is no limit on that axis.
type Budget struct {
	Block
	MaxParallelBranches Opt[int64]   `json:"max_parallel_branches,omitzero" dsl:"max_parallel_branches"`
	MaxDuration         Opt[Text]    `json:"max_duration,omitzero" dsl:"max_duration"`
	MaxCostUSD          Opt[float64] `json:"max_cost_usd,omitzero" dsl:"max_cost_usd"`
	MaxTokens           Opt[int64]   `json:"max_tokens,omitzero" dsl:"max_tokens"`
	WarnTokens          Opt[int64]   `json:"warn_tokens,omitzero" dsl:"warn_tokens"`
	MaxIterations       Opt[int64]   `json:"max_iterations,omitzero" dsl:"max_iterations"`
	OnExceeded          Opt[string]  `json:"on_exceeded,omitzero" dsl:"on_exceeded"`
}

// Resource is what nodes share: a counter, or a pool of named members.
type Resource struct {
	Key
	Count   Opt[int64] `json:"count,omitzero"`
	Members List       `json:"members,omitzero"`
}

// WorkflowMCP says which MCP servers nodes reach.
type WorkflowMCP struct {
	Block
	AutoloadProject Opt[bool] `json:"autoload_project,omitzero" dsl:"autoload_project"`
	Servers         List      `json:"servers,omitzero" dsl:"servers"`
	Disable         List      `json:"disable,omitzero" dsl:"disable"`
}

// NodeMCP is the same for one node.
type NodeMCP struct {
	Block
	Inherit Opt[bool] `json:"inherit,omitzero" dsl:"inherit"`
	Servers List      `json:"servers,omitzero" dsl:"servers"`
	Disable List      `json:"disable,omitzero" dsl:"disable"`
}

// Compaction says when a conversation is shortened.
type Compaction struct {
	Block
	Threshold      Opt[float64] `json:"threshold,omitzero" dsl:"threshold"`
	PreserveRecent Opt[int64]   `json:"preserve_recent,omitzero" dsl:"preserve_recent"`
}

// Memory is an agent's durable memory.
type Memory struct {
	Block
	Enabled          Opt[bool]   `json:"enabled,omitzero" dsl:"enabled"`
	Scope            Opt[string] `json:"scope,omitzero" dsl:"scope"`
	Autoload         List        `json:"autoload,omitzero" dsl:"autoload"`
	Read             Opt[bool]   `json:"read,omitzero" dsl:"read"`
	Write            Opt[bool]   `json:"write,omitzero" dsl:"write"`
	PreCompactInject Opt[bool]   `json:"pre_compact_inject,omitzero" dsl:"pre_compact_inject"`
	ProjectRoot      Opt[bool]   `json:"project_root,omitzero" dsl:"project_root"`
	Visibility       Opt[string] `json:"visibility,omitzero" dsl:"visibility"`
}

// Sandbox is where a node's work happens.
type Sandbox struct {
	Block
	Word            Opt[string] `json:"word,omitzero"` // the short form
	Mode            Opt[string] `json:"mode,omitzero" dsl:"mode"`
	Image           Opt[Text]   `json:"image,omitzero" dsl:"image"`
	Build           *Build      `json:"build,omitempty" dsl:"build"`
	User            Opt[Text]   `json:"user,omitzero" dsl:"user"`
	WorkspaceFolder Opt[Text]   `json:"workspace_folder,omitzero" dsl:"workspace_folder"`
	HostState       Opt[string] `json:"host_state,omitzero" dsl:"host_state"`
	PostCreate      Opt[Text]   `json:"post_create,omitzero" dsl:"post_create"`
	Env             Bindings    `json:"env,omitzero" dsl:"env"`
	Mounts          List        `json:"mounts,omitzero" dsl:"mounts"`
	Network         *Network    `json:"network,omitempty" dsl:"network"`
}

// EffectiveMode is the written mode: the short form's word, the block's mode,
// inline for a block without one.
func (s *Sandbox) EffectiveMode() string {
	if s.Word.Set() {
		return s.Word.V
	}
	return s.Mode.Or("inline")
}

// Build is how a sandbox image is made.
type Build struct {
	Block
	Dockerfile Opt[Text] `json:"dockerfile,omitzero" dsl:"dockerfile"`
	Context    Opt[Text] `json:"context,omitzero" dsl:"context"`
	Args       Bindings  `json:"args,omitzero" dsl:"args"`
}

// Network bounds what a sandbox reaches.
type Network struct {
	Block
	Mode    Opt[string] `json:"mode,omitzero" dsl:"mode"`
	Preset  Opt[string] `json:"preset,omitzero" dsl:"preset"`
	Inherit Opt[string] `json:"inherit,omitzero" dsl:"inherit"`
	Rules   List        `json:"rules,omitzero" dsl:"rules"`
}

// Edge is one arrow. A chain is several edges whose clauses belong to the last.
type Edge struct {
	From     string      `json:"from"`
	FromSpan source.Span `json:"from_span"`
	To       string      `json:"to"`
	ToSpan   source.Span `json:"to_span"`
	Span     source.Span `json:"span"` // of the whole line
	Origin   Origin      `json:"origin"`
	When     Opt[string] `json:"when,omitzero"` // a field's name
	Not      bool        `json:"not,omitempty"`
	Expr     Opt[Text]   `json:"expr,omitzero"` // a quoted condition
	Else     Opt[bool]   `json:"else,omitzero"`
	Loop     *LoopUse    `json:"loop,omitempty"`
	Foreach  *ForeachUse `json:"foreach,omitempty"`
	With     Bindings    `json:"with,omitzero"`
	Decl     *Decl       `json:"-"` // the workflow or group that holds the line
	Tainted  bool        `json:"-"`
}

// Conditional tells whether the edge carries a `when`.
func (e *Edge) Conditional() bool { return e.When.Set() || e.Expr.Set() }

// Bare tells whether the edge has no `when`, `else`, loop or foreach.
func (e *Edge) Bare() bool {
	return !e.Conditional() && !e.Else.Set() && e.Loop == nil && e.Foreach == nil
}

// ID names the edge in findings and events.
func (e *Edge) ID() string { return e.From + "->" + e.To }

// LoopUse is the `as name(cap)` of an edge. Of Count, Cap and Unbounded one is
// set; Fuel may stand beside Unbounded.
type LoopUse struct {
	Name      string      `json:"name"`
	NameSpan  source.Span `json:"name_span"`
	Span      source.Span `json:"span"`
	Count     Opt[int64]  `json:"count,omitzero"`
	Cap       Opt[Text]   `json:"cap,omitzero"`
	Unbounded Opt[bool]   `json:"unbounded,omitzero"`
	Fuel      Opt[int64]  `json:"fuel,omitzero"`
}

// ForeachUse is the `as foreach name(item in "…")` of an edge.
type ForeachUse struct {
	Name       string      `json:"name"`
	NameSpan   source.Span `json:"name_span"`
	Span       source.Span `json:"span"`
	Item       Opt[string] `json:"item"`
	Collection Opt[Text]   `json:"collection"`
}

// Loop is one loop or foreach of the graph with what belongs to it.
type Loop struct {
	Name    string   `json:"name"`
	Foreach bool     `json:"foreach,omitempty"`
	Entries []string `json:"entries"` // the targets of its edges, in source order
	Body    []string `json:"body"`    // every node of the loop, sorted
}
