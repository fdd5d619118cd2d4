// Package shown makes text from outside safe to show: what would hide, reorder
// or command the text around it is spelled out.
package shown

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes a text safe to print on one line.
func Line(s string) string { return escape(s, "") }

// Block makes a text of several lines safe to print: line feeds and tabs stay.
func Block(s string) string { return escape(s, "\n\t") }

// Hidden tells whether a rune could change how the text around it looks:
// controls, bidirectional marks, white space but the plain space, and what
// shows as nothing. Emoji keep the two variation selectors they need.
func Hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == 0xFE0E || r == 0xFE0F:
		return false
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Broken tells whether a decoded rune stands for a byte that is no UTF-8.
func Broken(r rune, width int) bool { return r == utf8.RuneError && width == 1 }

// Spelled is the visible spelling of a hidden rune or, for a rune error of
// width 1, of the raw byte.
func Spelled(r rune, raw string) string {
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

// escape spells out what is hidden, but for the runes in keep.
func escape(s, keep string) string {
	kept := func(r rune) bool { return strings.ContainsRune(keep, r) }
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return Hidden(r) && !kept(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if Broken(r, n) || Hidden(r) && !kept(r) {
			b.WriteString(Spelled(r, s[i:i+n]))
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
