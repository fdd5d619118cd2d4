package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/report"
	"iterion/runtime/store"
	"iterion/runtime/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update rewrites it):\n%s", name, got)
	}
}

func demoReport(t *testing.T) *report.Report {
	t.Helper()
	p := program(t)
	run, events := demo(p)
	return report.Build(run, events, p)
}

func TestGolden(t *testing.T) {
	r := demoReport(t)
	model, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "demo.json", append(model, '\n'))
	var b bytes.Buffer
	if err := r.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "demo.md", b.Bytes())
}

// Text of a run stays text, whatever stands in it and wherever it is shown.
func TestTextStaysText(t *testing.T) {
	r := demoReport(t)
	var page, md bytes.Buffer
	if err := r.HTML(&page); err != nil {
		t.Fatal(err)
	}
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "\u202e", "\u200b", "\x1b"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{"&lt;script&gt;", `\u202e`, `\u200b`, `\u001b`, "default-src &#39;none&#39;"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	inBlock := ""
	for line := range strings.Lines(md.String()) {
		switch ticks := strings.TrimSuffix(strings.TrimSpace(line), "text"); {
		case inBlock == "" && strings.HasPrefix(line, "```"):
			inBlock = ticks
		case inBlock != "" && strings.TrimSpace(line) == inBlock:
			inBlock = ""
		case inBlock == "" && strings.Contains(withoutSpans(line), "evil.example"):
			t.Errorf("outside of code: %s", line)
		}
	}
	if inBlock != "" {
		t.Error("a block has no end")
	}
}

// withoutSpans takes the code spans out of a line as Markdown reads them: from a
// run of backticks to the next run of that length.
func withoutSpans(line string) string {
	var out strings.Builder
	for line != "" {
		text, rest, found := strings.Cut(line, "`")
		out.WriteString(text)
		if !found {
			break
		}
		rest = "`" + rest
		ticks := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		line = rest[len(ticks):]
		for at := 0; ; {
			i := strings.Index(line[at:], ticks)
			if i < 0 {
				break
			}
			end := at + i
			run := len(line[end:]) - len(strings.TrimLeft(line[end:], "`"))
			if run == len(ticks) {
				line = line[end+run:]
				break
			}
			at = end + run
		}
	}
	return out.String()
}

// Every beginning of a run's log has a report.
func TestEveryPrefix(t *testing.T) {
	p := program(t)
	run, events := demo(p)
	for n := range len(events) + 1 {
		for _, kept := range []bool{true, false} {
			q := p
			if !kept {
				q = nil
			}
			r := report.Build(run, events[:n], q)
			var b bytes.Buffer
			if err := r.HTML(&b); err != nil {
				t.Fatalf("%d events: %v", n, err)
			}
			if err := r.Markdown(&b); err != nil {
				t.Fatalf("%d events: %v", n, err)
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "<no value>") {
				t.Fatalf("%d events: a value is missing", n)
			}
		}
	}
}

// Each way to end has its next step.
func TestNext(t *testing.T) {
	run := store.Run{ID: "r1", File: "/a b/x.bot"}
	ask := func(a trace.Ask) *trace.Trace {
		return &trace.Trace{Status: outcome.PausedHuman, Asks: []*trace.Ask{&a}}
	}
	fails := func(code outcome.Code) *trace.Trace {
		return &trace.Trace{Status: outcome.FailedResumable, Failure: &trace.Failure{Code: code, Node: "n"}}
	}
	for want, tr := range map[string]*trace.Trace{
		"": {Status: outcome.Finished},
		"iterion resume r1 --answer go='true|false' --answer level='low|high' --answer f=@FILE": ask(trace.Ask{Kind: "form", Fields: []trace.Field{
			{Name: "go", Type: "bool"}, {Name: "level", Type: "string", Enum: []string{"low", "high"}}, {Name: "f", Type: "file"}}}),
		"iterion resume r1 --answer answer=TEXT":                                       ask(trace.Ask{Kind: "question"}),
		"iterion resume r1 --approve | --deny":                                         ask(trace.Ask{Kind: "approval", Choices: []trace.Choice{{Answer: "allow"}, {Answer: "deny"}}}),
		"iterion resume r1":                                                            {Status: outcome.CancelledRun},
		"iterion resume r1 --max-tokens N":                                             {Status: outcome.PausedOperator, Notes: []trace.Note{{Data: data{"axis": "tokens"}}, {Data: data{"attempt": int64(1)}}}},
		"; ; iterion resume r1 --answers-file FILE":                                    {Status: outcome.PausedHuman, Asks: []*trace.Ask{{ID: "a"}, {ID: "b"}, {ID: "c", Kind: "async"}}},
		"iterion run '/a b/x.bot'":                                                     {Status: outcome.Failed},
		"iterion resume r1 --rerun n; iterion resume r1 --accept n --output KEY=VALUE": fails(outcome.OutcomeUnknown),
		"iterion resume r1 ":                                                           fails(outcome.RateLimited),
	} {
		var got []string
		for _, s := range report.Next(run, tr, nil, "") {
			got = append(got, s.Command)
		}
		if text := strings.Join(got, "; "); text != strings.TrimSpace(want) {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}

func TestMoneyIsNeverGuessed(t *testing.T) {
	for want, u := range map[string]trace.Usage{
		"–": {}, "unknown": {Unpriced: 2}, "$0.00": {Priced: 1}, "$0.0012": {Priced: 1, CostUSD: 0.0012},
		"$3.50 + unknown": {Priced: 2, CostUSD: 3.5, Unpriced: 1},
	} {
		if got := report.Money(u); got != want {
			t.Errorf("%+v: %s, want %s", u, got, want)
		}
	}
}
