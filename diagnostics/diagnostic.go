// Package diagnostics is the vocabulary of findings: codes, severities, the
// registry of every code with its page, and the value that checks produce and
// every output renders.
package diagnostics

import (
	"cmp"

	"iterion/ast/source"
)

// Code is a finding's number as printed: E012, C019, L101.
type Code string

// Severity says what a finding does to the outcome. An error makes a program
// invalid, a warning never does, an info is shown on request only.
type Severity uint8

const (
	Error Severity = iota + 1
	Warning
	Info
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return "unknown"
}

// Stage is where a finding was made; it is printed as `source` in JSON.
type Stage uint8

const (
	Parse Stage = iota + 1
	Compile
	Bundle
)

func (s Stage) String() string {
	switch s {
	case Parse:
		return "parse"
	case Compile:
		return "compile"
	case Bundle:
		return "bundle"
	}
	return "unknown"
}

// Range is a place in a file for people: 1-based, columns in code points, the
// end exclusive. The offsets are the same place in bytes of the file's text.
type Range struct {
	File       string
	Start, End source.Position
	Offsets    source.Span
}

// Related is a second place that belongs to a finding, with a short label
// such as "declared here".
type Related struct {
	Range Range
	Label string
}

// Edit replaces the bytes of a range (Range.Offsets) by New.
type Edit struct {
	Range Range
	New   string
}

// FixKind tells who may apply a fix: a safe one keeps the program's meaning, a
// suggested one changes it, and a command is a verb of its own without edits.
type FixKind uint8

const (
	Safe FixKind = iota + 1
	Suggested
	Command
)

func (k FixKind) String() string {
	switch k {
	case Safe:
		return "safe"
	case Suggested:
		return "suggested"
	case Command:
		return "command"
	}
	return "unknown"
}

// Fix is a machine-applicable remedy. Its edits are in order and never overlap.
type Fix struct {
	ID    string // row of the fix table, e.g. "unquote-ref"
	Kind  FixKind
	Title string
	Edits []Edit
}

// Fixed is a finding with the fix that was applied; the place is the one before.
type Fixed struct {
	Finding Diagnostic
	Fix     Fix
}

// Diagnostic is one finding. Every output is rendered from a list of these.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Stage    Stage
	Message  string
	Hint     string // the fix line; empty takes the registry's
	Range    Range
	NodeID   string // the node it is about, "" for none
	EdgeID   string // "from->to", "" for none
	Field    string // dotted manifest path of a bundle finding
	Related  []Related
	Fixes    []Fix
	Reason   string // why the author allows it; of a suppressed finding only
}

// FixLine returns the line that says what to do: the finding's own, else the
// registry's for its code.
func (d *Diagnostic) FixLine() string {
	if d.Hint != "" {
		return d.Hint
	}
	if row, ok := Lookup(d.Code); ok {
		return row.Fix
	}
	return ""
}

// Compare orders findings: those with a place first, then file, line, column,
// code, node, edge, message, all bytewise. It is a total order over what is
// printed, so two runs print the same bytes.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(placeless(a), placeless(b)),
		cmp.Compare(a.Range.File, b.Range.File),
		cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
		cmp.Compare(a.Range.Start.Column, b.Range.Start.Column),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.NodeID, b.NodeID),
		cmp.Compare(a.EdgeID, b.EdgeID),
		cmp.Compare(a.Message, b.Message),
	)
}

func placeless(d Diagnostic) int {
	if d.Range.Start.Line == 0 {
		return 1
	}
	return 0
}
