package main

import "github.com/spf13/cobra"

// verb is a word behind the program's name and what makes its command.
type verb struct {
	name string
	make func(streams) *cobra.Command
}

// verbs are all of them in the order in which people meet them.
func verbs() []verb {
	return []verb{
		{"fmt", newFmt}, {"validate", newValidate}, {"fix", newFix}, {"migrate", newMigrate}, {"explain", newExplain},
		{"schema", newSchema}, {"compile", newCompile}, {"diagram", newDiagram}, {"bundle", newBundle}, {"permission", newPermission},

		{"run", newRun}, {"resume", newResume}, {"cancel", newCancel}, {"test", newTest},
		{"runs", newRuns}, {"events", newEvents}, {"inspect", newInspect}, {"report", newReport}, {"model", newModel},
		{"lsp", newLSP}, {"grammar", newGrammar}, {"man", newMan}, {"version", newVersion},
	}
}

// rootFor is the command that a command line needs. The commands of all verbs
// take longer to make than a small file takes to check, so a verb that is named
// comes alone; man describes the others too.
func rootFor(std streams, args []string) *cobra.Command {
	if len(args) == 0 || args[0] == "man" {
		return wholeRoot(std)
	}
	for _, v := range verbs() {
		if v.name == args[0] {
			root := newRoot(std)
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(v.make(std))
			return root
		}
	}
	return wholeRoot(std)
}

// wholeRoot has every verb.
func wholeRoot(std streams) *cobra.Command {
	root := newRoot(std)
	for _, v := range verbs() {
		root.AddCommand(v.make(std))
	}
	refuseUnknownShells(root)
	return root
}
