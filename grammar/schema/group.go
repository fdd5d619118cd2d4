package schema

// groupKind and useKind have no rows: their headers are a syntax of their own.
func groupKind() *Kind {
	return &Kind{Name: "group", Named: true, Bare: true, Members: Edges | Nodes,
		Doc:     "Nodes and edges to be used several times, with parameters that are pasted into their texts.",
		Example: "group lint_pass(program):\n  tool scan:\n    command: \"{{params.program}} --json .\"\n"}
}

func useKind() *Kind {
	return &Kind{Name: "use",
		Doc:     "Places a copy of a group; its node n becomes PREFIX.n.",
		Example: "use lint_pass as lint with { program: \"markdownlint-cli2\" }\n"}
}
