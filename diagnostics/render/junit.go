package render

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"iterion/diagnostics"
)

// JUnit prints a test suite for every report. Every error is a failed test; a
// report without one is a test that passes, and one of a file that could not be
// checked a test that ended in an error. Warnings, and infos if they are asked
// for, are the suite's output.
func JUnit(w io.Writer, reports []Report, info bool) error {
	all := junitSuites{Name: "iterion validate"}
	for i := range reports {
		s := suiteOf(&reports[i], info)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Suites = append(all.Suites, s)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   *junitText  `xml:"system-out"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr,omitempty"` // seconds
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

func suiteOf(r *Report, info bool) junitSuite {
	s := junitSuite{Name: escape(r.File)}
	var output bytes.Buffer
	for i := range r.Diagnostics {
		switch d := &r.Diagnostics[i]; {
		case d.Severity == diagnostics.Error:
			s.Failures++
			s.Cases = append(s.Cases, caseOf(r, d))
		case d.Severity != diagnostics.Info || info:
			output.WriteString(block(r, d))
		}
	}
	switch {
	case r.Failure != "":
		s.Errors = 1
		s.Cases = []junitCase{{Name: "validate", Class: s.Name, Error: &junitFailure{Type: "not checked", Message: escape(r.Failure)}}}
	case len(s.Cases) == 0:
		s.Cases = []junitCase{{Name: "validate", Class: s.Name}}
	}
	s.Tests = len(s.Cases)
	if output.Len() > 0 {
		s.Output = &junitText{output.String()}
	}
	return s
}

// caseOf is the test that an error fails; its class is the file.
func caseOf(r *Report, d *diagnostics.Diagnostic) junitCase {
	c := junitCase{Name: string(d.Code), Class: escape(r.File)}
	if row, ok := diagnostics.Lookup(d.Code); ok {
		c.Name += " " + row.Name
	}
	if d.Range.File != "" {
		c.Class = escape(d.Range.File)
	}
	if at := d.Range.Start; at.Line > 0 {
		c.Name += fmt.Sprintf(" at %d:%d", at.Line, at.Column)
	}
	c.Failure = &junitFailure{Type: string(d.Code), Message: escape(d.Message), Text: block(r, d)}
	return c
}

// block is a finding in its text form.
func block(r *Report, d *diagnostics.Diagnostic) string {
	var b bytes.Buffer
	p := &printer{out: bufio.NewWriter(&b), report: r}
	p.finding(d, d.Severity.String())
	p.out.Flush() // a buffer never fails
	return b.String()
}
