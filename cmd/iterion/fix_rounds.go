package main

import (
	"slices"

	"iterion/ast/source"
	"iterion/diagnostics"
)

// maxRounds is how often a file is looked at again after its fixes: one may
// uncover another.
const maxRounds = 10

// rounds fixes one file until nothing is left to fix. When a round brings an
// error, or a finding stays, the file is again what it was at the beginning.
func (f *fixFile) rounds(suggested bool) {
	if len(f.pick(suggested).edits) == 0 {
		return
	}
	if f.failure = f.load(); f.failure == nil {
		f.failure = f.rebuild() // it may have changed since it was built
	}
	for n := 0; n < maxRounds && f.failure == nil; n++ {
		picked := f.pick(suggested)
		if len(picked.edits) == 0 {
			return
		}
		if f.undone = f.round(picked); f.undone != "" {
			f.raw, f.fixed = f.before, nil
			f.failure = f.rebuild()
			return
		}
		f.fixed = append(f.fixed, picked.fixed...)
	}
}

// round applies what was picked and says what is wrong then, "" for nothing.
func (f *fixFile) round(picked pick) string {
	found := make([][]diagnostics.Diagnostic, len(f.units))
	for i, u := range f.units {
		found[i] = u.found
	}
	want := source.Rewrite(source.Load("", f.raw).Text, picked.edits)
	f.raw = source.Rewrite(f.raw, picked.edits)
	if source.Load("", f.raw).Text != want {
		return "a carriage return would become the end of a line"
	}
	if err := f.rebuild(); err != nil {
		return reason(err)
	}
	for i, u := range f.units {
		if problem := worse(found[i], u.found, picked.targets[i]); problem != "" {
			return problem
		}
	}
	return ""
}

// rebuild builds every unit that the file belongs to.
func (f *fixFile) rebuild() error {
	for _, u := range f.units {
		if err := u.find(); err != nil {
			return err
		}
	}
	return nil
}

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

// worse says which error is new after a round, or which finding stays of those
// that should be gone.
func worse(before, after []diagnostics.Diagnostic, targets map[kindOfFinding]int) string {
	was, wereErrors := tally(before)
	is, areErrors := tally(after)
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
