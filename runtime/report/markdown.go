package report

import (
	_ "embed"
	"io"
	"strings"
	"text/template"

	"iterion/diagnostics/shown"
)

//go:embed page.md.tmpl
var pageMarkdown string

// Markdown writes the report for a page that renders GitHub's Markdown. Text of
// the run stands in code spans and fenced blocks only, where nothing is markup, a
// link, an image or a mention.
func (r *Report) Markdown(w io.Writer) error {
	calls := words()
	calls["code"], calls["fence"] = code, fence
	t, err := template.New("page").Funcs(template.FuncMap(calls)).Parse(pageMarkdown)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}

// code is a text as a code span that may stand in a table's cell.
func code(s string) string {
	s = clip(shown.Line(s), 200)
	if strings.TrimSpace(s) == "" {
		return "–"
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		pad = " "
	}
	return ticks + pad + strings.ReplaceAll(s, "|", `\|`) + pad + ticks
}

// fence is a text as a fenced block.
func fence(s string) string {
	ticks := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return ticks + "text\n" + strings.TrimRight(s, "\n") + "\n" + ticks
}

func longestRun(s string, of rune) int {
	most, now := 0, 0
	for _, r := range s {
		if now++; r != of {
			now = 0
		}
		most = max(most, now)
	}
	return most
}
