package schema

func contractKind() *Kind {
	return &Kind{Name: "contract", Named: true, Bare: true,
		Doc:     "What a workflow promises to those who start it: inputs, outputs, criteria and effects.",
		Example: "contract docs:\n  responsibility: \"Writes documentation pages\"\n  outputs:\n    url: string\n      from: push.url\n",
		Props: []Property{
			{Name: "display_name", Form: Str,
				Doc:     "The name that people are shown.",
				Example: `display_name: "Documentation writer"`},
			{Name: "responsibility", Form: Str,
				Doc:     "What the workflow takes care of, in one sentence.",
				Example: `responsibility: "Writes documentation pages and publishes them"`},
			{Name: "version", Form: Int, Default: "1",
				Doc:     "The contract's version, at least 1.",
				Example: `version: 2`},
			{Name: "inputs", Form: Block, Block: portsBlock("inputs", "The ports a run takes in; each is a declared var."),
				Doc:     "What a run takes in.",
				Example: "inputs:\n  goal: string"},
			{Name: "outputs", Form: Block, Block: portsBlock("outputs", "The ports a run gives back; each names where its value comes from."),
				Doc:     "What a run gives back.",
				Example: "outputs:\n  url: string\n    from: push.url"},
			{Name: "criteria", Form: Block, Block: criteriaBlock(),
				Doc:     "Statements that hold for the ports.",
				Example: "criteria:\n  long_enough:\n    kind: min_length\n    port: input.goal\n    params: {min: 10}"},
			{Name: "effects", Form: Block, Block: effectsBlock(),
				Doc:     "What a run changes outside the workspace.",
				Example: "effects:\n  pushes_branch:\n    description: \"Pushes a branch to the forge\""},
		}}
}

func portsBlock(name, doc string) *Kind {
	return &Kind{Name: name, Bare: true, Doc: doc,
		Entry: &Entry{Block: portBlock(), Twice: "C300",
			Typed:   &Typed{Types: append(builtinTypes(), "file"), Schemas: true},
			Doc:     "A port and its type: a builtin or a schema, with [] for each level of list.",
			Example: `findings: finding[]`}}
}

func portBlock() *Kind {
	return &Kind{Name: "port",
		Doc: "The details of one port.",
		Props: []Property{
			descriptionRow().about("What the port carries."),
			{Name: "required", Form: Bool, Default: "true",
				Doc:     "Whether the value must be there.",
				Example: `required: false`},
			{Name: "nullable", Form: Bool, Default: "false",
				Doc:     "Whether null is a legal value.",
				Example: `nullable: true`},
			{Name: "default", Form: JSON,
				Doc:     "The value when none is given, as JSON; for inputs only.",
				Example: `default: {depth: 2, tags: ["a"]}`},
			{Name: "min_items", Form: Int,
				Doc:     "The fewest elements of a list.",
				Example: `min_items: 1`},
			{Name: "max_items", Form: Int,
				Doc:     "The most elements of a list.",
				Example: `max_items: 20`},
			{Name: "from", Form: Dotted, Ref: RefNode,
				Doc:     "Where an output comes from: a node, or a field of its output.",
				Example: `from: push.url`},
			{Name: "file", Form: Block, Block: portFileBlock(),
				Doc:     "What is known of the file that an output is.",
				Example: "file:\n  media_type: \"text/markdown\""},
		}}
}

func portFileBlock() *Kind {
	return &Kind{Name: "file", Bare: true,
		Doc: "The file behind an output port.",
		Props: []Property{
			{Name: "media_type", Form: Word,
				Doc:     "The file's media type.",
				Example: `media_type: "text/markdown"`},
			{Name: "min_bytes", Form: Int,
				Doc:     "The smallest size in bytes.",
				Example: `min_bytes: 1`},
			{Name: "schema", Form: Name, Ref: RefSchema,
				Doc:     "The schema that the content of a JSON file matches.",
				Example: `schema: report`},
		}}
}

func criteriaBlock() *Kind {
	return &Kind{Name: "criteria", Bare: true,
		Doc: "Named statements about the ports; they are declared, not evaluated by a run.",
		Entry: &Entry{Bare: true, Block: criterionBlock(),
			Doc:     "A criterion: its name, then what it says.",
			Example: "long_enough:\n  kind: min_length\n  port: input.goal\n  params: {min: 10}"}}
}

func criterionBlock() *Kind {
	return &Kind{Name: "criterion",
		Doc: "One statement about a port.",
		Props: []Property{
			{Name: "kind", Form: Dotted, Require: true, Values: []Value{
				{"min_length", "A string or a list has at least params.min characters or elements."},
				{"pattern", "A string matches the regular expression params.pattern."},
			},
				Doc:     "The kind of statement.",
				Example: `kind: min_length`},
			{Name: "port", Form: Dotted, Require: true,
				Doc:     "The port it is about: input.NAME or output.NAME.",
				Example: `port: output.url`},
			{Name: "params", Form: JSON,
				Doc:     "The parameters of the kind, as a JSON object.",
				Example: `params: {min: 10}`},
		}}
}

func effectsBlock() *Kind {
	return &Kind{Name: "effects", Bare: true,
		Doc: "The named effects of a run on the world.",
		Entry: &Entry{Bare: true, Block: effectBlock(), Twice: "C300",
			Doc:     "An effect: its name, alone or with a block.",
			Example: "pushes_branch:\n  paid: false"}}
}

func effectBlock() *Kind {
	return &Kind{Name: "effect",
		Doc: "The details of one effect.",
		Props: []Property{
			descriptionRow().about("What is changed."),
			{Name: "paid", Form: Bool,
				Doc:     "Whether it costs money beyond the models.",
				Example: `paid: true`},
		}}
}
