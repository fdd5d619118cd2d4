package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"iterion/diagnostics"
)

// streams are the three channels of a process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute runs one command line and returns its exit status.
func execute(args []string, std streams) int {
	return guarded(std.err, func() int {
		root := rootFor(std, args)
		root.SetArgs(args)
		cmd, err := root.ExecuteC()
		return conclude(std.err, cmd, err)
	})
}

// conclude prints what a verb ended with. An error that is no status is one of
// reading or writing.
func conclude(stderr io.Writer, cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	var s *status
	if !errors.As(err, &s) {
		s = &status{exitUsage, err.Error()}
	}
	if s.message != "" {
		fmt.Fprintf(stderr, "%s: %s\n", strings.ReplaceAll(cmd.CommandPath(), " ", ": "), visible(s.message))
	}
	return s.code
}

const about = `iterion checks, formats, explains and runs .bot files: workflows of agents,
tools, people and routers, written as text.

Exit status: 0 fine; 1 an invalid file, a file that would change, a failed run;
2 a wrong request or a file that cannot be read; 3 a run waits for a person;
4 a run failed and may be run again; 70 a defect of iterion; 130 cancelled.`

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:               "iterion",
		Short:             "Check, format, explain and run .bot files",
		Long:              about,
		Example:           "  iterion validate bots/\n  iterion fmt --check .\n  iterion run hello.bot --var limit=25",
		Version:           versionLine(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              noVerb,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		DisableAutoGenTag: true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	return root
}

// refuseUnknownShells makes cobra's completion verb strict: it would answer a
// shell that it does not know with its help and success.
func refuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = noVerb
			c.Example = "  source <(iterion completion bash)"
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// newHelp is the verb that prints another's help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [verb]",
		Short: "Help about a verb",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noVerb(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

// noVerb refuses a first argument that is no verb.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	return misuse(cmd, "there is no verb %q%s", args[0], didYouMean(args[0], verbs, ""))
}

// flagError says what is wrong with a flag, and which one may be meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
		if unknown.GetSpecifiedShortnames() != "" {
			return misuse(cmd, "there is no flag -%s; a file of that name stands after `--`", name)
		}
		return misuse(cmd, "there is no flag --%s%s", name, didYouMean(name, flags, "--"))
	case errors.As(err, &invalid):
		return misuse(cmd, "--%s takes %s, not %q", invalid.GetFlag().Name, kindOf(invalid.GetFlag()), invalid.GetValue())
	}
	return misuse(cmd, "%s", err)
}

// takes bounds the number of arguments that are no flags; what names them.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse(cmd, "%s is missing", what)
		case len(args) > most && most == 0:
			return misuse(cmd, "it takes no arguments, but got %q", args[0])
		case len(args) > most:
			return misuse(cmd, "it takes %s only, but got %q too", what, args[most])
		}
		return nil
	}
}

// misuse is a wrong command line.
func misuse(cmd *cobra.Command, format string, args ...any) error {
	return failf("%s\n    see `%s --help`", fmt.Sprintf(format, args...), cmd.CommandPath())
}

func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 90s or 5m"
	}
	return f.Value.Type()
}

// completes offers the words of a flag to the shell.
func completes(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is not there
	}
}

// orList is `a, b or c`.
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// andList writes words as an enumeration.
func andList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func didYouMean(word string, candidates []string, prefix string) string {
	if near, ok := diagnostics.Nearest(word, candidates); ok {
		return fmt.Sprintf("; did you mean `%s%s`?", prefix, near)
	}
	return ""
}
