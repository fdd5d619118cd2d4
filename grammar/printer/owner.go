package printer

import (
	"cmp"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
)

// owned is a comment with what it belongs to.
type owned struct {
	node int // of the declaration
	as   role
	text string // in canonical form
}

type role uint8

const (
	leading role = iota // above its node
	behind              // behind the line its node starts
	closing             // at the end of its node's block
)

func sortOwned(list []owned) {
	slices.SortStableFunc(list, func(a, b owned) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.as, b.as))
	})
}

// place is a node that stands on a line of its own, or could.
type place struct {
	node   int
	span   source.Span
	column int
	parent int  // index of the place around it, -1 for none
	opens  bool // it has lines of its own below it
}

// owned finds the owner of every comment of the current declaration, from
// order and columns alone. The loose ones, which stand around the declaration,
// are noted apart.
func (s *side) owned() []owned {
	places := s.places()
	var list []owned
	next := 0         // the first place that starts behind the comment
	margin := 0       // the smallest column of the comments since the last place
	looseEnd := false // the declaration has been noted
	for _, c := range s.d.Comments {
		column := column(s.d.Text, c.Start)
		for next < len(places) && places[next].span.Start < c.Start {
			next, margin = next+1, column
		}
		margin = min(margin, column)
		text := string(appendComment(nil, s.d.Text[c.Start:c.End]))
		switch o := s.owner(places, next, margin, c); {
		case o.node >= 0:
			o.text = text
			list = append(list, o)
		default:
			if next > 0 && !looseEnd {
				s.loose, looseEnd = append(s.loose, ""), true
			}
			s.loose = append(s.loose, text)
		}
	}
	if !looseEnd {
		s.loose = append(s.loose, "")
	}
	return list
}

// allLoose adds the comments behind the last declaration.
func (s *side) allLoose() []string {
	for _, c := range s.f.Tail {
		s.loose = append(s.loose, string(appendComment(nil, s.f.Source.Text[c.Start:c.End])))
	}
	return s.loose
}

// owner finds the owner of comment c, which stands before place next. A block
// is left by the first comment that is not deeper than its header.
func (s *side) owner(places []place, next, margin int, c ast.Comment) owned {
	if next == 0 {
		return owned{node: -1}
	}
	if c.Trailing && strings.Trim(s.d.Text[lineStart(s.d.Text, c.Start):c.Start], " \t,") != "" {
		return owned{node: places[next-1].node, as: behind}
	}
	for i := next - 1; i >= 0; i = places[i].parent {
		at := places[i]
		// Between the braces of a `with` columns mean nothing.
		with := s.d.Nodes[at.node].Kind == ast.With && c.Start < at.span.End
		if !with && (!at.opens || at.column >= margin) {
			continue
		}
		if next < len(places) && places[next].span.Start < at.span.End {
			break
		}
		return owned{node: at.node, as: closing}
	}
	if next < len(places) {
		return owned{node: places[next].node}
	}
	return owned{node: -1}
}

// places lists the members, the groups and the items of dash lists of the
// declaration in source order.
func (s *side) places() []place {
	d := s.d
	var list []place
	var around []int // indices in list
	for i, n := range d.Nodes {
		for len(around) > 0 && list[around[len(around)-1]].span.End <= n.Start {
			around = around[:len(around)-1]
		}
		opens := false
		switch n.Kind {
		case ast.Decl:
			opens = d.KeywordOf(i) != "prompt"
		case ast.Prop, ast.Entry:
			opens = n.Flags&ast.FlagBlock != 0 || len(d.Nodes) > i+2 && d.Nodes[i+2].Flags&ast.FlagDashes != 0
		case ast.Edge, ast.Use, ast.With, ast.Import, ast.Header:
		default:
			if len(around) == 0 || !s.item(list[around[len(around)-1]], i) {
				continue
			}
		}
		at := place{node: i, span: n.Span(), column: column(d.Text, n.Start), parent: -1, opens: opens}
		if len(around) > 0 {
			at.parent = around[len(around)-1]
		}
		around = append(around, len(list))
		list = append(list, at)
	}
	return list
}

// item tells whether node i is an item of the dash list of a place.
func (s *side) item(at place, i int) bool {
	list := at.node + 2
	nodes := s.d.Nodes
	return list < i && nodes[list].Kind == ast.List && nodes[list].Flags&ast.FlagDashes != 0 && i < int(nodes[list].Next)
}

func lineStart(text string, offset uint32) uint32 {
	return uint32(strings.LastIndexByte(text[:offset], '\n') + 1)
}
