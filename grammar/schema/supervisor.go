package schema

func supervisorKind() *Kind {
	return &Kind{Name: "supervisor", Named: true, Bare: true,
		Doc:     "A model that watches agents while they run and may send them a message; no edge reaches it.",
		Example: "supervisor coach:\n  watches: [revise]\n  system: \"Speak only when a failing step is repeated.\"\n",
		Props: []Property{
			{Name: "watches", Form: NameList, Ref: RefNode,
				Doc:     "The agents it watches; absent, the whole run.",
				Example: `watches: [plan, revise]`},
			{Name: "model", Form: Word,
				Doc:     "The watching model, without references; absent, that of the watched nodes.",
				Example: `model: "anthropic/claude-sonnet-5"`},
			systemRow().about("What it looks for: a prompt's name, or the text itself in quotes."),
			{Name: "cooldown", Form: Word, Default: `"30s"`,
				Doc:     "The shortest time between two looks.",
				Example: `cooldown: "1m"`},
			{Name: "max_evals", Form: Int, Default: "20",
				Doc:     "How many times it looks during a run.",
				Example: `max_evals: 10`},
			{Name: "monitors", Form: StrList,
				Doc:     "Patterns of events that make it look at once.",
				Example: `monitors: ["event_type=budget_warning"]`},
		}}
}
