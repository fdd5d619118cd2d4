package diagnostics

// authorRows are the findings of reading a YAML author document.
var authorRows = []Row{
	{Code: "E050", Name: "author-document", Severity: Error, Stage: Parse,
		Summary: "An author document is not one plain YAML mapping.",
		Fix:     "Write one YAML mapping without anchors, aliases, tags, merge keys and repeated keys."},
	{Code: "E051", Name: "author-value", Severity: Error, Stage: Parse,
		Summary: "A value of an author document lacks the shape that its key takes.",
		Fix:     "Give the value the shape that the message names; quote a text that YAML reads as a number or a bool."},
	{Code: "E052", Name: "author-header", Severity: Error, Stage: Parse,
		Summary: "An author document does not say which profile it is written in.",
		Fix:     "Add `dsl: 2` at the top."},
	{Code: "E053", Name: "author-text-reread", Severity: Warning, Or: Error, Stage: Parse,
		Summary: "A text of an author document is read otherwise than it is written there.",
		Fix:     "Write the text as it is to be read, or quote it."},
	{Code: "E054", Name: "author-no-written-form", Severity: Error, Stage: Parse,
		Summary: "The `.bot` that an author document stands for is another program.",
		Fix:     "Write the construct at this place in another way."},
	{Code: "E055", Name: "author-separators", Severity: Warning, Stage: Parse,
		Summary: "An author document holds invisible line separators.",
		Fix:     "Replace each by a line break, or take it out."},
}
