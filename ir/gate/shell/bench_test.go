package shell

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

var benchTexts = []struct{ name, text string }{
	{"plain", "go test ./..."},
	{"quoted", `git commit -m "one two" --author 'A <a@b.example>'`},
	{"compound", "cd pkg && CGO_ENABLED=0 timeout 120 go test ./... 2>&1 | tail -20; git diff"},
	{"loop", `for p in a b c; do echo "== $p"; go test ./$p $(git diff --name-only) || exit 1; done`},
	{"here", "cat > x.json <<'E'\n{\"a\": 1,\n \"b\": [1, 2]}\nE\ncurl -s --data @x.json https://h.example/ | jq -r .id"},
	{"wrapped", `sudo -u bob env A=1 bash -lc 'cd x && git push origin main'`},
}

// Beside each reading stands the bare parse of the same text.
func BenchmarkParse(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.text, "")
			}
		})
		b.Run(c.name+"/bare", func(b *testing.B) {
			p := syntax.NewParser(syntax.Variant(syntax.LangBash))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Parse(strings.NewReader(c.text), ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
