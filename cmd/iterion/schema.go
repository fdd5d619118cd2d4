package main

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"iterion/grammar/schema"
)

func newSchema(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "schema",
		Short:   "Print every declaration with its properties",
		Example: "  iterion schema | less\n  iterion schema --json | jq '.kinds[].name'",
		Args:    takes(0, 0, ""),
	}
	asJSON := cmd.Flags().Bool("json", false, "print the whole table as one JSON object")
	cmd.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			return schema.WriteJSON(std.out)
		}
		return schemaText(std.out)
	}
	return cmd
}

// schemaText prints a paragraph for each declaration.
func schemaText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, k := range schema.Kinds() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s\n  %s\n", k.Name, k.Doc)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		schemaRows(table, k, "    ")
		table.Flush() // its errors stay in out
	}
	return out.Flush()
}

// schemaRows prints the properties of a kind, those of nested blocks indented
// below the property that opens them.
func schemaRows(w io.Writer, k *schema.Kind, indent string) {
	for _, p := range k.Props {
		fmt.Fprintf(w, "%s%s\t%s\t%s\n", indent, p.Name, p.Form, p.Doc)
		if p.Block != nil {
			schemaRows(w, p.Block, indent+"  ")
		}
	}
	if e := k.Entry; e != nil {
		form := e.Form.String()
		if e.Typed != nil {
			form = "type"
		} else if e.Form == 0 {
			form = ""
		}
		fmt.Fprintf(w, "%s<name>\t%s\t%s\n", indent, form, e.Doc)
		if e.Block != nil {
			schemaRows(w, e.Block, indent+"  ")
		}
	}
}
