package schema

func computeKind() *Kind {
	return &Kind{Name: "compute", Node: true, Named: true,
		Doc:     "Computes its output from expressions; nothing is called and nothing is spent.",
		Example: "compute tally:\n  output: totals\n  expr:\n    open: \"length(outputs.fetch.items)\"\n",
		Props: []Property{
			descriptionRow(), inputRow(), outputRow(), publishRow(), artifactLabelsRow(), awaitRow(),
			{Name: "expr", Form: Block, Block: exprBlock(), Require: true,
				Doc:     "One expression for each field of the output, at least one.",
				Example: "expr:\n  ready: \"outputs.review.score > 7\""},
		}}
}

func exprBlock() *Kind {
	return &Kind{Name: "expr",
		Doc: "Output fields with the expressions that give their values.",
		Entry: &Entry{Form: QStr, Text: Expression,
			Doc:     "An output field and its expression, in quotes; templates are not read here.",
			Example: `ready: "outputs.review.score > 7"`}}
}
