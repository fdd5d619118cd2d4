package schema

// String returns the form's name in the reference, such as "[str]" or "name|[name]".
func (f Form) String() string {
	return nameOf([]string{
		Str: "str", Word: "word", QStr: "qstr", Name: "name", Dotted: "dotted", StrOrName: "str|name",
		Int: "int", Num: "num", Bool: "bool", Enum: "enum", EnumOrEnv: "enum|env", OneOf: "one",
		Prompt: "prompt", StrOrNum: "str|num", Literal: "literal", Setting: "setting", JSON: "json",
		NameList: "[name]", StrList: "[str]", ToolList: "[tool]", StrOrNameList: "[str|name]",
		NameOrNameList: "name|[name]", IntOrStrList: "int|[str]",
		Map: "map", With: "with", Block: "block", WordOrBlock: "word|block",
	}, int(f))
}

// String returns the name of the namespace, "" for NoRef.
func (r Ref) String() string {
	return nameOf([]string{
		RefSchema: "schema", RefPrompt: "prompt", RefNode: "node", RefResource: "resource",
		RefContract: "contract", RefServer: "mcp_server", RefVar: "var", RefCursor: "cursor", RefGroup: "group",
	}, int(r))
}

// String returns a word for how references in the text are read.
func (t Text) String() string {
	return nameOf([]string{
		Plain: "plain", PromptText: "prompt", ShellText: "shell", ScriptText: "script", DataText: "data",
		Routing: "routing", WholeRef: "reference", Expression: "expression", EnvText: "env",
	}, int(t))
}

// String returns a word for the shape of the key.
func (k Key) String() string {
	return nameOf([]string{IdentKey: "ident", StringKey: "string", IdentOrStrKey: "ident|string"}, int(k))
}

// Words returns the names of what a body may hold besides properties.
func (m Members) Words() []string {
	var words []string
	if m&Edges != 0 {
		words = append(words, "edges")
	}
	if m&Nodes != 0 {
		words = append(words, "nodes")
	}
	return words
}

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "unknown"
	}
	return names[i]
}
