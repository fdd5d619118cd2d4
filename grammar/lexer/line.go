package lexer

import (
	"strings"
	"unicode/utf8"

	"iterion/grammar/token"
)

// line lexes one logical line of code from pos to behind its newline.
func (l *Lexer) line() {
	prompt := l.head()
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case isBlank(c):
			l.pos++
		case isIdentStart(c):
			l.word()
		case c == '"':
			l.quoted()
		case c == '\n':
			l.pos++
			if len(l.opens) > 0 && l.continues() {
				continue
			}
			l.opens = l.opens[:0]
			l.newline()
			if prompt {
				l.body()
			}
			return
		case c == '#':
			l.comment(l.pos, true)
		default:
			l.token(c)
		}
	}
	l.opens = l.opens[:0]
	l.newline()
}

// head fuses the first words of a line. It tells whether the line declares a
// prompt, whose text follows.
func (l *Lexer) head() (prompt bool) {
	start := l.pos
	if l.text[start] == '-' {
		if end := start + 1; end == len(l.text) || isBlank(l.text[end]) || l.text[end] == '\n' {
			l.emit(token.Dash, start, end)
			l.pos = end
		}
		return false
	}
	word := identEnd(l.text, start)
	if word == start {
		return false
	}
	end := word
	for end+1 < len(l.text) && l.text[end] == '.' && isIdentStart(l.text[end+1]) {
		end = identEnd(l.text, end+1)
	}
	next := skipBlanks(l.text, end)
	switch {
	case next == len(l.text):
	case l.text[next] == ':' && end == word:
		l.emit(token.Key, start, next+1).Pos.Column = word - start
		l.pos = next + 1
		l.scalar()
	case strings.HasPrefix(l.text[next:], "->"):
		l.emit(token.Src, start, next+2)
		l.pos = next + 2
	case end == word && next > word && isIdentStart(l.text[next]):
		name := identEnd(l.text, next)
		colon := skipBlanks(l.text, name)
		if colon < len(l.text) && l.text[colon] == ':' {
			t := l.emit(token.Head, start, colon+1)
			t.Pos.Line, t.Pos.Column = word-start, next-start
			l.pos = colon + 1
			return l.col == 0 && l.text[start:word] == "prompt"
		}
	}
	return false
}

// quotedKey tells whether the colon just read ends a quoted key: the first
// token of its line is a string.
func (l *Lexer) quotedKey() bool {
	n := l.n - 2
	return n >= 0 && len(l.opens) == 0 && l.toks[n].Type == token.String && (n == 0 || l.toks[n-1].Type <= token.Dedent)
}

// scalar lexes a block scalar that begins behind the key just read.
func (l *Lexer) scalar() {
	bar := skipBlanks(l.text, l.pos)
	if bar == len(l.text) || l.text[bar] != '|' {
		l.pos = bar
		return
	}
	rest := skipBlanks(l.text, bar+1)
	if rest < len(l.text) && l.text[rest] != '\n' && l.text[rest] != '#' {
		return // the bar is then an unexpected character
	}
	l.emit(token.Pipe, bar, bar+1)
	l.pos = rest
	if rest < len(l.text) && l.text[rest] == '#' {
		l.comment(rest, true)
	}
	start, end := l.indented(lineEnd(l.text, l.pos), l.col)
	if start == end {
		l.emit(token.BadScalar, bar, bar+1)
		return
	}
	l.emit(token.Scalar, start, end)
	l.pos = end // at the newline that ends the last line
}

// body lexes the text under a prompt's header as one token.
func (l *Lexer) body() {
	start, end := l.indented(l.pos, 0)
	if start == end {
		return
	}
	l.emit(token.Body, start, end)
	l.pos = min(end+1, len(l.text))
}

// indented returns the range of the text lines from offset i on that are
// deeper than col: from the start of the first non-blank line to the end of
// the last one that reaches the first one's indentation.
func (l *Lexer) indented(i, col int) (start, end int) {
	width := 0
	for i < len(l.text) {
		first := i
		for first < len(l.text) && l.text[first] == ' ' {
			first++
		}
		stop := len(l.text)
		if n := strings.IndexByte(l.text[first:], '\n'); n >= 0 {
			stop = first + n
		}
		if skipBlanks(l.text[:stop], first) < stop {
			if width == 0 {
				width, start = first-i, i
				if width <= col {
					return i, i
				}
			}
			if first-i < width {
				break
			}
			end = stop
		}
		i = stop + 1
	}
	return start, max(start, end)
}

// token lexes one token that starts with c, a sign or a digit.
func (l *Lexer) token(c byte) {
	start := l.pos
	switch c {
	case '`':
		l.raw()
	case ':':
		l.single(token.Colon)
		if l.quotedKey() {
			l.scalar()
		}
	case '=':
		l.single(token.Equal)
	case ',':
		l.single(token.Comma)
	case '.':
		l.single(token.Dot)
	case '*':
		l.single(token.Star)
	case '[':
		l.bracket(token.LBrack)
	case '{':
		l.bracket(token.LBrace)
	case '(':
		l.bracket(token.LParen)
	case ']':
		l.closer(token.RBrack, '[')
	case '}':
		l.closer(token.RBrace, '{')
	case ')':
		l.closer(token.RParen, '(')
	case '-':
		if strings.HasPrefix(l.text[start:], "->") {
			l.emit(token.Arrow, start, start+2)
			l.pos += 2
			return
		}
		l.stray(c)
	default:
		if isDigit(c) {
			l.number()
		} else {
			l.stray(c)
		}
	}
}

// word lexes an identifier.
func (l *Lexer) word() {
	start := l.pos
	end := WordEnd(l.text, start)
	if strings.HasPrefix(l.text[end:], "[]") && l.text[start:end] == "string" {
		end += 2
	}
	l.pos = end
	l.emit(token.Ident, start, end)
}

// stray lexes a run of characters that start no token: letters of other
// alphabets together, or one character repeated. An arrow behind it stands.
func (l *Lexer) stray(c byte) {
	start := l.pos
	for l.pos < len(l.text) {
		next := l.text[l.pos]
		if next != c && (c < utf8.RuneSelf || next < utf8.RuneSelf) {
			break
		}
		l.pos++
	}
	if c == '-' && l.pos < len(l.text) && l.text[l.pos] == '>' {
		l.pos--
	}
	l.emit(token.BadChar, start, l.pos)
}

func (l *Lexer) number() {
	start := l.pos
	kind := token.Int
	l.pos = digitsEnd(l.text, start)
	if l.pos+1 < len(l.text) && l.text[l.pos] == '.' && isDigit(l.text[l.pos+1]) {
		kind = token.Float
		l.pos = digitsEnd(l.text, l.pos+1)
	}
	l.emit(kind, start, l.pos)
}

func digitsEnd(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// WordEnd returns the offset behind the letters, digits and underscores that
// begin at i.
func WordEnd(s string, i int) int {
	for i < len(s) && identTable[s[i]] != 0 {
		i++
	}
	return i
}

func identEnd(s string, i int) int {
	if i >= len(s) || !isIdentStart(s[i]) {
		return i
	}
	for i < len(s) && identTable[s[i]] != 0 {
		i++
	}
	return i
}

func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool      { return c-'0' <= 9 }
func isIdentStart(c byte) bool { return identTable[c] == 1 }

// identTable marks bytes of identifiers: 1 may start one, 2 may only go on.
var identTable = [256]byte{
	'_': 1, '0': 2, '1': 2, '2': 2, '3': 2, '4': 2, '5': 2, '6': 2, '7': 2, '8': 2, '9': 2,
	'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 1, 'f': 1, 'g': 1, 'h': 1, 'i': 1, 'j': 1, 'k': 1, 'l': 1, 'm': 1,
	'n': 1, 'o': 1, 'p': 1, 'q': 1, 'r': 1, 's': 1, 't': 1, 'u': 1, 'v': 1, 'w': 1, 'x': 1, 'y': 1, 'z': 1,
	'A': 1, 'B': 1, 'C': 1, 'D': 1, 'E': 1, 'F': 1, 'G': 1, 'H': 1, 'I': 1, 'J': 1, 'K': 1, 'L': 1, 'M': 1,
	'N': 1, 'O': 1, 'P': 1, 'Q': 1, 'R': 1, 'S': 1, 'T': 1, 'U': 1, 'V': 1, 'W': 1, 'X': 1, 'Y': 1, 'Z': 1,
}
