package literal

import (
	"strings"
	"unicode/utf8"
)

// Spell writes a string that has no source text, for use behind `key: ` on
// a line of the given level: quoted where it can stand as it is, else quoted
// with escapes in a file that decodes them (strict), else raw, else as a
// block scalar. It returns false for a string that no literal can hold.
func Spell(value string, strict bool, level int) (string, bool) {
	switch {
	case !utf8.ValidString(value):
		return "", false
	case !strings.ContainsAny(value, "\n\"\\"):
		return `"` + value + `"`, true
	case strict:
		return `"` + escaper().Replace(value) + `"`, true
	case strings.Contains(value, "\r\n"):
		return "", false // the reader would fold it
	case strings.IndexByte(value, '`') < 0:
		return "`" + value + "`", true
	}
	return Block(value, level+1)
}

func escaper() *strings.Replacer {
	return strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)
}

// Block writes a string as a block scalar whose lines are indented by a level.
// It returns false for one that no block can hold: its value ends with one
// newline, its first line tells the indentation, and the reader folds CRLF.
func Block(value string, level int) (string, bool) {
	text, ok := strings.CutSuffix(value, "\n")
	lines := strings.Split(text, "\n")
	first, last := lines[0], lines[len(lines)-1]
	if !ok || isBlank(first) || first[0] == ' ' || isBlank(last) || strings.Contains(value, "\r\n") {
		return "", false
	}
	var b strings.Builder
	b.WriteByte('|')
	for _, line := range lines {
		if isBlank(line) && line != "" {
			return "", false
		}
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(strings.Repeat("  ", level) + line)
		}
	}
	return b.String(), true
}

// isBlank tells whether a line holds only spaces and tabs.
