package main

import (
	"io"

	"github.com/spf13/cobra"

	"iterion/ir/diagram"
)

func newDiagram(std streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "diagram FILE",
		Short:   "Draw a workflow as a graph",
		Long:    "Print the graph of a .bot file, or of the one that a YAML author document\n(x.bot.yaml) stands for, for Mermaid or Graphviz,\nor as an SVG picture.",
		Example: "  iterion diagram bots/review.bot\n  iterion diagram --format dot bots/review.bot | dot -Tpng > review.png\n  iterion diagram --format svg bots/review.bot > review.svg",
		Args:    takes(1, 1, "one file"),
	}
	cmd.Flags().StringVar(&format, "format", "mermaid", "mermaid, dot or svg")
	completes(cmd, "format", []string{"mermaid", "dot", "svg"})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		draw := diagram.Mermaid
		switch format {
		case "mermaid":
		case "dot":
			draw = diagram.DOT
		case "svg":
			draw = diagram.SVG
		default:
			return misuse(cmd, "--format takes mermaid, dot or svg, not %q", format)
		}
		p, err := drawing(std, cmd, args[0], "")
		if err != nil {
			return err
		}
		_, err = io.WriteString(std.out, draw(p))
		return err
	}
	return cmd
}
