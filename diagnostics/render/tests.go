package render

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
)

// TestReport is the outcome of tests, by file.
type TestReport struct {
	Suites []TestSuite `json:"suites"`
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
	Reason string `json:"reason"`
	Want   string `json:"want"`
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
				fmt.Fprintf(out, "%s: %s: want %s, got %s: %s\n", escape(s.Name), escape(c.Name), c.Want, c.Got, escape(c.Reason))
			}
		}
	}
	all := r.count(func(TestCase) bool { return true })
	fmt.Fprintf(out, "result: %d passed, %d failed\n", all-r.Failed(), r.Failed())
	return out.Flush()
}

func (r *TestReport) junit(w io.Writer) error {
	all := junitSuites{Name: "iterion permission test"}
	for _, s := range r.Suites {
		suite := junitSuite{Name: escape(s.Name), Tests: len(s.Cases)}
		for _, c := range s.Cases {
			one := junitCase{Name: escape(c.Name), Class: escape(s.Name)}
			if c.Failed {
				suite.Failures++
				one.Failure = &junitFailure{Type: c.Got, Message: fmt.Sprintf("want %s, got %s", c.Want, c.Got), Text: escape(c.Reason)}
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
