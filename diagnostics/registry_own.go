package diagnostics

// ownRows are the checks beyond the public catalogue; their codes start with L.
var ownRows = []Row{
	{Code: "L001", Name: "unused-directive", Severity: Warning, Stage: Compile,
		Summary: "A `lint:` comment, or one of the codes in it, suppresses nothing.",
		Fix:     "Delete the code, or the comment."},
	{Code: "L002", Name: "unknown-code-in-directive", Severity: Warning, Stage: Compile,
		Summary: "A `lint:` comment names something that is no code.",
		Fix:     "Correct the code or the name; `iterion explain --list` prints all."},
	{Code: "L003", Name: "error-in-directive", Severity: Warning, Stage: Compile,
		Summary: "A `lint:` comment names a code that is an error there; only warnings can be allowed.",
		Fix:     "Fix the error, and delete the code from the comment."},
	{Code: "L010", Name: "edge-from-terminal", Severity: Error, Stage: Compile,
		Summary: "An edge leaves a terminal.",
		Fix:     "Delete the edge, or route before the terminal."},
}
