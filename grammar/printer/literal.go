package printer

import (
	"strings"
	"unicode/utf8"
)

// Literal writes a string that has no source text, for use behind `key: ` on
// a line of the given level: quoted where it can stand as it is, else quoted
// with escapes in a file that decodes them (strict), else raw, else as a
// block scalar. It returns false for a string that no literal can hold.
func Literal(value string, strict bool, level int) (string, bool) {
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
	return blockLiteral(value, level+1)
}

func escaper() *strings.Replacer {
	return strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)
}

// blockLiteral writes a block scalar whose lines are indented by a level. Its
// value ends with one newline, and its first line tells the indentation.
func blockLiteral(value string, level int) (string, bool) {
	lines := strings.Split(value, "\n")
	last := len(lines) - 1
	if lines[last] != "" || isBlank(lines[last-1]) || isBlank(lines[0]) || lines[0][0] == ' ' {
		return "", false
	}
	text := "|"
	for _, line := range lines[:last] {
		if isBlank(line) && line != "" {
			return "", false
		}
		text += "\n"
		if line != "" {
			text += strings.Repeat("  ", level) + line
		}
	}
	return text, true
}
