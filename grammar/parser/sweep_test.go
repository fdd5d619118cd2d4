package parser

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/ast/source"
	"iterion/grammar/reference/sample"
)

// content returns a corpus file as the parser sees it.
func content(file sample.File) string { return source.Load(file.Name, file.Raw).Text }

func TestCorpusTreesHold(t *testing.T) {
	for _, file := range sample.Files(t) {
		mustHold(t, content(file))
	}
}

func TestEveryPrefixHolds(t *testing.T) {
	const every = 2 // bytes; where a file starts depends on its place in the list
	for i, file := range sample.Files(t) {
		s := content(file)
		for end := i % every; end < len(s); end += every {
			mustHold(t, s[:end])
		}
	}
}

func TestEveryMissingLineHolds(t *testing.T) {
	for _, file := range sample.Files(t) {
		lines := strings.SplitAfter(content(file), "\n")
		for i := range lines {
			mustHold(t, strings.Join(lines[:i], "")+strings.Join(lines[i+1:], ""))
		}
	}
}

func TestGeneratedProgramsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample.Program().Draw(t, "program")
		if err := check(parseText(s)); err != nil {
			t.Fatalf("%v in\n%s", err, s)
		}
		cut := rapid.IntRange(0, len(s)).Draw(t, "cut")
		drop := rapid.IntRange(0, len(s)-cut).Draw(t, "drop")
		if err := check(parseText(s[:cut] + s[cut+drop:])); err != nil {
			t.Fatalf("%v in\n%s", err, s[:cut]+s[cut+drop:])
		}
	})
}

// TestNewlinesAndMark: a byte order mark and CRLF change nothing, positions
// included, in sound files and in broken ones.
func TestNewlinesAndMark(t *testing.T) {
	for _, file := range sample.Files(t) {
		s := content(file)
		for _, s := range []string{s, s[:len(s)*2/3], s[len(s)/3:]} {
			want := dump(parseText(s))
			crlf := strings.ReplaceAll(s, "\n", "\r\n")
			for _, raw := range []string{crlf, source.BOM + s, source.BOM + crlf} {
				if got := dump(File(source.Load(file.Name, []byte(raw)))); got != want {
					t.Fatalf("%s: the tree of %.20q… differs:\n%s\nwant\n%s", file.Name, raw, got, want)
				}
			}
		}
	}
}
