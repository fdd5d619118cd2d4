package lexer

import (
	"strings"

	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/grammar/token"
)

func (l *Lexer) single(t plex.TokenType) {
	l.emit(t, l.pos, l.pos+1)
	l.pos++
}

// maxPairs is how many brackets may be open at once.
const maxPairs = 1000

// bracket opens a pair. Beyond the limit the rest of the line is dropped.
func (l *Lexer) bracket(t plex.TokenType) {
	if len(l.opens) == maxPairs {
		l.emit(token.BadDepth, l.pos, l.pos+1)
		l.pos++
		l.dropLine()
		return
	}
	with := t == token.LBrace && l.n > 0 && l.toks[l.n-1].Type == token.Ident && l.toks[l.n-1].Value == "with"
	l.opens = append(l.opens, open{l.text[l.pos], l.col, with})
	l.single(t)
}

// closer closes the innermost pair that it fits. A stray one closes nothing; a
// run of the same is one token.
func (l *Lexer) closer(t plex.TokenType, opener byte) {
	if len(l.opens) == 0 {
		start := l.pos
		for l.pos < len(l.text) && l.text[l.pos] == l.text[start] {
			l.pos++
		}
		l.emit(t, start, l.pos)
		return
	}
	if l.toks[l.n-1].Type == token.Colon { // no entry ends with its colon
		l.single(t)
		return
	}
	for i := len(l.opens) - 1; i >= 0; i-- {
		if l.opens[i].char == opener {
			l.opens = l.opens[:i]
			break
		}
	}
	l.single(t)
}

// dropLine makes one token of the rest of the physical line, behind a fault
// that leaves it without meaning.
func (l *Lexer) dropLine() {
	rest := strings.TrimRight(firstLine(l.text[l.pos:]), " \t")
	start := skipBlanks(l.text, l.pos)
	if end := l.pos + len(rest); start < end {
		l.emit(token.BadChar, start, end)
		l.pos = end
	}
}

// continues decides, at the start of a physical line inside brackets, whether
// the logical line goes on. A line no deeper than the one that opened the
// bracket ends it, so that a forgotten closer does not swallow what follows.
// Outside the braces of a `with` the line break is reported as a Break.
func (l *Lexer) continues() bool {
	outer := l.opens[0]
	resume, n := l.pos, len(l.Comments)
	first := l.skipBlank()
	if first < 0 {
		l.pos, l.Comments = resume, l.Comments[:n]
		return false
	}
	tab := strings.IndexByte(l.text[l.pos:first], '\t')
	closes := strings.IndexByte("]})", l.text[first]) >= 0
	if !closes && tab < 0 && first-l.pos <= outer.col && !(outer.with && l.withGoesOn(first)) {
		l.pos, l.Comments = resume, l.Comments[:n]
		return false
	}
	if !outer.with {
		l.layoutToken(token.Break)
	}
	if tab >= 0 {
		l.emit(token.BadTab, l.pos+tab, l.pos+tab+1)
		l.pos = first + len(firstLine(l.text[first:]))
		return true
	}
	l.pos = first
	return true
}

// withGoesOn tells whether a line no deeper than its `with {` still belongs to
// it: the closing brace comes before anything that no entry can be.
func (l *Lexer) withGoesOn(i int) bool {
	for i < len(l.text) {
		first := skipBlanks(l.text, i)
		stop := lineEnd(l.text, first)
		line := strings.TrimRight(l.text[first:stop], " \t\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '}':
			return true
		default:
			if !isEntry(line) {
				return line[len(line)-1] == '}' && !strings.Contains(line, "->") && !strings.Contains(line, "{")
			}
			if open := strings.IndexByte(line, '`'); open >= 0 { // a raw value may span lines
				n := strings.IndexByte(l.text[first+open+1:], '`')
				if n < 0 {
					return false
				}
				stop = lineEnd(l.text, first+open+n+2)
				line = strings.TrimRight(l.text[first:stop], " \t\n")
			}
			if line[len(line)-1] == '}' && !strings.HasSuffix(line, "}}") {
				return true
			}
		}
		i = stop
	}
	return false
}

// isEntry tells whether a line begins with `key: value`, the value being of a
// form that a `with` takes.
func isEntry(line string) bool {
	word := identEnd(line, 0)
	colon := skipBlanks(line, word)
	if word == 0 || colon == len(line) || line[colon] != ':' {
		return false
	}
	value := skipBlanks(line, colon+1)
	if value == len(line) {
		return false
	}
	switch c := line[value]; {
	case c == '"', c == '`', isDigit(c):
		return true
	}
	word = identEnd(line, value)
	return line[value:word] == "true" || line[value:word] == "false"
}

// quoted lexes a "…" literal; in both profiles a backslash keeps the next
// character from ending it.
func (l *Lexer) quoted() {
	for i := l.pos + 1; i < len(l.text); i++ {
		if !endsRun[l.text[i]] {
			continue
		}
		switch l.text[i] {
		case '"':
			l.emit(token.String, l.pos, i+1)
			l.pos = i + 1
			return
		case '\\':
			if i+1 < len(l.text) && l.text[i+1] != '\n' {
				i++
			}
		case '\n':
			l.openString(i)
			return
		}
	}
	l.openString(len(l.text))
}

// endsRun marks the bytes that are more than text between quotes.
var endsRun = [256]bool{'"': true, '\\': true, '\n': true}

func (l *Lexer) openString(end int) {
	l.emit(token.BadString, l.pos, end)
	l.pos = end
}

// raw lexes a backtick literal. A missing partner would pair with the next
// literal's and swallow whole declarations, so a text that spans a
// declaration's header counts as open when the backticks behind it are even.
func (l *Lexer) raw() {
	n := strings.IndexByte(l.text[l.pos+1:], '`')
	inner := l.text[l.pos+1:]
	if n >= 0 {
		inner = inner[:n]
	}
	if n < 0 || spansHead(inner) && strings.Count(l.text[l.pos+1:], "`")%2 == 0 {
		end := l.pos + len(firstLine(l.text[l.pos:]))
		l.emit(token.BadRaw, l.pos, end)
		l.pos = end
		return
	}
	end := l.pos + n + 2
	l.emit(token.Raw, l.pos, end)
	l.pos = end
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// LooksAhead tells whether the reading of a declaration may depend on text far
// behind it: a backtick literal in it spans what looks like a header.
func LooksAhead(text string) bool {
	i := strings.IndexByte(text, '`')
	return i >= 0 && spansHead(text[i:])
}

// spansHead tells whether a line of text at column 0 looks like `kind name:`.
func spansHead(text string) bool {
	for {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		word := identEnd(text, 0)
		name := skipBlanks(text, word)
		if end := identEnd(text, name); word > 0 && name > word && end > name {
			if colon := skipBlanks(text, end); colon < len(text) && text[colon] == ':' {
				return true
			}
		}
	}
}
