package check

import (
	"slices"
	"strings"
	"testing"
)

// quotedMarks tells of each `@` of a text whether it stands in quotes.
func quotedMarks(text string) string {
	var offsets []int
	for i := range len(text) {
		if text[i] == '@' {
			offsets = append(offsets, i)
		}
	}
	var out strings.Builder
	for _, r := range scanShell(text).around(offsets) {
		if r.quote() {
			out.WriteByte('q')
		} else {
			out.WriteByte('.')
		}
	}
	return out.String()
}

func TestQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`@ '@' "@" '"'@'"'`:                  ".qq.",
		`"a \" @" @`:                         "q.",
		`\'@\' \"@\"`:                        "..",
		`"$(a @ "@")@" @`:                    ".qq.",
		"\"`a @ '@'`@\"":                     ".qq",
		`"${a:-@ "@"}"`:                      ".q",
		"# don't @\n@":                       "..",
		"cat <<E 'x@'\ndon't @\nE\n'@'":      "q.q",
		"cat <<-'E F'\n\t'@'\n\tE F\n'@'":    ".q",
		"a <<< '@'":                          "q",
		`case @ in "@"|b) '@';; c) @;; esac`: ".qq.",
		`$(case a in a) "@";; esac) "@"`:     "qq",
		`'@`:                                 ".",
		`a#'@'`:                              "q",
		`$((1 + @)) "@"`:                     ".q",
	} {
		if got := quotedMarks(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Whatever the text, its regions lie inside it, one in the other or apart.
func FuzzScanShell(f *testing.F) {
	for _, text := range []string{
		"a '$(b \"c\")' `d` ${e:-\"f\"}", "case a in b) c;; esac", "cat <<E\nx\nE\n", "[[ a && \"$ITERION_TREE_NOISE\" ]]", "a=(b c) <(d) &> e |& f",
		strings.Repeat("$(", 300), strings.Repeat("\"${", 300), strings.Repeat("`\\", 30), "`a <(''`b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scanShell(text)
		var open []region
		for _, r := range s.regions {
			open = leave(open, r.start)
			if r.start < 0 || r.end > len(text) || r.start > r.end || len(open) > 0 && r.end > open[len(open)-1].end {
				t.Fatalf("%q: region %+v in %+v", text, r, open)
			}
			open = append(open, r)
		}
		if slices.ContainsFunc(s.noise, func(r region) bool { return !noiseWord().MatchString(text[r.start:r.end]) }) {
			t.Fatalf("%q: words %+v", text, s.noise)
		}
	})
}
