package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"iterion/diagnostics/shown"
	"iterion/ir/diagram"
)

//go:embed page.html.tmpl
var pageHTML string

//go:embed page.css
var pageCSS string

// htmlPage is a report with what only the page needs.
type htmlPage struct {
	*Report
	Policy  string
	Style   template.HTML
	Picture template.HTML
}

// HTML writes the report as one page that loads nothing and runs no script. Its
// policy lets a browser apply the one style sheet in it and nothing else, should
// something of a run's text ever become markup.
func (r *Report) HTML(w io.Writer) error {
	css := pageCSS + diagram.Style
	sum := sha256.Sum256([]byte(css))
	policy := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
	t, err := template.New("page").Funcs(template.FuncMap(words())).Parse(pageHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, htmlPage{r, policy, template.HTML("<style>" + css + "</style>"), template.HTML(r.Graph)})
}

// words are what the templates call.
func words() map[string]any {
	return map[string]any{
		"line": shown.Line, "text": Text, "input": input, "short": short, "json": compact, "pairs": pairs,
		"status": Status, "money": Money, "took": Took, "budget": Axis, "place": place,
		"axis":   func(s string) string { return strings.TrimSuffix(s, "_usd") },
		"number": func(n any) string { return Number(whole(n)) },
		"count": func(n int, what string) string {
			return strings.Replace(Count(int64(n), what), "branchs", "branches", 1)
		},
		"count64": Count,
		"percent": func(used, limit float64) string { return share(used / limit) },
		"share":   share,
		"width":   func(share float64) float64 { return max(2, 120*share) },
		"px":      func(n float64) string { return fmt.Sprintf("%.1f", n) },
		"clock":   func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"day":     func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05") },
		"stamp":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"lane":    lane,
		"verdict": func(v string) string { return map[string]string{"allow": "allow", "ask": "ask", "deny": "deny"}[v] },
		"visits":  visits,
	}
}

func whole(n any) int64 {
	switch n := n.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	}
	return 0
}

func share(of float64) string {
	if of > 0 && of < 0.01 {
		return "< 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*of)
}

// short is the beginning of a text on one line.
func short(s string) string { return clip(shown.Line(s), 80) }

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// lane is a branch's name cut to the room beside the lanes: its end tells
// branches apart.
func lane(id string) string {
	const most = 18
	r := []rune(shown.Line(id))
	if len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return string(r)
}

func visits(nodes []Node) int {
	n := 0
	for _, row := range nodes {
		n += row.Visits
	}
	return n
}
