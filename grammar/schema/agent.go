package schema

// agentKind and judgeKind share one surface.
func agentKind() *Kind {
	return &Kind{Name: "agent", Node: true, Named: true,
		Doc:     "A model at work: it reads prompts, may use tools and gives an output.",
		Example: "agent summarize:\n  model: \"anthropic/claude-sonnet-5\"\n  output: note\n  user: \"Summarize {{input.text}}\"\n",
		Props:   modelProps()}
}

func judgeKind() *Kind {
	return &Kind{Name: "judge", Node: true, Named: true,
		Doc:     "A model that gives a verdict, usually without tools.",
		Example: "judge review:\n  model: \"anthropic/claude-opus-5\"\n  output: verdict\n  user: review_user\n",
		Props:   modelProps()}
}

func modelProps() []Property {
	return join(
		[]Property{
			descriptionRow(), modelRow(), backendRow(), providerRow(),
			{Name: "command", Form: Word,
				Doc:     "Another binary in place of the backend's own; only claude_code reads it.",
				Example: `command: "/opt/tools/claude"`},
			inputRow(), outputRow(), publishRow(), artifactLabelsRow(),
			systemRow(), userRow(),
		},
		sessionRows(),
		toolRows(),
		limitRows(),
		[]Property{interactionRow(""), interactionPromptRow(), interactionModelRow(), awaitRow()},
		compressRows(), postureRows("", "", ""), ruleRows(),
		[]Property{needsRow()},
		modelBlocks(),
	)
}

func sessionRows() []Property {
	return []Property{
		{Name: "session", Form: Enum, Default: "fresh", Values: []Value{
			{"fresh", "A new conversation."},
			{"inherit", "Continues the conversation named by the input field _session_id."},
			{"inherit_if_available", "Continues it when there is one, and starts anew otherwise."},
			{"fork", "Works on a copy of that conversation; the original stays as it was."},
			{"artifacts_only", "A new conversation that sees the published artifacts, not the history."},
			{"persist", "The node's own last conversation, every time it is entered."},
		},
			Doc:     "Which conversation the model works in.",
			Example: `session: inherit`},
		{Name: "session_slot", Form: Name,
			Doc:     "A named conversation that nodes share; it needs session: persist.",
			Example: `session_slot: writer`},
	}
}

func toolRows() []Property {
	return join([]Property{
		{Name: "tools", Form: ToolList,
			Doc:     "The tools the model may call; no line leaves the backend's set, an empty list takes all away.",
			Example: `tools: [read_file, grep, mcp.docs.*]`},
	}, grantRows())
}

func limitRows() []Property {
	return []Property{
		{Name: "tool_max_steps", Form: Int,
			Doc:     "The most rounds of tool calls in one execution; absent, the backend's limit.",
			Example: `tool_max_steps: 40`},
		{Name: "max_tokens", Form: Int,
			Doc:     "The most output tokens of one call; absent, the backend's limit.",
			Example: `max_tokens: 8000`},
		reasoningEffortRow(),
		{Name: "timeout", Form: Word, Text: EnvText,
			Doc:     "The longest one execution may take, as a positive duration; absent, no limit.",
			Example: `timeout: "20m"`},
		{Name: "readonly", Form: Bool, Default: "false",
			Doc:     "Promises that nothing in the workspace is written, so that the node may run beside others.",
			Example: `readonly: true`},
		{Name: "full_access", Form: Bool, Default: "false",
			Doc:     "Runs codex without its own sandbox; readonly wins over it.",
			Example: `full_access: true`},
		{Name: "images", Form: StrList, Text: PromptText,
			Doc:     "Images shown with the user message, as paths or references.",
			Example: `images: ["{{attachments.screenshot}}"]`},
	}
}

func modelBlocks() []Property {
	return []Property{
		{Name: "fallbacks", Form: Block, Block: fallbacksBlock(),
			Doc:     "Named routes, tried in order when the node's own backend fails.",
			Example: "fallbacks:\n  smaller:\n    model: \"claude-haiku-4-5\"\n    on: [usage_window]"},
		{Name: "mcp", Form: Block, Block: nodeMCPBlock(),
			Doc:     "Which MCP servers this node may reach.",
			Example: "mcp:\n  servers: [docs_search]"},
		compactionRow(),
		{Name: "memory", Form: Block, Block: memoryBlock(),
			Doc:     "Notes that last from one run to the next.",
			Example: "memory:\n  enabled: true\n  scope: \"reviews\""},
		sandboxRow(""),
		{Name: "cursors", Form: Block, Block: nodeCursorsBlock(),
			Doc:     "Settings of declared cursors, whose fragments join the system prompt.",
			Example: "cursors:\n  caution: careful"},
	}
}

func fallbacksBlock() *Kind {
	return &Kind{Name: "fallbacks",
		Doc: "An ordered list of routes, at least one.",
		Entry: &Entry{Block: routeBlock(), Twice: "C173",
			Doc:     "A route: its name, then what it changes.",
			Example: "smaller:\n  model: \"claude-haiku-4-5\""}}
}

func routeBlock() *Kind {
	return &Kind{Name: "route",
		Doc: "One fallback route; it names a backend, a model, a provider or an action.",
		Props: []Property{
			backendRow().about("The backend of this route; a change of backend also names a model."),
			modelRow().about("The model of this route; absent, the node's."),
			providerRow().about("The credential route; absent, the node's."),
			{Name: "on", Form: NameList, Default: "[usage_window, unavailable]", Values: []Value{
				{"usage_window", "A usage limit of the account is reached."},
				{"auth", "The credential is refused."},
				{"unavailable", "The service or the binary cannot be reached."},
				{"transient_exhausted", "Passing errors did not pass within the retries."},
				{"any", "Every failure."},
			},
				Doc:     "The classes of failure that lead to this route.",
				Example: `on: [usage_window, auth]`},
			{Name: "metered", Form: Bool, Default: "false",
				Doc:     "States that this route spends a key that is billed by use.",
				Example: `metered: true`},
			{Name: "action", Form: StrOrName, Values: []Value{
				{"skip", "Completes the node with a zero-value output that is marked _skipped."},
			},
				Doc:     "What to do instead of calling a model.",
				Example: `action: skip`},
			{Name: "when", Form: Word, Text: Expression, Default: "true",
				Doc:     "An expression over vars that must hold for this route to be tried.",
				Example: `when: "vars.allow_fallback"`},
		}}
}
