package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden tells whether a rune could change how the text around it looks:
// controls, bidirectional marks, white space but the plain space, and what
// shows as nothing. Emoji keep the two variation selectors they need.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == 0xFE0E || r == 0xFE0F:
		return false
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// spelled is the visible spelling of a hidden rune or, for a rune error of
// width 1, of the raw byte.
func spelled(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escape makes a text safe to print on one line of a terminal.
func escape(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if broken(r, n) || hidden(r) {
			b.WriteString(spelled(r, s[i:i+n]))
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func plain(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0
}

func broken(r rune, width int) bool { return r == utf8.RuneError && width == 1 }
