package main

import "github.com/spf13/cobra"

func newModel(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "model",
		Short:   "Play models from a script",
		Long:    "Play models from a script, so that programs which need one run without it.",
		Example: "  iterion model serve --script turns.yaml",
		Args:    noVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelServe(std))
	return cmd
}
