package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/grammar/author"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/workspace"
)

func newCompile(std streams) *cobra.Command {
	var asJSON, hash bool
	cmd := &cobra.Command{
		Use:   "compile FILE",
		Short: "Compile a file and print the program",
		Long: `Compile a .bot file with what it imports, and print the program.

The hash names what a run can observe: a comment or another layout does not
change it.`,
		Example: "  iterion compile bots/review.bot\n  iterion compile --json bots/review.bot | jq .nodes\n  iterion compile --hash bots/review.bot",
		Args:    takes(1, 1, "one file"),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole program as one JSON object")
	cmd.Flags().BoolVar(&hash, "hash", false, "print the program's hash only")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON && hash {
			return misuse(cmd, "--json prints the program and --hash its hash: name one of them")
		}
		p, err := program(std, cmd, args[0], "")
		switch {
		case err != nil:
			return err
		case hash:
			_, err = fmt.Fprintln(std.out, p.Hash())
			return err
		case asJSON:
			return printProgram(std, p)
		}
		_, err = fmt.Fprintf(std.out, "workflow: %s\nnodes: %d\nedges: %d\nfiles: %d\nhash: %s\n",
			p.Workflow.Name, len(p.Nodes), len(p.Edges), len(p.Files), p.Hash())
		return err
	}
	return cmd
}

func printProgram(std streams, p *ir.Program) error {
	text, err := p.Encode()
	if err == nil {
		_, err = std.out.Write(text)
	}
	return err
}

// program builds the valid program that an argument names, as a `.bot`: a
// document is a way to write one, and never a program itself. A bundle must be
// content with the engine, if one is given.
func program(std streams, cmd *cobra.Command, arg, engine string) (*ir.Program, error) {
	if kind, _ := workspace.KindOf(arg); kind == workspace.Document {
		return nil, failf("%s: an author document is no program: write its .bot first, with `iterion fmt %s > %s`", arg, arg, author.Bot(arg))
	}
	return drawing(std, cmd, arg, engine)
}

// drawing is program for an author document too.
func drawing(std streams, cmd *cobra.Command, arg, engine string) (*ir.Program, error) {
	r, err := validUnit(std, cmd, arg, engine)
	if err != nil {
		return nil, err
	}
	return r.Program(), nil
}

// validUnit builds the valid unit that an argument names: a file, an author
// document, a folder with main.bot, a packed bundle, or - for the standard
// input. Findings go to the error channel.
func validUnit(std streams, cmd *cobra.Command, arg, engine string) (*build.Result, error) {
	u, err := unitFor(std, cmd, arg)
	if err != nil {
		return nil, err
	}
	u.in.Engine = engine
	r, err := u.build()
	if err != nil {
		return nil, failf("%s: %s", arg, reason(err))
	}
	report := reportOf(u.name, r)
	if report.Diagnostics = forLaunch(report.Diagnostics); len(report.Diagnostics) > 0 {
		dress, err := lookOf("auto", std.err)
		if err != nil {
			return nil, err
		}
		opt := render.TextOptions{Color: dress.color}
		if dress.snippet {
			opt.Snippet = textsOf(r).find
		}
		if err := render.Text(std.err, report, opt); err != nil {
			return nil, err
		}
	}
	if !r.Valid() {
		return nil, ended(exitFailed)
	}
	return r, nil
}

// forLaunch leaves out what only `validate` says: how a file would be read in
// another profile is nothing to one who runs it.
func forLaunch(list []diagnostics.Diagnostic) []diagnostics.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d diagnostics.Diagnostic) bool { return d.Code == "C144" })
}
