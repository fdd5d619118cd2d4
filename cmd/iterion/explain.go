package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"iterion/diagnostics"
)

func newExplain(std streams) *cobra.Command {
	var list bool
	var color string
	cmd := &cobra.Command{
		Use:     "explain CODE|NAME",
		Short:   "Explain a finding, with an example that fails and one that passes",
		Example: "  iterion explain C018\n  iterion explain missing-model-or-backend\n  iterion explain --list",
		Args:    takes(0, 1, "one code or name"),
	}
	cmd.Flags().BoolVar(&list, "list", false, "list every code")
	colorFlag(cmd, &color)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dress, err := lookOf(color, std.out)
		switch {
		case err != nil:
			return err
		case list && len(args) > 0:
			return misuse(cmd, "--list takes no code")
		case list:
			return listCodes(std.out)
		case len(args) == 0:
			return misuse(cmd, "a code or name is missing, such as C018; --list prints all")
		}
		return explain(std.out, args[0], dress)
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var codes []string
		for _, row := range diagnostics.All() {
			codes = append(codes, string(row.Code)+"\t"+row.Name)
		}
		return codes, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func explain(out io.Writer, name string, dress look) error {
	row, ok := diagnostics.ByName(name)
	if !ok {
		return failf("there is no finding %q%s\n    `iterion explain --list` prints all", name, nearCode(name))
	}
	page, _ := diagnostics.Page(row.Code)
	if dress.snippet {
		page = dressPage(page, dress.color)
	}
	_, err := io.WriteString(out, page)
	return err
}

func nearCode(name string) string {
	var names []string
	for _, row := range diagnostics.All() {
		names = append(names, row.Name, string(row.Code))
	}
	if near := didYouMean(name, names, ""); near != "" {
		return near
	}
	return didYouMean(strings.ToUpper(name), names, "")
}

func listCodes(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range diagnostics.All() {
		severity := row.Severity.String()
		if row.Or != 0 {
			severity += "|" + row.Or.String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", row.Code, severity, row.Name, row.Summary)
	}
	return table.Flush()
}
