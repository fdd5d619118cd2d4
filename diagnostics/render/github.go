package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"iterion/diagnostics"
)

// GitHub prints a workflow command for every finding, which GitHub shows
// beside the line. Infos are left out unless they are asked for.
func GitHub(w io.Writer, reports []Report, info bool) error {
	out := bufio.NewWriter(w)
	for _, r := range reports {
		if r.Failure != "" {
			command(out, "error", diagnostics.Range{File: r.File}, "not checked", escape(r.Failure))
		}
	}
	shown, _ := Distinct(reports)
	for i := range shown {
		if d := &shown[i]; d.Severity != diagnostics.Info || info {
			row, _ := diagnostics.Lookup(d.Code)
			command(out, commandOf[d.Severity], d.Range, strings.TrimSpace(string(d.Code)+" "+row.Name), messageOf(d))
		}
	}
	return out.Flush()
}

var commandOf = map[diagnostics.Severity]string{
	diagnostics.Error: "error", diagnostics.Warning: "warning", diagnostics.Info: "notice",
}

// messageOf is a finding's text, each part on a line of its own.
func messageOf(d *diagnostics.Diagnostic) string {
	text := escape(d.Message)
	if fix := d.FixLine(); fix != "" {
		text += "\nfix: " + escape(fix)
	}
	for _, rel := range d.Related {
		text += "\nnote: " + place(rel.Range, d.Range.File) + ": " + escape(rel.Label)
	}
	return text
}

// command prints one workflow command. The message is escaped but for the
// newlines between its parts. GitHub takes columns only where both
// are on one line.
func command(out io.Writer, name string, at diagnostics.Range, title, message string) {
	fmt.Fprintf(out, "::%s file=%s", name, property(at.File))
	if at.Start.Line > 0 {
		fmt.Fprintf(out, ",line=%d", at.Start.Line)
		if at.Start.Line == at.End.Line {
			fmt.Fprintf(out, ",col=%d", at.Start.Column)
		}
		fmt.Fprintf(out, ",endLine=%d", at.End.Line)
		if at.Start.Line == at.End.Line {
			fmt.Fprintf(out, ",endColumn=%d", at.End.Column)
		}
	}
	fmt.Fprintf(out, ",title=%s::%s\n", property(title), data(message))
}

// data and property encode what would end a command or one of its properties.
func data(s string) string { return dataCodes.Replace(s) }

func property(s string) string { return propertyCodes.Replace(escape(s)) }

var (
	dataCodes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyCodes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
