package schema

// The rows below mean the same on every kind that has them.

func descriptionRow() Property {
	return Property{Name: "description", Form: Str,
		Doc:     "A label for people: diagrams, run reports and editors show it.",
		Example: `description: "Reads the open tickets"`}
}

func inputRow() Property {
	return Property{Name: "input", Form: Name, Ref: RefSchema,
		Doc:     "The schema of the fields this node receives.",
		Example: `input: ticket`}
}

func outputRow() Property {
	return Property{Name: "output", Form: Name, Ref: RefSchema,
		Doc:     "The schema that this node's output must match.",
		Example: `output: verdict`}
}

func publishRow() Property {
	return Property{Name: "publish", Form: Name,
		Doc:     "Keeps the output as an artifact of this name, read as {{artifacts.NAME}}.",
		Example: `publish: plan`}
}

func artifactLabelsRow() Property {
	return Property{Name: "artifact_labels", Form: ToolList,
		Doc:     "Labels of the published artifact; they need publish.",
		Example: `artifact_labels: [draft, "needs review"]`}
}

func awaitRow() Property {
	return Property{Name: "await", Form: Enum, Values: []Value{
		{"wait_all", "Every branch must have succeeded."},
		{"best_effort", "Goes on with the branches that succeeded once all have ended."},
	},
		Doc:     "Makes this node the place where parallel branches are collected.",
		Example: `await: wait_all`}
}

func needsRow() Property {
	return Property{Name: "needs", Form: NameOrNameList, Ref: RefResource,
		Doc:     "The resources of the workflow that are held while this node runs.",
		Example: `needs: [gpu, license]`}
}

// compressRows are compress and its old name.
func compressRows() []Property {
	values := []Value{
		{"on", "Shortens long tool output before a model reads it."},
		{"ultra", "Shortens it as far as possible."},
		{"off", "Leaves tool output as it is."},
	}
	return []Property{
		{Name: "compress", Form: OneOf, Values: values,
			Doc:     "Whether tool output is shortened before it reaches a model; absent, the workflow decides.",
			Example: `compress: on`},
		{Name: "rtk", Form: OneOf, Values: values, Replace: "compress",
			Doc:     "The former name of compress.",
			Example: `rtk: on`},
	}
}

func permissionValues() []Value {
	return []Value{
		{"off", "Every tool call goes through."},
		{"ask", "A call that no rule decides is put to a person."},
		{"deny", "A call that no rule allows is refused."},
	}
}

// postureRows are the three switches that a workflow sets for all its LLM
// nodes and a node may set for itself. The default is the workflow's.
func postureRows(memory, ambient, permission string) []Property {
	return []Property{
		{Name: "auto_memory", Form: OneOf, Default: memory, Values: []Value{
			{"on", "The bot's own notes are loaded at the start and kept after it."},
			{"off", "Nothing is remembered by itself."},
		},
			Doc:     "Whether the backend keeps notes from run to run by itself.",
			Example: `auto_memory: on`},
		{Name: "ambient_context", Form: OneOf, Default: ambient, Values: []Value{
			{"none", "Only what the bot says."},
			{"workspace", "Instruction files of the workspace too."},
			{"operator", "The operator's personal instructions and settings too."},
			{"all", "Both the workspace's and the operator's."},
		},
			Doc:     "Which instructions from outside the bot a backend may pick up.",
			Example: `ambient_context: none`},
		{Name: "permission", Form: OneOf, Default: permission, Values: permissionValues(),
			Doc:     "How a tool call that no rule decides is treated.",
			Example: `permission: ask`},
	}
}

// ruleRows are the three permission lists.
func ruleRows() []Property {
	return []Property{
		{Name: "allow", Form: StrList,
			Doc:     "Rules of tool calls that need no question, each Tool or Tool(pattern).",
			Example: `allow: ["Read(**)", "Grep"]`},
		{Name: "ask", Form: StrList,
			Doc:     "Rules of tool calls that a person must confirm.",
			Example: `ask: ["Bash(git push *)"]`},
		{Name: "deny", Form: StrList,
			Doc:     "Rules of tool calls that are always refused; they win over ask and allow.",
			Example: `deny: ["Read(.env)"]`},
	}
}

// grantRows are the lists that exist on LLM nodes and on the workflow.
func grantRows() []Property {
	return []Property{
		{Name: "tool_policy", Form: ToolList,
			Doc:     "Entries that narrow the tools further, wildcards allowed.",
			Example: `tool_policy: [read_file, mcp.docs.*]`},
		{Name: "capabilities", Form: ToolList, Values: capabilityValues(),
			Doc:     "Engine services the model may use, each a domain or domain.action.",
			Example: `capabilities: [board.read, watch.subscribe]`},
		{Name: "skills", Form: ToolList,
			Doc:     "Names of the skills of the bundle that are made available.",
			Example: `skills: [release_notes]`},
	}
}

func capabilityValues() []Value {
	return []Value{
		{"board.read", "Read the tickets of the board."},
		{"board.create", "Open tickets."},
		{"board.move", "Move tickets between columns."},
		{"board.assign", "Assign tickets."},
		{"board.label", "Label tickets."},
		{"board.close", "Close tickets."},
		{"board.comment", "Comment on tickets."},
		{"watch.subscribe", "Ask to be told of changes."},
		{"watch.unsubscribe", "Stop being told of changes."},
	}
}

func interactionValues() []Value {
	return []Value{
		{"none", "The model cannot ask."},
		{"human", "A person answers; the run pauses until then."},
		{"llm", "Another model answers."},
		{"llm_or_human", "Another model answers, or hands the question to a person."},
		{"review", "A person reviews the work in a conversation."},
		{"async", "The question is queued and the model works on without waiting."},
		{"human_or_host", "A person or the host application answers, whichever is first."},
	}
}

func interactionRow(fallback string) Property {
	return Property{Name: "interaction", Form: Enum, Default: fallback, Values: interactionValues(),
		Doc:     "Who answers a question that a model asks in the middle of its work.",
		Example: `interaction: human`}
}

func interactionPromptRow() Property {
	return Property{Name: "interaction_prompt", Form: Name, Ref: RefPrompt, Text: PromptText,
		Doc:     "The declared prompt of the model that answers questions.",
		Example: `interaction_prompt: answer_policy`}
}

func interactionModelRow() Property {
	return Property{Name: "interaction_model", Form: Word, Text: Routing,
		Doc:     "The model that answers questions.",
		Example: `interaction_model: "anthropic/claude-haiku-4-5"`}
}

func reasoningEffortRow() Property {
	return Property{Name: "reasoning_effort", Form: EnumOrEnv, Text: EnvText, Values: []Value{
		{"none", "No reasoning before the answer."},
		{"low", "A little reasoning."},
		{"medium", "A balanced amount."},
		{"high", "Thorough reasoning."},
		{"xhigh", "More than high, on models that offer it."},
		{"max", "As much as the model allows."},
		{"ultracode", "The coding mode with the longest reasoning, on models that offer it."},
	},
		Doc:     "How much the model reasons; a quoted ${ENV} reference is read at run time.",
		Example: `reasoning_effort: high`}
}

// backendValues are the known backends. The text is not limited to them: it
// may also hold references.
func backendValues() []Value {
	return []Value{
		{"claw", "The built-in tool loop, over a provider's API."},
		{"claude_code", "The Claude Code command line."},
		{"codex", "The Codex command line."},
		{"pi", "The Pi command line."},
		{"kimi", "The Kimi command line."},
		{"grok", "The Grok command line."},
		{"opencode", "The OpenCode command line."},
	}
}

func modelRow() Property {
	return Property{Name: "model", Form: Word, Text: Routing,
		Doc:     "The model's id; absent, the backend's own choice.",
		Example: `model: "anthropic/claude-sonnet-5"`}
}

func backendRow() Property {
	return Property{Name: "backend", Form: Word, Text: Routing, Values: backendValues(),
		Doc:     "What runs the model; absent, default_backend of the workflow, then detection.",
		Example: `backend: "claude_code"`}
}

func providerRow() Property {
	return Property{Name: "provider", Form: Word, Text: Routing,
		Doc:     "The credential route; \"a,b\" is a chain, and an element may be provider:model.",
		Example: `provider: "anthropic,openrouter"`}
}

func systemRow() Property {
	return Property{Name: "system", Form: Prompt, Ref: RefPrompt, Text: PromptText,
		Doc:     "The system message: a prompt's name, or the text itself in quotes.",
		Example: `system: "You sort tickets."`}
}

func userRow() Property {
	return Property{Name: "user", Form: Prompt, Ref: RefPrompt, Text: PromptText,
		Doc:     "The user message: a prompt's name, or the text itself in quotes.",
		Example: `user: label_user`}
}

// about returns p with another sentence of documentation.
func (p Property) about(doc string) Property {
	p.Doc = doc
	return p
}

// join concatenates groups of rows.
func join(groups ...[]Property) []Property {
	var rows []Property
	for _, g := range groups {
		rows = append(rows, g...)
	}
	return rows
}
