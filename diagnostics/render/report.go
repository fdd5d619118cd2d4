// Package render prints findings. Every form is made from the same Report, so
// no output knows more than another.
package render

import (
	"fmt"

	"iterion/diagnostics"
)

// Report is the outcome of validating one file or bundle.
type Report struct {
	File          string // as the user named it
	WorkflowName  string
	NodeCount     int
	EdgeCount     int
	BundleName    string // "" when the file belongs to no bundle
	BundleVersion string
	Diagnostics   []diagnostics.Diagnostic // in the order of diagnostics.Compare
	Suppressed    []diagnostics.Diagnostic // silenced by a directive of the author
	Failure       string                   // why the request could not be served, "" when it was
	Unread        int                      // of several paths, how many could not be checked
	Facts                                  // shown on request
}

// Valid tells whether the file was read and holds no error. Warnings do not
// count.
func (r *Report) Valid() bool {
	return r.Failure == "" && r.Unread == 0 && r.count(diagnostics.Error) == 0
}

// Distinct joins the findings of several reports, in their order. One in a
// fragment is found with each of the files that import it, and stands once.
func Distinct(reports []Report) (shown, suppressed []diagnostics.Diagnostic) {
	one, other := once{}, once{}
	for _, r := range reports {
		shown = one.add(shown, r.Diagnostics, r.File)
		suppressed = other.add(suppressed, r.Suppressed, r.File)
	}
	return shown, suppressed
}

// once is what was listed already.
type once map[onceKey]bool

type onceKey struct {
	code    diagnostics.Code
	at      diagnostics.Range
	message string
}

// add lists the findings of a file's report that are new.
func (seen once) add(list, more []diagnostics.Diagnostic, file string) []diagnostics.Diagnostic {
	for _, d := range more {
		if d.Range.File == "" {
			d.Range.File = file
		}
		if k := (onceKey{d.Code, d.Range, d.Message}); !seen[k] {
			seen[k] = true
			list = append(list, d)
		}
	}
	return list
}

func (r *Report) count(s diagnostics.Severity) int {
	n := 0
	for i := range r.Diagnostics {
		if r.Diagnostics[i].Severity == s {
			n++
		}
	}
	return n
}

// result is the closing line of the text form.
func (r *Report) result() string {
	word := "INVALID"
	if r.Valid() {
		word = "OK"
	}
	unread := ""
	if r.Unread > 0 {
		unread = ", " + plural(r.Unread, "path") + " not checked"
	}
	return fmt.Sprintf("result: %s (%s, %s, %d suppressed%s)", word,
		plural(r.count(diagnostics.Error), "error"),
		plural(r.count(diagnostics.Warning), "warning"), len(r.Suppressed), unread)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// place is `file:line:column`, or the file alone for a finding without a
// place; fallback is the name to use when the range has none.
func place(r diagnostics.Range, fallback string) string {
	name := r.File
	if name == "" {
		name = fallback
	}
	name = escape(name)
	if r.Start.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, r.Start.Line, r.Start.Column)
}

// headline is the first line of a finding, without colours.
func headline(d *diagnostics.Diagnostic, file string) string {
	return place(d.Range, file) + ": " + d.Severity.String() + " " + subject(d)
}

func subject(d *diagnostics.Diagnostic) string {
	return "[" + escape(string(d.Code)) + "]: " + escape(d.Message)
}
