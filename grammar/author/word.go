package author

import "strings"

// isIdent tells whether a text is a name.
func isIdent(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isDotted tells whether a text is names joined by dots.
func isDotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isIdent(part) {
			return false
		}
	}
	return true
}

// isTool tells whether a text is a tool's name or a family of tools.
func isTool(s string) bool { return isDotted(strings.TrimSuffix(s, ".*")) }

// isType tells whether a text is a type, with [] for each level of list.
func isType(s string) bool {
	for strings.HasSuffix(s, "[]") {
		s = strings.TrimSuffix(s, "[]")
	}
	return isIdent(s)
}

// isInt tells whether a text is a whole number that YAML reads as a `.bot`
// does: digits without a leading zero.
func isInt(s string) bool { return isDigits(s) && (len(s) == 1 || s[0] != '0') }

// isNum is isInt for numbers that may have a fraction.
func isNum(s string) bool {
	whole, fraction, ok := strings.Cut(s, ".")
	return isInt(whole) && (!ok || isDigits(fraction))
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
