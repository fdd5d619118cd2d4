package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage writes the page of a verb in the man macros. cobra's own writer goes
// through Markdown; the parser that it needs would be set up at each start of
// the program, the hook's too.
func manPage(cmd *cobra.Command, date time.Time) []byte {
	var page bytes.Buffer
	fmt.Fprintf(&page, ".TH %q 1 %q iterion %q\n", strings.ToUpper(manName(cmd)), date.Format("2006-01-02"), "iterion manual")
	section := func(name string) { page.WriteString(".SH " + name + "\n") }

	section("NAME")
	page.WriteString(roff(manName(cmd)) + ` \- ` + roff(cmd.Short) + "\n")
	section("SYNOPSIS")
	page.WriteString(`\fB` + roff(cmd.UseLine()) + "\\fP\n")
	section("DESCRIPTION")
	description := cmd.Long
	if description == "" {
		description = cmd.Short + "."
	}
	for i, paragraph := range strings.Split(description, "\n\n") {
		if i > 0 {
			page.WriteString(".PP\n")
		}
		literal(&page, paragraph)
	}
	manOptions(&page, "OPTIONS", cmd.NonInheritedFlags())
	manOptions(&page, "OPTIONS OF EVERY VERB", cmd.InheritedFlags())
	if cmd.Example != "" {
		section("EXAMPLES")
		literal(&page, cmd.Example)
	}
	if related := manRelated(cmd); len(related) > 0 {
		section("SEE ALSO")
		page.WriteString(strings.Join(related, ", ") + "\n")
	}
	return page.Bytes()
}

// literal writes text whose lines stay as they are.
func literal(page *bytes.Buffer, text string) {
	page.WriteString(".nf\n" + roff(text) + "\n.fi\n")
}

func manOptions(page *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	page.WriteString(".SH " + title + "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		page.WriteString(".TP\n\\fB" + roff(name) + `\fP`)
		if value != "" {
			page.WriteString(` \fI` + roff(value) + `\fP`)
		}
		page.WriteString("\n" + roff(usage) + "\n")
	})
}

// manRelated are the pages of the verb above and of those below.
func manRelated(cmd *cobra.Command) []string {
	var list []string
	if cmd.HasParent() {
		list = append(list, `\fB`+roff(manName(cmd.Parent()))+`\fP(1)`)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, `\fB`+roff(manName(sub))+`\fP(1)`)
		}
	}
	return list
}

// manName is the name of a verb's page.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// roff writes text so that nothing in it is a request or an escape.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
