package build_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/grammar/printer"
	"iterion/ir/build"
)

// faultyTexts are texts with findings, without the comments that say which.
func faultyTexts() (list []string) {
	marks := regexp.MustCompile(`(?m) *## want .*$`)
	for _, f := range corpus.Fragments() {
		if !f.Bundle() {
			list = append(list, string(f.Files[0].Data))
		}
	}
	for _, c := range corpus.CheckCases() {
		if len(c.Files) == 1 {
			list = append(list, marks.ReplaceAllString(string(c.Files[0].Data), ""))
		}
	}
	return list
}

// shown is a finding in one line; from is the line of an inserted one, 0 for
// none, above which later lines are counted.
func shown(d diagnostics.Diagnostic, from int) string {
	line := d.Range.Start.Line
	if from > 0 && line > from {
		line--
	}
	return fmt.Sprintf("%d:%d %s %s %s", line, d.Range.Start.Column, d.Severity, d.Code, d.Message)
}

func isOwn(d diagnostics.Diagnostic) bool { return strings.HasPrefix(string(d.Code), "L00") }

// all is every finding but those about directives, whether it stays or not.
func all(r *build.Result, from int) []string {
	list := []string{}
	for _, d := range slices.Concat(r.Diagnostics, r.Suppressed) {
		if !isOwn(d) {
			list = append(list, shown(d, from))
		}
	}
	slices.Sort(list)
	return list
}

const probe = "lint: allow %s -- probe"

// noted tells whether the probe was read as a comment.
func noted(r *build.Result) bool {
	has := func(text string, list []ast.Comment) bool {
		return slices.ContainsFunc(list, func(c ast.Comment) bool { return strings.HasSuffix(text[c.Start:c.End], "-- probe") })
	}
	f := r.Files[0].AST
	return has(f.Source.Text, f.Tail) || slices.ContainsFunc(f.Decls, func(d *ast.Declaration) bool { return has(d.Text, d.Comments) })
}

// A directive takes away exactly the warnings of its code that it covers, and
// changes no other finding.
func TestDirectiveChangesNothingElse(t *testing.T) {
	tried := 0
	for _, text := range faultyTexts() {
		before := build.Text("a.bot", text)
		for _, d := range before.Diagnostics {
			if isOwn(d) || d.Severity == diagnostics.Error && tried%5 > 0 {
				tried++
				continue
			}
			tried++
			lines := strings.Split(text, "\n")
			line := d.Range.Start.Line
			code := fmt.Sprintf(probe, d.Code)
			same := func(other diagnostics.Diagnostic) bool {
				return other.Code == d.Code && other.Severity != diagnostics.Error
			}

			top := slices.Insert(slices.Clone(lines), 0, "# "+strings.Replace(code, "allow", "allow-file", 1))
			law(t, before, top, 1, same)

			if lines[line-1] == "" {
				continue // a comment on a blank line of a prompt ends its text
			}
			behind := slices.Clone(lines)
			behind[line-1] += " # " + code
			law(t, before, behind, 0, func(o diagnostics.Diagnostic) bool { return same(o) && o.Range.Start.Line == line })

			indent := lines[line-1][:len(lines[line-1])-len(strings.TrimLeft(lines[line-1], " "))]
			above := slices.Insert(slices.Clone(lines), line-1, indent+"# "+code)
			law(t, before, above, line, nil)
		}
	}
	if tried < 500 {
		t.Errorf("only %d findings were tried", tried)
	}
}

// law holds a text with a probe against the findings without it. covers says
// what must be allowed; without it at least the finding on the line below.
func law(t *testing.T, before *build.Result, lines []string, from int, covers func(diagnostics.Diagnostic) bool) {
	t.Helper()
	text := strings.Join(lines, "\n")
	after := build.Text("a.bot", text)
	if !noted(after) {
		return
	}
	if got, want := all(after, from), all(before, 0); !slices.Equal(got, want) {
		t.Errorf("the directive changes findings: got\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
	}
	for _, d := range after.Suppressed {
		if d.Severity == diagnostics.Error {
			t.Errorf("%s is an error and was allowed in\n%s", shown(d, from), text)
		}
	}
	keptByFormatting(t, after, text)
	if covers == nil {
		return
	}
	var got, want []string
	for _, d := range after.Suppressed {
		got = append(got, shown(d, from))
	}
	for _, d := range slices.Concat(before.Diagnostics, before.Suppressed) {
		if covers(d) || slices.ContainsFunc(before.Suppressed, func(o diagnostics.Diagnostic) bool { return o.Range == d.Range && o.Code == d.Code }) {
			want = append(want, shown(d, 0))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("allowed\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
	}
}

// keptByFormatting wants the same findings to stay, and to be allowed, in the
// canonical form of a text.
func keptByFormatting(t *testing.T, before *build.Result, text string) {
	t.Helper()
	canonical, err := printer.Format(source.New("a.bot", text))
	if err != nil {
		return // it does not parse
	}
	after := build.Text("a.bot", canonical)
	if !slices.Equal(said(before.Diagnostics), said(after.Diagnostics)) || !slices.Equal(said(before.Suppressed), said(after.Suppressed)) {
		t.Errorf("formatting changes what is allowed:\n%s\nbecomes\n%s", text, canonical)
	}
}

// said is what findings say, without their places.
func said(list []diagnostics.Diagnostic) (texts []string) {
	for _, d := range list {
		texts = append(texts, string(d.Code)+d.Message)
	}
	slices.Sort(texts)
	return texts
}

// Without its directives a text draws what stayed and what was allowed.
func TestWithoutDirectives(t *testing.T) {
	for _, c := range directiveCases(t) {
		keptByFormatting(t, build.Text("a.bot", c), c)
		with, without := build.Text("a.bot", c), build.Text("a.bot", disarmed(c))
		if got, want := all(without, 0), all(with, 0); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), c)
		}
		if len(without.Suppressed) > 0 {
			t.Errorf("something is allowed without a directive in\n%s", c)
		}
	}
}

// disarmed takes the meaning of every directive and moves nothing.
func disarmed(text string) string { return strings.ReplaceAll(text, "lint:", "note:") }
