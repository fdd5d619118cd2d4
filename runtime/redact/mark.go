package redact

import (
	"fmt"
	"slices"
	"strings"
)

// markForms are tried in order. The later ones are for values that the first
// would join with: behind `[secret a]`, the text `x` reads as the value `]x`.
var markForms = []string{"[secret %s]", "<secret %s>", "\u2588%.0s", "*%.0s"}

// marksFor returns the marks of secrets: the first form of which no mark can be
// a part of a needle's occurrence, so that replacing one secret never spells
// another.
func marksFor(names, needles []string) []string {
	var marks []string
	for _, form := range markForms {
		marks = marks[:0]
		for _, name := range names {
			marks = append(marks, fmt.Sprintf(form, name))
		}
		if !slices.ContainsFunc(marks, func(mark string) bool { return joinsAny(mark, needles) }) {
			break
		}
	}
	return marks
}

func joinsAny(mark string, needles []string) bool {
	return slices.ContainsFunc(needles, func(needle string) bool { return joins(mark, needle) })
}

// joins tells whether an occurrence of the needle can share bytes with a mark.
func joins(mark, needle string) bool {
	if strings.Contains(mark, needle) || strings.Contains(needle, mark) {
		return true
	}
	for n := 1; n < min(len(mark), len(needle)); n++ {
		if strings.HasSuffix(mark, needle[:n]) || strings.HasPrefix(mark, needle[len(needle)-n:]) {
			return true
		}
	}
	return false
}
