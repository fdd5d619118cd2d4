package fixes

import (
	"slices"

	"iterion/diagnostics"
)

// kindOfFinding is what findings before and after a round are counted by:
// their places move.
type kindOfFinding struct {
	file string
	code diagnostics.Code
}

func kindOfFindingIn(d diagnostics.Diagnostic) kindOfFinding {
	return kindOfFinding{d.Range.File, d.Code}
}

// tally counts findings by kind, and those of them that are errors.
func tally(list []diagnostics.Diagnostic) (all, errors map[kindOfFinding]int) {
	all, errors = map[kindOfFinding]int{}, map[kindOfFinding]int{}
	for _, d := range list {
		k := kindOfFindingIn(d)
		all[k]++
		if d.Severity == diagnostics.Error {
			errors[k]++
		}
	}
	return all, errors
}

// Worse says which error is new among the findings after a change, or which
// finding stays of those that should be gone; "" for nothing.
func Worse(before, after, gone []diagnostics.Diagnostic) string {
	was, wereErrors := tally(before)
	is, areErrors := tally(after)
	targets, _ := tally(gone)
	for _, d := range after {
		switch k := kindOfFindingIn(d); {
		case areErrors[k] > wereErrors[k]:
			return "that would bring " + newest(before, after, k)
		case targets[k] > 0 && is[k] > was[k]-targets[k]:
			return "that would leave " + string(d.Code) + ": " + d.Message
		}
	}
	return ""
}

// newest is the first error of a kind that nothing before was like.
func newest(before, after []diagnostics.Diagnostic, k kindOfFinding) string {
	text := ""
	for _, d := range after {
		known := slices.ContainsFunc(before, func(b diagnostics.Diagnostic) bool { return b.Code == d.Code && b.Message == d.Message })
		if kindOfFindingIn(d) == k && d.Severity == diagnostics.Error && (text == "" || !known) {
			text = string(d.Code) + ": " + d.Message
			if !known {
				break
			}
		}
	}
	return text
}
