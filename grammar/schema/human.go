package schema

func humanKind() *Kind {
	return &Kind{Name: "human", Node: true, Named: true,
		Doc:     "Asks a person, or a model on a person's behalf, and gives the answers as its output.",
		Example: "human approve:\n  output: decision\n  instructions: \"Publish to {{vars.branch}}?\"\n",
		Props: join(
			[]Property{
				descriptionRow(),
				inputRow().about("The schema that orders and types what the person is shown."),
				outputRow().about("The schema that makes up the form; it also types the answers."),
				publishRow(), artifactLabelsRow(),
				{Name: "instructions", Form: Prompt, Ref: RefPrompt, Text: PromptText,
					Doc:     "The question, in markdown: a prompt's name, or the text itself in quotes.",
					Example: `instructions: "Is this label right?"`},
				systemRow().about("The system message of the model that answers or assists."),
				modelRow().about("The model that answers or assists."),
				{Name: "interaction", Form: Enum, Default: "human", Values: humanModes(),
					Doc:     "Who answers, and how.",
					Example: `interaction: llm_or_human`},
				interactionPromptRow(), interactionModelRow(),
				{Name: "min_answers", Form: Int,
					Doc:     "How many fields of the form must be answered before the run goes on.",
					Example: `min_answers: 2`},
				awaitRow(),
			},
			reviewRows(),
		)}
}

func humanModes() []Value {
	return []Value{
		{"none", "Reads like human."},
		{"human", "A person answers; the run pauses until then."},
		{"llm", "A model answers in the person's place."},
		{"llm_or_human", "A model answers, or hands the question to a person."},
		{"review", "A person reviews the worktree in a conversation with a model."},
		{"human_or_host", "A person or the host application answers, whichever is first."},
		{"async", "Not for human nodes: an agent asks without waiting."},
	}
}

func reviewRows() []Property {
	return []Property{
		{Name: "review_url", Form: Word, Text: DataText,
			Doc:     "The pull or merge request that is reviewed.",
			Example: `review_url: "{{outputs.push.url}}"`},
		{Name: "posture", Form: StrOrName, Default: "human_required", Values: []Value{
			{"human_required", "Only a person can accept."},
			{"agent_verdict_ok", "The model's verdict is enough."},
		},
			Doc:     "Whose verdict closes a review.",
			Example: `posture: human_required`},
		{Name: "merge_strategy", Form: StrOrName, Default: "squash", Values: []Value{
			{"squash", "One commit holds all changes."},
			{"merge", "A merge commit keeps the history."},
		},
			Doc:     "How accepted work is merged.",
			Example: `merge_strategy: squash`},
		{Name: "merge_into", Form: StrOrName, Default: "current", Values: []Value{
			{"current", "The branch the run was started on."},
			{"none", "Nothing is merged."},
		},
			Doc:     "Where accepted work goes: current, none or the name of a branch.",
			Example: `merge_into: "release/2.0"`},
		{Name: "max_turns", Form: Int,
			Doc:     "The most turns with the model before a person must decide; absent, the runtime's limit.",
			Example: `max_turns: 6`},
	}
}
