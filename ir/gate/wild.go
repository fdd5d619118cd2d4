package gate

import (
	"strings"
	"unicode/utf8"
)

// wild is a pattern over one text in which every `*` meets anything, `?` one
// character and a class one of its characters, none of both a slash.
type wild struct {
	head  string // what stands before the first special character
	items []item
}

type item struct {
	kind itemKind
	text string // of a literal
	not  bool   // of a class: none of its ranges
	set  []span // of a class
}

type span struct{ low, high rune }

type itemKind uint8

const (
	literal itemKind = iota
	many
	one
	class
)

// mostAlternatives bounds what the braces of a pattern may expand to.
const mostAlternatives = 64

// alternatives expands the braces of a pattern. When there are too many, or
// they are not closed, ok is false.
func alternatives(pattern string) (list []string, ok bool) {
	if !strings.Contains(pattern, "{") {
		return []string{pattern}, true
	}
	todo := []string{pattern}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		head, choices, tail, has := braces(p)
		switch {
		case !has && strings.Contains(p, "{"):
			return nil, false
		case !has:
			list = append(list, p)
		}
		for _, c := range choices {
			todo = append(todo, head+c+tail)
		}
		if len(list)+len(todo) > mostAlternatives {
			return nil, false
		}
	}
	return list, true
}

// braces splits a pattern at its first group of braces.
func braces(p string) (head string, choices []string, tail string, ok bool) {
	open := strings.IndexByte(p, '{')
	if open < 0 {
		return "", nil, "", false
	}
	depth, from := 0, open+1
	for i := open; i < len(p); i++ {
		switch p[i] {
		case '{':
			depth++
		case ',':
			if depth == 1 {
				choices = append(choices, p[from:i])
				from = i + 1
			}
		case '}':
			if depth--; depth == 0 {
				return p[:open], append(choices, p[from:i]), p[i+1:], true
			}
		}
	}
	return "", nil, "", false
}

func compileWild(pattern string) wild {
	var w wild
	for rest := pattern; rest != ""; {
		i := strings.IndexAny(rest, "*?[")
		if i < 0 {
			i = len(rest)
		}
		if i > 0 {
			w.items = append(w.items, item{kind: literal, text: rest[:i]})
			rest = rest[i:]
			continue
		}
		switch rest[0] {
		case '*':
			w.items = append(w.items, item{kind: many})
			rest = strings.TrimLeft(rest, "*")
		case '?':
			w.items = append(w.items, item{kind: one})
			rest = rest[1:]
		default:
			set, n := compileClass(rest)
			w.items = append(w.items, set)
			rest = rest[n:]
		}
	}
	if len(w.items) > 0 && w.items[0].kind == literal {
		w.head = w.items[0].text
	}
	return w
}

// compileClass reads a class at the beginning of a text and returns its length.
// One that is never closed is a plain bracket.
func compileClass(text string) (item, int) {
	end := strings.IndexByte(text[1:], ']')
	if end == 0 || end == 1 && (text[1] == '!' || text[1] == '^') { // the bracket is a member
		if more := strings.IndexByte(text[end+2:], ']'); more >= 0 {
			end += more + 1
		} else {
			end = -1
		}
	}
	if end < 0 {
		return item{kind: literal, text: "["}, 1
	}
	body := text[1 : 1+end]
	c := item{kind: class}
	if body[0] == '!' || body[0] == '^' {
		c.not, body = true, body[1:]
	}
	members := []rune(body)
	for i := 0; i < len(members); i++ {
		s := span{members[i], members[i]}
		if i+2 < len(members) && members[i+1] == '-' {
			s.high = members[i+2]
			i += 2
		}
		c.set = append(c.set, s)
	}
	return c, end + 2
}

// meets tells whether an item takes a character.
func (it *item) meets(r rune) bool {
	if r == '/' {
		return false
	}
	if it.kind == one {
		return true
	}
	for _, s := range it.set {
		if s.low <= r && r <= s.high {
			return !it.not
		}
	}
	return it.not
}

// match tries the whole text. Only the last wildcard is ever tried again, which
// is enough, since each meets anything: the cost is the product of both sizes
// at most.
func (w *wild) match(text string) bool {
	at, i := 0, 0
	star, resume := -1, 0
	for {
		switch {
		case i == len(w.items):
			if at == len(text) {
				return true
			}
		case w.items[i].kind == many:
			star, resume = i, at
			i++
			if i == len(w.items) {
				return true
			}
			continue
		default:
			if n := w.items[i].take(text[at:]); n > 0 {
				at += n
				i++
				continue
			}
		}
		if star < 0 || resume >= len(text) {
			return false
		}
		_, n := utf8.DecodeRuneInString(text[resume:])
		resume += n
		at, i = resume, star+1
	}
}

// take returns how many bytes of a text the item meets at its beginning, 0 for
// none.
func (it *item) take(text string) int {
	if it.kind == literal {
		if strings.HasPrefix(text, it.text) {
			return len(it.text)
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 || !it.meets(r) {
		return 0
	}
	return n
}
