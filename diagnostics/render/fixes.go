package render

import (
	_ "embed"
	"fmt"
	"io"

	"iterion/diagnostics"
)

// FixSchema is the JSON Schema (2020-12) of what FixJSON prints.
//
//go:embed fix.schema.json
var FixSchema string

// FixReport is the outcome of applying fixes to the files of one request.
type FixReport struct {
	Files []FixedFile // by name; those about which there is something to say
	Dry   bool        // nothing was written
	More  int         // findings left that a suggested fix would remedy
}

// FixedFile is one file of a FixReport.
type FixedFile struct {
	Name    string
	Fixed   []diagnostics.Fixed // in the order in which they were applied
	Diff    string              // of a dry run
	Undone  string              // why all fixes of the file were taken back, "" when they were not
	Failure string              // why the file could not be read or written, "" when it was
}

// FixText prints what was fixed, a line for each finding, and one result line.
func FixText(w io.Writer, r FixReport) error {
	verb := "fixed"
	if r.Dry {
		verb = "would fix"
	}
	findings, files := 0, 0
	for _, f := range r.Files {
		for _, x := range f.Fixed {
			findings++
			if _, err := fmt.Fprintf(w, "%s: %s [%s]: %s (%s)\n", place(x.Finding.Range, f.Name), verb, x.Finding.Code, x.Fix.Title, x.Fix.ID); err != nil {
				return err
			}
		}
		if len(f.Fixed) > 0 {
			files++
		}
	}
	more := ""
	if r.More > 0 {
		more = fmt.Sprintf("; --suggested would fix %d more", r.More)
	}
	_, err := fmt.Fprintf(w, "result: %s %s in %s%s\n", verb, plural(findings, "finding"), plural(files, "file"), more)
	return err
}

// FixJSON prints the report as one object.
func FixJSON(w io.Writer, r FixReport) error {
	out := fixReportJSON{Dry: r.Dry, Files: make([]fixedFileJSON, len(r.Files)), More: r.More}
	for i, f := range r.Files {
		out.Files[i] = fixedFileJSON{Diff: f.Diff, Failure: f.Failure, File: f.Name, Undone: f.Undone}
		for _, x := range f.Fixed {
			out.Files[i].Fixed = append(out.Files[i].Fixed, fixedJSON{
				Code: string(x.Finding.Code), Column: x.Finding.Range.Start.Column, ID: x.Fix.ID, Kind: x.Fix.Kind.String(),
				Line: x.Finding.Range.Start.Line, Message: x.Finding.Message, Title: x.Fix.Title,
			})
		}
	}
	return Encode(w, out)
}

type fixReportJSON struct {
	Dry   bool            `json:"dry_run,omitempty"`
	Files []fixedFileJSON `json:"files"`
	More  int             `json:"suggested_left,omitempty"`
}

type fixedFileJSON struct {
	Diff    string      `json:"diff,omitempty"`
	Failure string      `json:"failure,omitempty"`
	File    string      `json:"file"`
	Fixed   []fixedJSON `json:"fixed,omitempty"`
	Undone  string      `json:"undone,omitempty"`
}

type fixedJSON struct {
	Code    string `json:"code"`
	Column  int    `json:"column"`
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Line    int    `json:"line"`
	Message string `json:"message"`
	Title   string `json:"title"`
}
