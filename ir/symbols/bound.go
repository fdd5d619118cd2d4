package symbols

import (
	"strings"

	"iterion/ast/source"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
)

// bound follows the references in a value that a `use` binds to a parameter:
// they are read where the group pastes it, but never name members.
func (b *builder) bound(g *group, binding *ir.Binding) {
	spots := b.spots(g, binding.Key)
	scan, base := binding.Value.Scan()
	refs, _ := template.Parse(scan)
	for i := range refs {
		r := &refs[i]
		if r.Namespace == "" || r.Namespace == "params" {
			continue
		}
		segment := func(i int) source.Span {
			return binding.Value.At(base, r.SegmentSpan(i)).Shift(binding.Span.Start)
		}
		for _, at := range spots.texts {
			b.follow(r.Namespace, r.Path, segment, at, Template)
		}
	}
	if len(spots.exprs) > 0 && len(refs) == 0 {
		x := compile.NewExpr(compile.ComputeField, binding.Key, binding.Value, binding.Span)
		for _, at := range spots.exprs {
			b.expression(&x, at)
		}
	}
}

// spots are the places where a parameter is pasted.
type spots struct{ texts, exprs []place }

// spots finds the places of a parameter. A parameter that is pasted nowhere may
// still hold references: their place is any.
func (b *builder) spots(g *group, param string) (s spots) {
	if g != nil {
		for _, node := range g.part.Group.Nodes {
			b.spotsIn(&s, b.inside(nil, node), param, node.Texts, node.Exprs)
			for name := range compile.PromptNames(node.Node) {
				b.spotsIn(&s, b.inside(nil, node), param, b.texts[name], nil)
			}
		}
		for i := range g.part.Edges {
			e := &g.part.Edges[i]
			b.spotsIn(&s, b.along(nil, b.find(g, strings.Split(e.From, "."))), param, e.Texts, e.Exprs)
		}
	}
	if len(s.texts) == 0 {
		s.texts = []place{{}}
	}
	return s
}

func (b *builder) spotsIn(s *spots, at place, param string, texts []compile.TextUse, exprs []compile.ExprUse) {
	for i := range texts {
		if pastes(texts[i].Refs, param) {
			s.texts = append(s.texts, at)
			break
		}
	}
	for i := range exprs {
		if x := &exprs[i]; x.Tree == nil {
			if refs, _ := template.Parse(x.Parsed()); pastes(refs, param) {
				s.exprs = append(s.exprs, at)
			}
		}
	}
}

// pastes tells whether a text holds a parameter.
func pastes(refs []template.Ref, param string) bool {
	for i := range refs {
		if refs[i].Namespace == "params" && refs[i].Path[0] == param {
			return true
		}
	}
	return false
}
