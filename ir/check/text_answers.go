package check

import (
	"slices"

	"iterion/ir"
	"iterion/ir/scope"
)

// checkAnswers: C129, only a person hands over a file; C130, the key that the
// engine fills itself.
func checkAnswers(c *Context, n *scope.Node) {
	s := n.OutputSchema
	if s == nil {
		return
	}
	file := slices.IndexFunc(s.Fields, func(f ir.Field) bool { return f.Type == "file" })
	if file >= 0 && !asksPerson(n) {
		c.node("C129", n, n.Output.Span, "`%s` gives the file `%s`, and no person is asked for it there", n.Name, s.Fields[file].Name).
			See(s.Tree, s.Fields[file].NameSpan, "the file")
	}
	if f := s.Field("_attachments"); f != nil && n.Human != nil {
		c.out.Add("C130", s.Tree, f.NameSpan, "`_attachments` is written by the engine beside a person's answers").
			See(n.Tree, n.Output.Span, "the answers")
	}
}

// asksPerson tells whether a node pauses until an operator has answered.
func asksPerson(n *scope.Node) bool {
	return n.Human != nil && n.Human.Interaction.V != "llm" && n.Human.Interaction.V != "review"
}
