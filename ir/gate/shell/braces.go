package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraced bounds how many words the braces of one word may come to.
const maxBraced = 64

// braces expands the braces of a word. It returns nil when there are none, and
// when they come to more than can be listed: they then stand for a part that is
// not static.
func braces(w *syntax.Word) []*syntax.Word {
	if !hasBrace(w) {
		return nil
	}
	split := &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(split)
	words, found := expand(split.Parts)
	if !found || len(words) > maxBraced {
		return nil
	}
	return words
}

func hasBrace(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") && lit.Value != "{}" {
			return true
		}
	}
	return false
}

// expand lists the words that parts come to; found tells whether a brace
// expression was among them.
func expand(parts []syntax.WordPart) (words []*syntax.Word, found bool) {
	words = []*syntax.Word{{}}
	for _, part := range parts {
		choices, braced := choose(part)
		found = found || braced
		if len(words)*len(choices) > maxBraced {
			return nil, false
		}
		var next []*syntax.Word
		for _, w := range words {
			for _, c := range choices {
				next = append(next, &syntax.Word{Parts: concat(w.Parts, c.Parts)})
			}
		}
		words = next
	}
	return words, found
}

func concat(a, b []syntax.WordPart) []syntax.WordPart {
	return append(append(make([]syntax.WordPart, 0, len(a)+len(b)), a...), b...)
}

// choose lists what a part may be: itself, or the elements of its braces.
func choose(part syntax.WordPart) (words []*syntax.Word, braced bool) {
	brace, ok := part.(*syntax.BraceExp)
	switch {
	case !ok:
		return []*syntax.Word{{Parts: []syntax.WordPart{part}}}, false
	case brace.Sequence:
		if words = sequence(brace); words == nil {
			return []*syntax.Word{{Parts: []syntax.WordPart{part}}}, true
		}
		return words, true
	}
	for _, elem := range brace.Elems {
		inner, _ := expand(elem.Parts)
		if inner == nil || len(words)+len(inner) > maxBraced {
			return make([]*syntax.Word, maxBraced+1), true // too many
		}
		words = append(words, inner...)
	}
	return words, true
}

// sequence lists `{1..9}`, `{a..e}` and `{1..9..2}`; nil when it is too long, or
// padded with zeros.
func sequence(b *syntax.BraceExp) (words []*syntax.Word) {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	letters := len(from) == 1 && from[0] > '9'
	first, last, step := value(from, letters), value(to, letters), 1
	if len(b.Elems) > 2 {
		step = value(b.Elems[2].Lit(), false)
	}
	if step < 0 {
		step = -step
	}
	if step == 0 {
		step = 1
	}
	if first > last {
		step = -step
	}
	if padded(from) || padded(to) || (last-first)/step >= maxBraced || (last-first)/step < 0 {
		return nil
	}
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		text := strconv.Itoa(n)
		if letters {
			text = string(rune(n))
		}
		words = append(words, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: text}}})
	}
	return words
}

func value(s string, letter bool) int {
	if letter && len(s) == 1 {
		return int(s[0])
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > 1<<30 || n < -1<<30 {
		return 1 << 30 // too long a sequence
	}
	return n
}

func padded(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	return len(digits) > 1 && digits[0] == '0' || strings.HasPrefix(s, "+")
}
