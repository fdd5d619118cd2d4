package schema

func workflowKind() *Kind {
	return &Kind{Name: "workflow", Named: true, Bare: true, Members: Edges,
		Doc:     "The one graph of a program: where it starts, its settings and its edges.",
		Example: "workflow note_once:\n  entry: write_note\n\n  write_note -> done\n",
		Props: join(
			[]Property{
				{Name: "entry", Form: Dotted, Ref: RefNode, Require: true,
					Doc:     "The node where a run starts.",
					Example: `entry: plan`},
				{Name: "contract", Form: Name, Ref: RefContract,
					Doc:     "The contract that the workflow keeps.",
					Example: `contract: docs`},
				{Name: "worktree", Form: OneOf, Default: "auto", Values: []Value{
					{"auto", "A fresh worktree for each run; in place when there is no git repository."},
					{"none", "The workspace itself."},
				},
					Doc:     "Whether a run works in a git worktree of its own.",
					Example: `worktree: none`},
				{Name: "default_backend", Form: Word, Text: Routing, Values: backendValues(),
					Doc:     "The backend of nodes that name none; absent, it is detected.",
					Example: `default_backend: "claude_code"`},
				interactionRow("none").about("Who answers questions of nodes that do not say so themselves."),
			},
			compressRows(),
			postureRows("off", "workspace", "off"),
			ruleRows(),
			grantRows(),
			switchRows(),
			workflowBlocks(),
		)}
}

func switchRows() []Property {
	return []Property{
		{Name: "loop_budget_guard", Form: OneOf, Default: "on", Values: []Value{
			{"on", "A loop is left in time when the budget would not last for another round."},
			{"off", "Loops go on until the budget is spent."},
		},
			Doc:     "Whether loops watch the rest of the budget.",
			Example: `loop_budget_guard: off`},
		{Name: "repo_devbox", Form: OneOf, Default: "on", Values: []Value{
			{"on", "The repository's own development environment is used when it has one."},
			{"off", "It is left aside."},
		},
			Doc:     "Whether commands run in the development environment of the repository.",
			Example: `repo_devbox: off`},
		{Name: "workspace_checkpoint", Form: OneOf, Default: "on", Values: []Value{
			{"on", "The state of the workspace is kept along the run, for a resume."},
			{"off", "Only the run's own state is kept."},
		},
			Doc:     "Whether the workspace is recorded together with the run.",
			Example: `workspace_checkpoint: off`},
	}
}

func workflowBlocks() []Property {
	return []Property{
		{Name: "vars", Form: Block, Block: varsBlock(),
			Doc:     "Variables; one that the file declares too is replaced whole.",
			Example: "vars:\n  rounds: int = 3"},
		{Name: "attachments", Form: Block, Block: attachmentsBlock(),
			Doc:     "Attachments, merged over those of the file.",
			Example: "attachments:\n  screenshot: image"},
		{Name: "budget", Form: Block, Block: budgetBlock(),
			Doc:     "The limits of a run; absent, there are none.",
			Example: "budget:\n  max_duration: \"1h\"\n  max_cost_usd: 3"},
		{Name: "resources", Form: Block, Block: resourcesBlock(),
			Doc:     "What nodes share and must wait for.",
			Example: "resources:\n  gpu: 2"},
		{Name: "mcp", Form: Block, Block: workflowMCPBlock(),
			Doc:     "Which MCP servers the nodes may reach.",
			Example: "mcp:\n  autoload_project: false"},
		compactionRow(),
		sandboxRow("auto"),
	}
}

func budgetBlock() *Kind {
	return &Kind{Name: "budget", Bare: true,
		Doc: "The limits of a run; zero or absent means none.",
		Props: []Property{
			{Name: "max_parallel_branches", Form: Int,
				Doc:     "The most branches at the same time.",
				Example: `max_parallel_branches: 3`},
			{Name: "max_duration", Form: Word, Text: EnvText,
				Doc:     "The longest active time of a run, as a duration.",
				Example: `max_duration: "${LIMIT:-2h}"`},
			{Name: "max_cost_usd", Form: Num,
				Doc:     "The most a run may spend, in US dollars.",
				Example: `max_cost_usd: 12.5`},
			{Name: "max_tokens", Form: Int,
				Doc:     "The most tokens of all calls together.",
				Example: `max_tokens: 2000000`},
			{Name: "warn_tokens", Form: Int,
				Doc:     "The number of tokens at which a warning is sent once; nothing stops.",
				Example: `warn_tokens: 1500000`},
			{Name: "max_iterations", Form: Int,
				Doc:     "The most node executions; it also bounds loops without a number.",
				Example: `max_iterations: 200`},
			{Name: "on_exceeded", Form: Enum, Default: "fail", Values: []Value{
				{"fail", "The run ends as failed."},
				{"pause", "The run pauses until the limit is raised."},
			},
				Doc:     "What happens at a limit.",
				Example: `on_exceeded: pause`},
		}}
}

func resourcesBlock() *Kind {
	return &Kind{Name: "resources", Bare: true,
		Doc: "Counters and pools that nodes hold through needs.",
		Entry: &Entry{Form: IntOrStrList,
			Doc:     "A resource: how many nodes may hold it at once, or a list of members handed out one by one.",
			Example: `device: ["emulator-1", "emulator-2"]`}}
}

func workflowMCPBlock() *Kind {
	return &Kind{Name: "mcp", Bare: true,
		Doc: "The MCP servers of all nodes.",
		Props: join([]Property{
			{Name: "autoload_project", Form: Bool, Default: "true",
				Doc:     "Whether the project's own MCP configuration is read as well.",
				Example: `autoload_project: false`},
		}, serverRows())}
}

func nodeMCPBlock() *Kind {
	return &Kind{Name: "mcp", Bare: true,
		Doc: "The MCP servers of one node.",
		Props: join([]Property{
			{Name: "inherit", Form: Bool, Default: "true",
				Doc:     "Whether the workflow's servers are available too.",
				Example: `inherit: false`},
		}, serverRows())}
}

func serverRows() []Property {
	return []Property{
		{Name: "servers", Form: NameList, Ref: RefServer,
			Doc:     "Servers to make available.",
			Example: `servers: [docs_search]`},
		{Name: "disable", Form: NameList, Ref: RefServer,
			Doc:     "Servers to leave out.",
			Example: `disable: [browser]`},
	}
}
