package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape drops the backslash before each of some bytes; before a newline the
// newline goes too.
func unescape(s, which string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(which, s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansi decodes what stands in `$'…'`. A NUL ends the string, as in bash.
func ansi(s string) string { return escapes(s, false) }

// echoed decodes the escapes of `echo -e` and of the format of `printf`.
func echoed(s string) string { return escapes(s, true) }

// escapes decodes backslash escapes; octal ones may begin with a 0 that does
// not count, and `\c` ends the text, when they are those of `echo`.
func escapes(s string, echo bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		text, n, end := escape(s[i+1:], echo)
		if end {
			break
		}
		b.WriteString(text)
		i += 1 + n
	}
	return b.String()
}

var letters = map[byte]string{
	'a': "\a", 'b': "\b", 'e': "\x1b", 'E': "\x1b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
	'\\': "\\", '\'': "'", '"': "\"", '?': "?",
}

// escape decodes one escape, which begins behind its backslash: its text, its
// length, and whether the string ends there. A NUL ends a string of `$'…'`; what
// `echo` prints goes on, and a shell drops the NUL.
func escape(s string, echo bool) (text string, n int, end bool) {
	c := s[0]
	if t, ok := letters[c]; ok {
		return t, 1, false
	}
	code, unknown := "", `\`+s[:1]
	switch {
	case echo && c == '0':
		code = leading(s[1:], 8, 3)
		return byteOf(code, 8), 1 + len(code), false
	case c >= '0' && c <= '7':
		code = leading(s, 8, 3)
		text = byteOf(code, 8)
		return text, len(code), text == ""
	case c == 'c' && echo:
		return "", 1, true
	case c == 'c' && len(s) > 1:
		return string(rune(s[1] & 0x1f)), 2, s[1]&0x1f == 0
	case c == 'x':
		if code = leading(s[1:], 16, 2); code != "" {
			text = byteOf(code, 16)
			return text, 1 + len(code), text == "" && !echo
		}
	case c == 'u' || c == 'U':
		if code = leading(s[1:], 16, map[byte]int{'u': 4, 'U': 8}[c]); code != "" {
			n, _ := strconv.ParseUint(code, 16, 32)
			return string(utf8.AppendRune(nil, rune(n))), 1 + len(code), n == 0 && !echo
		}
	}
	return unknown, 1, false
}

// leading returns the digits that a text begins with, so many at most.
func leading(s string, radix, most int) string {
	n := 0
	for n < len(s) && n < most && strings.IndexByte("0123456789abcdefABCDEF"[:radix+6*(radix/16)], s[n]) >= 0 {
		n++
	}
	return s[:n]
}

// byteOf is the byte of a code, nothing for a NUL.
func byteOf(digits string, radix int) string {
	code, _ := strconv.ParseUint("0"+digits, radix, 32)
	if byte(code) == 0 {
		return ""
	}
	return string([]byte{byte(code)})
}
