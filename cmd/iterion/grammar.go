package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"iterion/grammar/expr"
	"iterion/grammar/reference"
)

func newGrammar(std streams) *cobra.Command {
	return &cobra.Command{
		Use:     "grammar",
		Short:   "Print the grammar of the language in EBNF",
		Example: "  iterion grammar > iterion.ebnf",
		Args:    takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(std.out, "// A file.\n\n%s\n\n// An expression: a condition, a field of a compute node, a loop's cap.\n\n%s\n",
				strings.TrimSpace(reference.EBNF()), strings.TrimSpace(expr.ReferenceEBNF()))
			return err
		},
	}
}
