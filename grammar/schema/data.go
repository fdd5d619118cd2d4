package schema

func builtinTypes() []string {
	return []string{"string", "bool", "int", "float", "json", "string[]"}
}

func varsBlock() *Kind {
	return &Kind{Name: "vars", Bare: true,
		Doc:     "The values a run is started with.",
		Example: "vars:\n  topic: string = \"tides\"\n  rounds: int = 3\n",
		Entry: &Entry{Text: EnvText,
			Typed:   &Typed{Types: builtinTypes(), Enum: true, Matching: true, Default: true},
			Doc:     "A variable with its type; without a default it must be given at launch.",
			Example: `audience: string [enum: "newcomer", "expert"] = "newcomer"`}}
}

func presetsBlock() *Kind {
	return &Kind{Name: "presets", Bare: true,
		Doc:     "Named sets of values for the vars, chosen at launch.",
		Example: "presets:\n  quick:\n    rounds: 1\n",
		Entry: &Entry{Block: presetBlock(), Twice: "C072",
			Doc:     "A preset: its name, then values of vars.",
			Example: "quick:\n  rounds: 1"}}
}

func presetBlock() *Kind {
	return &Kind{Name: "preset",
		Doc: "The values that one preset gives to vars.",
		Entry: &Entry{Form: Literal, Text: EnvText, Ref: RefVar, Twice: "C166",
			Doc:     "A declared var and its value.",
			Example: `rounds: 1`}}
}

func attachmentsBlock() *Kind {
	return &Kind{Name: "attachments", Bare: true,
		Doc:     "Files that the operator hands to a run.",
		Example: "attachments:\n  style_guide: file\n    accept_mime: [\"text/markdown\"]\n",
		Entry: &Entry{Typed: &Typed{Types: []string{"file", "image"}}, Block: attachmentBlock(), Twice: "C050",
			Doc:     "A file or an image, read as {{attachments.NAME}}.",
			Example: `screenshot: image`}}
}

func attachmentBlock() *Kind {
	return &Kind{Name: "attachment",
		Doc: "The details of one attachment.",
		Props: []Property{
			descriptionRow().about("What the operator is told about the file."),
			{Name: "accept_mime", Form: StrList,
				Doc:     "The accepted media types, such as image/*; absent, any.",
				Example: `accept_mime: ["text/markdown", "image/*"]`},
			{Name: "required", Form: Bool, Default: "false",
				Doc:     "Whether a run cannot start without the file.",
				Example: `required: true`},
		}}
}

func secretsBlock() *Kind {
	return &Kind{Name: "secrets", Bare: true,
		Doc:     "Values that models, logs and stored runs never see.",
		Example: "secrets:\n  forge_token:\n    as: file\n    env: GH_TOKEN_FILE\n",
		Entry: &Entry{Form: QStr, Text: EnvText, Bare: true, Block: secretBlock(), Twice: "C090",
			Doc:     "A secret: its name alone, with a value, or with a block; without a value it comes from the store.",
			Example: `forge_token: "${FORGE_TOKEN}"`}}
}

func secretBlock() *Kind {
	return &Kind{Name: "secret",
		Doc: "The details of one secret.",
		Props: []Property{
			{Name: "value", Form: Str, Text: EnvText,
				Doc:     "The value, usually an environment reference; absent, it is looked up in the store by name.",
				Example: `value: "${FORGE_TOKEN}"`},
			{Name: "as", Form: StrOrName, Default: "value", Values: []Value{
				{"value", "A placeholder in text, replaced where it is used."},
				{"file", "A mounted file whose path is handed over."},
			},
				Doc:     "How the secret reaches its user.",
				Example: `as: file`},
			{Name: "mount_path", Form: Word,
				Doc:     "The absolute path of the file; absent, the runtime chooses; with as: file only.",
				Example: `mount_path: "/run/secrets/token"`},
			{Name: "env", Form: StrOrName,
				Doc:     "The environment variable that holds the file's path; with as: file only.",
				Example: `env: GH_TOKEN_FILE`},
			{Name: "optional", Form: Bool, Default: "false",
				Doc:     "Whether a run may start without the secret.",
				Example: `optional: true`},
			{Name: "hosts", Form: StrList,
				Doc:     "The hosts the value may be sent to; absent, any.",
				Example: `hosts: ["api.github.com"]`},
			descriptionRow().about("What the secret is for."),
		}}
}

func promptKind() *Kind {
	return &Kind{Name: "prompt", Named: true, Bare: true,
		Doc:     "A named text for a model or a person; the indented lines are the text.",
		Example: "prompt label_system:\n  You sort tickets. Choose exactly one label.\n"}
}

func schemaKind() *Kind {
	types := append(builtinTypes(), "file")
	return &Kind{Name: "schema", Named: true, Bare: true,
		Doc:     "The fields of an input or an output, with their types.",
		Example: "schema verdict:\n  approved: bool\n  notes: string\n",
		Entry: &Entry{Typed: &Typed{Types: types, Enum: true},
			Doc:     "A field and its type; a string may be limited to a list of words.",
			Example: `severity: string [enum: "none", "minor", "major"]`}}
}
