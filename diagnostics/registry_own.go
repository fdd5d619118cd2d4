package diagnostics

// ownRows are the checks beyond the public catalogue; their codes start with L.
var ownRows = []Row{
	{Code: "L010", Name: "edge-from-terminal", Severity: Error, Stage: Compile,
		Summary: "An edge leaves a terminal.",
		Fix:     "Delete the edge, or route before the terminal."},
}
