package feature

import (
	"context"
	"slices"

	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// settled leads from an argument of a subbot to the variable that the other
// program declares; any other word stays as it is.
func (w word) settled(s *session.Snapshot) word {
	uri, ok := target(s, w.index, w.Occurrence)
	if w.Kind != symbols.Argument || !ok {
		return w
	}
	u := s.Unit(session.KeyOf(uri))
	x := Names(u)
	if x == nil {
		return w
	}
	if o, ok := x.Declaration(symbols.Symbol{Kind: symbols.Var, Name: w.Name}); ok {
		return word{o, u, x}
	}
	return w
}

// caller is a unit that runs another as a subbot and hands over a variable.
type caller struct {
	unit   *session.Unit
	index  *symbols.Index
	symbol symbols.Symbol // the argument
}

// callers lists the units of the workspace that hand over a variable of a unit,
// with each spelling of its path.
func callers(ctx context.Context, s *session.Snapshot, u *session.Unit, variable symbols.Symbol) (list []caller) {
	if variable.Kind != symbols.Var {
		return nil
	}
	units, err := workspaceUnits(ctx, s, func(int, int, string) {})
	if err != nil {
		return nil // the request was taken back
	}
	for _, by := range units {
		x := Names(by)
		if x == nil {
			continue
		}
		for symbol, words := range x.All {
			if symbol.Kind != symbols.Argument || symbol.Name != variable.Name {
				continue
			}
			if slices.ContainsFunc(words, func(o symbols.Occurrence) bool {
				uri, ok := target(s, x, o)
				return ok && session.KeyOf(uri) == u.Main
			}) {
				list = append(list, caller{by, x, symbol})
			}
		}
	}
	return list
}
