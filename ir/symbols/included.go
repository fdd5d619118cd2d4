package symbols

import (
	"iterion/ast/source"
	"iterion/ir/build"
	"iterion/ir/compile"
)

// include notes what texts refer to that prompts include: the names stand in
// files that are no part of the unit, and the mark is where they are read.
func (x *Index) include(r *build.Result, b *builder) {
	for name, texts := range r.Scope.PromptTexts {
		prompt := r.Scope.Program.Prompt(name)
		readers := b.prompts[name]
		if len(readers) == 0 {
			readers = []place{{}}
		}
		for _, at := range readers {
			b.tree = prompt.Tree
			x.hidden = append(x.hidden, b.included(texts, at)...)
		}
	}
	for _, n := range r.Scope.Nodes {
		b.tree = n.Tree
		x.hidden = append(x.hidden, b.included(n.Texts, b.inside(nil, n.NodePart))...)
	}
}

// included returns what the included texts among those of one place refer to.
func (b *builder) included(texts []compile.TextUse, at place) (found []Occurrence) {
	for i := range texts {
		var mark source.Span
		for k := range texts[i].Refs {
			ref := &texts[i].Refs[k]
			switch {
			case ref.Include != "":
				mark = ref.Span
			case ref.Namespace != "" && ref.Span == mark:
				b.list, b.mark = nil, mark
				b.follow(ref.Namespace, ref.Path, ref.SegmentSpan, at, Template)
				found = append(found, b.list...)
				b.list, b.mark = nil, source.Span{}
			}
		}
	}
	return found
}

// Included returns the first mark of an included text that refers to a symbol.
// Its span is the mark's.
func (x *Index) Included(s Symbol) (Occurrence, bool) {
	for _, o := range x.hidden {
		if o.Symbol == s {
			return o, true
		}
	}
	return Occurrence{}, false
}
