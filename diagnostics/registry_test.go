package diagnostics_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"iterion/diagnostics"
)

var (
	codeForm = regexp.MustCompile(`^[CEL][0-9]{3}$`)
	slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

func TestRows(t *testing.T) {
	slugs := map[string]diagnostics.Code{}
	for _, row := range diagnostics.All() {
		if !codeForm.MatchString(string(row.Code)) {
			t.Errorf("%s is no code", row.Code)
		}
		if !slugForm.MatchString(row.Name) {
			t.Errorf("%s: %q is no slug", row.Code, row.Name)
		}
		if other, twice := slugs[row.Name]; twice {
			t.Errorf("%s and %s are both called %s", other, row.Code, row.Name)
		}
		slugs[row.Name] = row.Code
		for _, text := range []string{row.Summary, row.Fix} {
			if text == "" || !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
				t.Errorf("%s: %q is no one-line sentence", row.Code, text)
			}
		}
		if row.Severity.String() == "unknown" || row.Stage.String() == "unknown" || row.Or == row.Severity {
			t.Errorf("%s: severity %v or %v, stage %v", row.Code, row.Severity, row.Or, row.Stage)
		}
	}
}

func TestRowsAreInOrder(t *testing.T) {
	var codes []diagnostics.Code
	for _, row := range diagnostics.All() {
		codes = append(codes, row.Code)
	}
	if !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(codes) {
		t.Errorf("the rows are not in code order: %v", codes)
	}
}

// unassigned are numbers without a meaning in the language; they may not be
// given one here.
var unassigned = [][2]string{
	{"E000", "E000"}, {"E007", "E009"}, {"E015", "E019"}, {"E022", "E029"}, {"E033", "E039"},
	{"E048", "E049"}, {"E056", "E999"},
	{"C000", "C000"}, {"C056", "C059"}, {"C061", "C069"}, {"C073", "C079"}, {"C096", "C096"}, {"C099", "C099"},
	{"C159", "C159"}, {"C168", "C169"}, {"C178", "C179"}, {"C187", "C189"}, {"C213", "C219"},
	{"C224", "C229"}, {"C235", "C239"}, {"C256", "C259"},
}

func TestNoUnassignedNumber(t *testing.T) {
	for _, row := range diagnostics.All() {
		for _, r := range unassigned {
			if string(row.Code) >= r[0] && string(row.Code) <= r[1] {
				t.Errorf("%s has no meaning in the language", row.Code)
			}
		}
	}
}

// TestEveryNumberHasARow walks the parts of the catalogue that are complete.
func TestEveryNumberHasARow(t *testing.T) {
	for _, part := range []struct {
		letter      string
		first, last int
	}{{"E", 1, 55}, {"C", 1, 105}} {
		for n := part.first; n <= part.last; n++ {
			code := fmt.Sprintf("%s%03d", part.letter, n)
			free := slices.ContainsFunc(unassigned, func(r [2]string) bool { return code >= r[0] && code <= r[1] })
			if _, ok := diagnostics.Lookup(diagnostics.Code(code)); !ok && !free {
				t.Errorf("%s has no row", code)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, row := range diagnostics.All() {
		byCode, ok := diagnostics.Lookup(row.Code)
		byName, ok2 := diagnostics.ByName(row.Name)
		byLower, ok3 := diagnostics.ByName(strings.ToLower(string(row.Code)))
		if !ok || !ok2 || !ok3 || byCode != row || byName != row || byLower != row {
			t.Errorf("%s is not found by code and name", row.Code)
		}
	}
	for _, none := range []string{"", "C000", "C0011", "no-such-name"} {
		if row, ok := diagnostics.Lookup(diagnostics.Code(none)); ok {
			t.Errorf("Lookup(%q) = %v", none, row)
		}
		if row, ok := diagnostics.ByName(none); ok {
			t.Errorf("ByName(%q) = %v", none, row)
		}
	}
}

func TestSilentRows(t *testing.T) {
	var silent []diagnostics.Code
	for _, row := range diagnostics.All() {
		if row.Silent {
			silent = append(silent, row.Code)
		}
	}
	if want := []diagnostics.Code{"C028", "C045", "E013"}; !slices.Equal(silent, want) {
		t.Errorf("silent rows %v, want %v", silent, want)
	}
}

func TestFixLine(t *testing.T) {
	row, _ := diagnostics.Lookup("C001")
	for _, c := range []struct {
		d    diagnostics.Diagnostic
		want string
	}{
		{diagnostics.Diagnostic{Code: "C001"}, row.Fix},
		{diagnostics.Diagnostic{Code: "C001", Hint: "Write `build`."}, "Write `build`."},
		{diagnostics.Diagnostic{Code: "X999"}, ""},
	} {
		if got := c.d.FixLine(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.d, got, c.want)
		}
	}
}

func TestEveryPageHasARow(t *testing.T) {
	files, err := os.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		code := diagnostics.Code(strings.TrimSuffix(f.Name(), ".md"))
		if _, ok := diagnostics.Lookup(code); !ok {
			t.Errorf("pages/%s has no row", f.Name())
		}
	}
}

func TestEveryRowHasAPage(t *testing.T) {
	for _, row := range diagnostics.All() {
		page, ok := diagnostics.Page(row.Code)
		if !ok {
			t.Errorf("%s has no page", row.Code)
			continue
		}
		if want := fmt.Sprintf("# %s %s\n\n## What it means\n\n", row.Code, row.Name); !strings.HasPrefix(page, want) {
			t.Errorf("%s: the page does not begin with %q", row.Code, want)
		}
		if !strings.Contains(page, "\n## Why\n\n") {
			t.Errorf("%s: the page does not say why", row.Code)
		}
	}
}

func TestPageExamples(t *testing.T) {
	info := regexp.MustCompile("(?m)^```[^\n]*fails=(\\w+)")
	for _, row := range diagnostics.All() {
		var kinds []bool
		for _, e := range diagnostics.Examples(row.Code) {
			kinds = append(kinds, e.Fails)
			checkExample(t, row.Code, e)
		}
		if row.Silent && len(kinds) > 0 {
			t.Errorf("%s is silent and has examples", row.Code)
		}
		if !row.Silent && !slices.Equal(kinds, []bool{true, false}) {
			t.Errorf("%s: wants a failing and a passing example, has %v", row.Code, kinds)
		}
		page, _ := diagnostics.Page(row.Code)
		for _, m := range info.FindAllStringSubmatch(page, -1) {
			if m[1] != string(row.Code) {
				t.Errorf("%s: an example fails with %s", row.Code, m[1])
			}
		}
	}
}

func checkExample(t *testing.T, code diagnostics.Code, e diagnostics.Example) {
	t.Helper()
	if name := e.Files[0].Name; name != "main.bot" && name != "main.bot.yaml" {
		t.Errorf("%s: the first file is %s", code, e.Files[0].Name)
	}
	for i, f := range e.Files {
		if slices.ContainsFunc(e.Files[:i], func(o diagnostics.ExampleFile) bool { return o.Name == f.Name }) {
			t.Errorf("%s: %s stands twice", code, f.Name)
		}
		if !strings.HasSuffix(f.Text, "\n") || strings.Contains(f.Text, "```") {
			t.Errorf("%s: %s is not closed", code, f.Name)
		}
	}
}

func TestExampleForms(t *testing.T) {
	bytes := diagnostics.Examples("E006")
	if text := bytes[0].Files[0].Text; utf8.ValidString(text) || !strings.Contains(text, "caf\xe9.") {
		t.Errorf("E006: the marker is not a byte: %q", text)
	}
	if !utf8.ValidString(bytes[1].Files[0].Text) {
		t.Error("E006: the passing example is not UTF-8")
	}
	var names []string
	for _, f := range diagnostics.Examples("E047")[0].Files {
		names = append(names, f.Name)
	}
	if want := []string{"main.bot", "lib/shapes.bot", "lib/words.bot"}; !slices.Equal(names, want) {
		t.Errorf("E047: files %v, want %v", names, want)
	}
	if stdin := diagnostics.Examples("C030"); !stdin[0].Stdin || stdin[1].Stdin {
		t.Error("C030: the failing example comes from standard input, the other does not")
	}
	if got := diagnostics.Examples("C999"); got != nil {
		t.Errorf("examples without a page: %v", got)
	}
}
