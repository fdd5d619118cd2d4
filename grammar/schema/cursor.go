package schema

func cursorKind() *Kind {
	return &Kind{Name: "cursor", Named: true, Bare: true,
		Doc:     "A dial of behaviour: each setting adds a fragment to the system prompt.",
		Example: "cursor caution:\n  values:\n    bold: \"Decide when a label is likely.\"\n    careful: \"Decide only when the text names it.\"\n",
		Props: []Property{
			descriptionRow().about("What the dial changes."),
			{Name: "values", Form: Block, Block: valuesBlock(),
				Doc:     "Named settings, in order from low to high; either these or bands.",
				Example: "values:\n  bold: \"Decide when a label is likely.\""},
			{Name: "bands", Form: Block, Block: bandsBlock(),
				Doc:     "Settings by ranges within 0 and 1; either these or values.",
				Example: "bands:\n  \"0..0.4\": \"Be brief.\"\n  \"0.5..1\": \"Explain each step.\""},
		}}
}

func valuesBlock() *Kind {
	return &Kind{Name: "values",
		Doc: "The named settings of a cursor.",
		Entry: &Entry{Form: QStr, Twice: "C085",
			Doc:     "A setting's name and its fragment, in quotes.",
			Example: `careful: "Decide only when the text names it."`}}
}

func bandsBlock() *Kind {
	return &Kind{Name: "bands",
		Doc: "The ranges of a numeric cursor; both ends belong to a range, and no two may share a point.",
		Entry: &Entry{Key: StringKey, Form: QStr, Twice: "C085",
			Doc:     "A range, low and high end joined by two dots, and its fragment.",
			Example: `"0..0.4": "Be brief."`}}
}

func nodeCursorsBlock() *Kind {
	return &Kind{Name: "cursors", Bare: true,
		Doc: "The settings of cursors for one node.",
		Props: []Property{
			{Name: "enabled", Form: Bool, Default: "true",
				Doc:     "Whether the fragments are added at all.",
				Example: `enabled: false`},
		},
		Entry: &Entry{Form: Setting, Text: EnvText, Ref: RefCursor,
			Doc:     "A cursor and its setting: a value's name, a number from 0 to 1, or a quoted environment reference.",
			Example: `caution: careful`}}
}
