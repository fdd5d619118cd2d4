package render

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// TestReport is the outcome of tests, by file.
type TestReport struct {
	Suites []TestSuite `json:"suites"`
	Verb   string      `json:"-"` // that ran them
}

// TestSuite is the tests of one file.
type TestSuite struct {
	Cases []TestCase `json:"cases"`
	Name  string     `json:"name"`
}

// TestCase is one test.
type TestCase struct {
	Failed bool   `json:"failed"`
	Got    string `json:"got"`
	Name   string `json:"name"`
	Reason string `json:"reason"` // may have several lines
	Want   string `json:"want"`

	Seconds float64 `json:"seconds,omitempty"` // that the test took
}

// Failed counts the tests that failed.
func (r *TestReport) Failed() int { return r.count(func(c TestCase) bool { return c.Failed }) }

func (r *TestReport) count(fits func(TestCase) bool) int {
	n := 0
	for _, s := range r.Suites {
		for _, c := range s.Cases {
			if fits(c) {
				n++
			}
		}
	}
	return n
}

// Print prints the report as text, json or junit.
func (r *TestReport) Print(w io.Writer, format string) error {
	switch format {
	case "json":
		return Encode(w, r)
	case "junit":
		return r.junit(w)
	}
	out := bufio.NewWriter(w)
	for _, s := range r.Suites {
		for _, c := range s.Cases {
			if c.Failed {
				fmt.Fprintf(out, "%s: %s: want %s, got %s: %s\n", escape(s.Name), escape(c.Name), c.Want, c.Got, c.lines())
			}
		}
	}
	_ = r.Sum(out) // Flush tells
	return out.Flush()
}

// Sum prints the last line of a report.
func (r *TestReport) Sum(w io.Writer) error {
	all := r.count(func(TestCase) bool { return true })
	_, err := fmt.Fprintf(w, "result: %d passed, %d failed\n", all-r.Failed(), r.Failed())
	return err
}

// Line prints how one test went, for tests that are told one by one; of one that
// failed also why.
func (c TestCase) Line(w io.Writer, suite string) error {
	mark := "✓"
	if c.Failed {
		mark = "✗"
	}
	text := fmt.Sprintf("%s %s: %s (%.2fs)\n", mark, escape(suite), escape(c.Name), c.Seconds)
	if c.Failed {
		for line := range strings.Lines(c.lines()) {
			text += "    " + line
		}
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// lines is the reason, each of its lines made safe to print.
func (c TestCase) lines() string {
	list := strings.Split(c.Reason, "\n")
	for i := range list {
		list[i] = escape(list[i])
	}
	return strings.Join(list, "\n")
}

func (r *TestReport) junit(w io.Writer) error {
	all := junitSuites{Name: "iterion " + r.Verb}
	for _, s := range r.Suites {
		suite := junitSuite{Name: escape(s.Name), Tests: len(s.Cases)}
		for _, c := range s.Cases {
			one := junitCase{Name: escape(c.Name), Class: escape(s.Name)}
			if c.Seconds > 0 {
				one.Time = fmt.Sprintf("%.3f", c.Seconds)
			}
			if c.Failed {
				suite.Failures++
				one.Failure = &junitFailure{Type: c.Got, Message: fmt.Sprintf("want %s, got %s", c.Want, c.Got), Text: c.lines()}
			}
			suite.Cases = append(suite.Cases, one)
		}
		all.Tests, all.Failures = all.Tests+suite.Tests, all.Failures+suite.Failures
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
