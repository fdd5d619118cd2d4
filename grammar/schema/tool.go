package schema

func toolKind() *Kind {
	return &Kind{Name: "tool", Node: true, Named: true,
		Doc:     "Runs a command, a script or a connector's operation; no model is involved.",
		Example: "tool lint:\n  command: \"lint --json {{vars.path}}\"\n  output: findings\n",
		Props: join(
			[]Property{descriptionRow()},
			recipeRows(),
			[]Property{inputRow(), outputRow(), publishRow(), artifactLabelsRow(), awaitRow(), sandboxRow("")},
			compressRows(),
			[]Property{
				{Name: "permission", Form: Name, Values: permissionValues(),
					Doc:     "Read, but never enforced: the gate covers the calls of models only.",
					Example: `permission: off`},
				needsRow(),
				{Name: "parallel_safe", Form: Bool, Default: "false",
					Doc:     "Promises that replays under fan_out_each write to separate places.",
					Example: `parallel_safe: true`},
			},
			verifyRows(),
			[]Property{{Name: "params", Form: Block, Block: paramsBlock(),
				Doc:     "The parameters of the connector's operation.",
				Example: "params:\n  channel: \"#releases\"\n  limit: 20"}},
		)}
}

func recipeRows() []Property {
	return []Property{
		{Name: "command", Form: Str, Text: ShellText,
			Doc:     "A shell command for bash -c; every reference in it becomes a quoted word.",
			Example: `command: "gh issue list --search {{vars.query}}"`},
		{Name: "script", Form: Str, Text: ScriptText,
			Doc:     "A script for the interpreter of language; every reference in it becomes a JSON literal.",
			Example: "script: |\n  console.log(JSON.stringify({ n: {{input.n}} }))"},
		{Name: "language", Form: OneOf, Default: "sh", Values: []Value{
			{"js", "JavaScript, with node."},
			{"node", "JavaScript, with node."},
			{"py", "Python 3."},
			{"python", "Python 3."},
			{"python3", "Python 3."},
			{"sh", "The POSIX shell."},
			{"bash", "Bash."},
		},
			Doc:     "The interpreter of script.",
			Example: `language: python`},
		{Name: "action", Form: StrOrName,
			Doc:     "A connector's operation: at least three lower-case words joined by dots.",
			Example: `action: slack.chat.post_message`},
		{Name: "connection", Form: StrOrName,
			Doc:     "The stored credential that the action uses; an action needs one.",
			Example: `connection: team_slack`},
		{Name: "retry", Form: StrOrNum, Default: "0",
			Doc:     "How many more times a failed action is tried.",
			Example: `retry: 2`},
		{Name: "timeout", Form: StrOrNum, Text: EnvText,
			Doc:     "The longest one call of the action may take; absent, no limit.",
			Example: `timeout: 30s`},
	}
}

func verifyRows() []Property {
	return []Property{
		{Name: "goal", Form: Str,
			Doc:     "What the command is to achieve, in one line.",
			Example: `goal: "The branch on the forge holds this commit"`},
		{Name: "postcondition", Form: Str, Text: ShellText,
			Doc:     "A shell command whose exit code decides whether the goal is reached.",
			Example: `postcondition: "test -s report.json"`},
		{Name: "policy", Form: OneOf, Default: "required", Values: []Value{
			{"required", "A missed goal fails the node."},
			{"recover", "A missed goal is repaired as recovery says, then checked again."},
			{"best_effort", "A missed goal is noted and the run goes on."},
		},
			Doc:     "What happens when the goal is not reached.",
			Example: `policy: recover`},
		{Name: "recovery", Form: Block, Block: recoveryBlock(),
			Doc:     "How a missed goal is repaired; it needs postcondition and policy: recover.",
			Example: "recovery:\n  max_repair_attempts: 2"},
	}
}

func recoveryBlock() *Kind {
	return &Kind{Name: "recovery", Bare: true,
		Doc: "The means of repair of a verified command.",
		Props: []Property{
			{Name: "max_repair_attempts", Form: Int, Default: "1",
				Doc:     "How many times a model may repair the command.",
				Example: `max_repair_attempts: 2`},
			{Name: "max_agent_attempts", Form: Int, Default: "0",
				Doc:     "How many times an agent with tools may reach the goal instead.",
				Example: `max_agent_attempts: 1`},
			modelRow().about("The model that repairs."),
			{Name: "agent_tools", Form: ToolList,
				Doc:     "The tools of the repairing agent.",
				Example: `agent_tools: [read_file, bash]`},
		}}
}

func paramsBlock() *Kind {
	return &Kind{Name: "params", Bare: true,
		Doc: "Parameters by name; a value is rendered, then read as the type the operation declares.",
		Entry: &Entry{Key: IdentOrStrKey, Form: StrOrNum, Text: ShellText, Twice: "C264",
			Doc:     "A parameter; a name that is no identifier is quoted.",
			Example: `"thread-id": "{{outputs.ask.thread}}"`}}
}
