package parser

import (
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/grammar/reference/sample"
)

// FuzzParse: whatever the text, the tree holds its promises, and CRLF changes
// nothing in it.
func FuzzParse(f *testing.F) {
	for _, file := range sample.Files(f) {
		f.Add(content(file))
	}
	for _, archive := range sample.Archives(f) {
		f.Add(string(archive.Raw))
	}
	for i := range 20 {
		f.Add(sample.Program().Example(i))
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = source.Load("a.bot", []byte(text)).Text
		want := dump(mustHold(t, text))
		if strings.Contains(text, "\r\n") || strings.HasPrefix(text, source.BOM) {
			return // a lone CR before a CRLF, or a second mark, is text
		}
		crlf := source.Load("a.bot", []byte(strings.ReplaceAll(text, "\n", "\r\n")))
		if got := dump(File(crlf)); got != want {
			t.Fatalf("with CRLF\n%s\nwith LF\n%s", got, want)
		}
	})
}
