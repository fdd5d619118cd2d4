package render_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/render"
)

// several is one request over several paths; two of them share a fragment.
func several() []render.Report {
	s := samples()
	return []render.Report{s["clean"], s["failure"], s["all"], s["warning"]}
}

func printed(t *testing.T, print func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := print(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sarif(t *testing.T, reports ...render.Report) []byte {
	return printed(t, func(w io.Writer) error { return render.SARIF(w, reports, "1.2.3") })
}

func github(t *testing.T, info bool, reports ...render.Report) []byte {
	return printed(t, func(w io.Writer) error { return render.GitHub(w, reports, info) })
}

func junit(t *testing.T, info bool, reports ...render.Report) []byte {
	return printed(t, func(w io.Writer) error { return render.JUnit(w, reports, info) })
}

func TestFormats(t *testing.T) {
	for name, r := range samples() {
		golden(t, name+".sarif", sarif(t, r))
		golden(t, name+".github", github(t, false, r))
		golden(t, name+".xml", junit(t, false, r))
	}
	golden(t, "several.sarif", sarif(t, several()...))
	golden(t, "several.github", github(t, true, several()...))
	golden(t, "several.xml", junit(t, true, several()...))
}

// officialSARIF is the schema that the format's own committee publishes.
func officialSARIF(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, string(text))
}

func TestSARIFConforms(t *testing.T) {
	schema := officialSARIF(t)
	for _, r := range samples() {
		checkJSON(t, schema, sarif(t, r))
	}
	checkJSON(t, schema, sarif(t, several()...))
	checkJSON(t, schema, sarif(t))
	checkJSON(t, schema, sarif(t, hostile()...))

	v, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version":"2.1.0","runs":[{"results":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(v) == nil {
		t.Error("the schema accepts a run without a tool")
	}
}

// Every URI of an artifact is a relative reference that leads to the file, or
// an absolute one with the scheme of files.
func TestArtifactURIs(t *testing.T) {
	for name, want := range map[string]string{
		"main.bot":            "main.bot",
		"bots/a b.bot":        "bots/a%20b.bot",
		"../écrire.bot":       "../%C3%A9crire.bot",
		"a:b.bot":             "./a:b.bot",
		"100%/x#y?z.bot":      "100%25/x%23y%3Fz.bot",
		"/tmp/x.bot":          "file:///tmp/x.bot",
		"//host/x.bot":        "file:////host/x.bot",
		"C:/bots/x.bot":       "file:///C:/bots/x.bot",
		"<stdin>":             "%3Cstdin%3E",
		"https://evil/x.bot":  "./https://evil/x.bot",
		"\xff\x1b[2J\nx.bot":  "%FF%1B%5B2J%0Ax.bot",
		"lib/http:/x.bot":     "lib/http:/x.bot",
		"javascript:alert(1)": "./javascript:alert%281%29",
	} {
		got := uriOf(t, sarif(t, render.Report{File: name, Failure: "gone"}))
		u, err := url.Parse(got)
		if got != want || err != nil || u.Host != "" || u.Scheme != "" && u.Scheme != "file" {
			t.Errorf("%q: %q %v, want %q", name, got, err, want)
		}
	}
}

func uriOf(t *testing.T, out []byte) string {
	t.Helper()
	var log struct {
		Runs []struct {
			Invocations []struct {
				ToolExecutionNotifications []struct {
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0].Invocations[0].ToolExecutionNotifications[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
}

// hostile is reports whose every text tries to be something else.
func hostile() []render.Report {
	var list []render.Report
	for _, evil := range []string{
		"a\n::error file=x::forged", "a\r\n::set-output name=x::y", "%0A::error::forged", "a,line=1::b", "::stop-commands::x",
		"]]></failure><x/>", "<![CDATA[", "&amp;<b>\"'", "\x00\x08\x1b[2J\ufffe\uffff\xff", "\u202e\u2066", "[a](1) [b](http://evil)",
		"\u2028\u0085::error::x", "--><!--", strings.Repeat("x", 300),
	} {
		at := diagnostics.Range{File: evil, Start: source.Position{Line: 1, Column: 2}, End: source.Position{Line: 1, Column: 3}}
		d := diagnostics.Diagnostic{Code: "C001", Severity: diagnostics.Error, Stage: diagnostics.Compile, Message: evil, Hint: evil,
			Range: at, NodeID: evil, EdgeID: evil, Field: evil, Reason: evil, Related: []diagnostics.Related{{Range: at, Label: evil}},
			Fixes: []diagnostics.Fix{{ID: "x", Kind: diagnostics.Safe, Title: evil, Edits: []diagnostics.Edit{{Range: at, New: evil}}}}}
		soft := d
		soft.Severity = diagnostics.Warning
		list = append(list,
			render.Report{File: evil, WorkflowName: evil, Diagnostics: []diagnostics.Diagnostic{d, soft}, Suppressed: []diagnostics.Diagnostic{soft}},
			render.Report{File: evil, Failure: evil})
	}
	return list
}

// Whatever the texts, there is one command a line and as many as findings and
// failures, and nothing ends a property early.
func TestGitHubCannotBeForged(t *testing.T) {
	form := regexp.MustCompile(`^::(error|warning) file=[^:,\pC]*(,line=1,col=2,endLine=1,endColumn=3)?,title=[^:,\pC]+::[^\pC]+$`)
	reports := hostile()
	out := strings.TrimSuffix(string(github(t, true, reports...)), "\n")
	commands := strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u0085' })
	shown, _ := render.Distinct(reports)
	if want := len(shown) + len(reports)/2; len(commands) != want {
		t.Errorf("%d lines, want %d", len(commands), want)
	}
	for _, c := range commands {
		if !form.MatchString(c) {
			t.Errorf("no single command: %q", c)
		}
	}
}

// The XML is well formed and holds no character that XML 1.0 forbids, its
// counts are true, and every text is in it.
func TestJUnitHolds(t *testing.T) {
	for _, reports := range [][]render.Report{nil, several(), hostile()} {
		out := junit(t, true, reports...)
		for _, r := range string(out) {
			if r != '\n' && (unicode.IsControl(r) || r == 0xfffe || r == 0xffff || r == unicode.ReplacementChar) {
				t.Errorf("%U stands in the output", r)
			}
		}
		got := map[string]int{}
		for dec := xml.NewDecoder(bytes.NewReader(out)); ; {
			tok, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in\n%s", err, out)
			}
			if e, ok := tok.(xml.StartElement); ok {
				got[e.Name.Local]++
				if !strings.Contains("testsuites testsuite testcase failure error system-out", e.Name.Local) {
					t.Errorf("an element %s", e.Name.Local)
				}
			}
		}
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		if err := xml.Unmarshal(out, &suites); err != nil {
			t.Fatal(err)
		}
		if got["testsuite"] != len(reports) || suites.Tests != got["testcase"] || suites.Failures != got["failure"] || suites.Errors != got["error"] {
			t.Errorf("%+v, and the elements are %v", suites, got)
		}
	}
}
