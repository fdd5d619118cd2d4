package feature

import (
	"strings"
	"unicode"
)

// fuzzy tells how well a name fits what was typed, whose letters must stand in
// it in their order: letters that begin a word count most, then those that
// follow each other. It is not ok when one is missing.
func fuzzy(name, typed string) (score int, ok bool) {
	at, last := 0, -2
	for _, want := range strings.ToLower(typed) {
		if want == ' ' {
			continue
		}
		i := find(name, at, want)
		if i < 0 {
			return 0, false
		}
		switch {
		case startsWord(name, i):
			score += 3
		case i == last+1:
			score += 2
		}
		last, at = i, i+len(string(want))
	}
	if strings.EqualFold(name, typed) {
		score += 10
	}
	return score*16 - len(name), true
}

// find returns where a letter stands at or behind an offset: where it begins a
// word, if it does, else the first; -1 for nowhere. A later beginning does not
// count when the letter goes on with the one before.
func find(name string, from int, want rune) int {
	first := -1
	for i, c := range name {
		if i < from || unicode.ToLower(c) != want {
			continue
		}
		if i == from || startsWord(name, i) {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

func startsWord(name string, i int) bool {
	return i == 0 || strings.IndexByte("_./- ", name[i-1]) >= 0
}
