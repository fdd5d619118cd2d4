package symbols

import (
	"iter"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/compile"
)

// named says what the keys of a block declare; zero for names of nothing.
func named(block string) (kind Kind, owned bool) {
	switch block {
	case "vars":
		return Var, false
	case "presets":
		return Preset, false
	case "attachments":
		return Attachment, false
	case "secrets":
		return Secret, false
	case "resources":
		return Resource, false
	case "schema":
		return Field, true
	case "values":
		return Setting, true
	case "outputs":
		return Port, true
	case "criteria":
		return Criterion, true
	case "effects":
		return Effect, true
	case "fallbacks":
		return Route, true
	}
	return 0, false
}

// entry walks an author-named line.
func (b *builder) entry(m int, kind *schema.Kind, h holder) {
	if kind.Entry == nil || m+1 >= int(b.tree.Nodes[m].Next) {
		return
	}
	b.entryKey(m+1, kind, h)
	for v := range b.tree.Children(m) {
		switch b.tree.Nodes[v].Kind {
		case ast.Type:
			b.typeName(v, kind.Entry.Typed)
		case ast.Ident, ast.String, ast.Raw:
			if kind.Entry.Ref == schema.RefCursor {
				cursor, _, _ := b.leaf(m + 1)
				b.word(Setting, cursor, Refers, v)
			}
		}
	}
	if kind.Entry.Block != nil {
		b.body(m, kind.Entry.Block, h)
	}
}

// entryKey notes the key of an entry.
func (b *builder) entryKey(k int, kind *schema.Kind, h holder) {
	if declares, owned := named(kind.Name); declares != 0 {
		if !owned {
			h.name = ""
		}
		b.word(declares, h.name, Declares, k)
		return
	}
	switch {
	case kind.Entry.Ref != schema.NoRef:
		b.word(referred(kind.Entry.Ref), "", Refers, k)
	case kind.Name == "inputs": // of a contract: each is a variable
		b.word(Var, "", Refers, k)
	case kind.Name == "expr" && h.node != nil:
		if s := b.schema(h.node.Common.Output); s != nil {
			b.word(Field, s.Name, Refers, k)
		}
	}
}

// typeName notes a schema that is used as a type.
func (b *builder) typeName(v int, typed *schema.Typed) {
	name, at, _ := b.leaf(v)
	name, _, _ = strings.Cut(name, "[]")
	if typed == nil || !typed.Schemas || slices.Contains(typed.Types, b.tree.Slice(v)) || slices.Contains(typed.Types, name) {
		return
	}
	b.add(Symbol{Kind: Schema, Name: name}, Refers, Word, source.Span{Start: at.Start, End: at.Start + uint32(len(name))})
}

// handed notes the keys of what an emit or a subbot gives away: fields of who
// waits for the event, variables of the other program.
func (b *builder) handed(with int, node *compile.NodePart) {
	switch {
	case node.Emit != nil:
		b.keys(with, b.waits[node.Emit.Event.V])
	case node.Subbot != nil:
		for k := range b.keysOf(with) {
			b.word(Argument, node.Subbot.Source.V, Refers, k)
		}
	}
}

// keys notes the keys of a `with` that set declared fields.
func (b *builder) keys(with int, s *ir.Schema) {
	if s == nil {
		return
	}
	for k := range b.keysOf(with) {
		if name, _, _ := b.leaf(k); s.Field(name) != nil {
			b.word(Field, s.Name, Refers, k)
		}
	}
}

// keysOf yields the keys of a `with`.
func (b *builder) keysOf(with int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for e := range b.tree.Children(with) {
			if b.tree.Nodes[e].Kind == ast.Entry && e+1 < int(b.tree.Nodes[e].Next) && !yield(e+1) {
				return
			}
		}
	}
}

// edgeLine walks one line of edges. Clauses belong to the last arrow.
func (b *builder) edgeLine(n int, g *group) {
	var source, target found
	for m := range b.tree.Children(n) {
		switch b.tree.Nodes[m].Kind {
		case ast.Target:
			source, target = target, b.target(m, g)
		case ast.When:
			if field := b.tree.First(m, ast.Ident); field >= 0 {
				name, at, form := b.leaf(field)
				b.output(source, name, at, form)
			}
		case ast.Loop:
			b.clauseName(m, Loop)
		case ast.Foreach:
			b.clauseName(m, Foreach)
		case ast.With:
			if target.node != nil {
				b.keys(m, b.schema(target.node.Common.Input))
			}
		}
	}
}

func (b *builder) clauseName(m int, kind Kind) {
	if name := b.tree.First(m, ast.Ident); name >= 0 {
		b.word(kind, "", Declares, name)
	}
}

// target notes an end of an edge. The built-in terminals are no nodes.
func (b *builder) target(m int, g *group) found {
	name, at, form := b.leaf(m)
	if name == ir.Done || name == ir.Fail {
		return found{}
	}
	return b.path(g, name, at, form)
}

// use walks `use GROUP as PREFIX with { … }`.
func (b *builder) use(p *compile.Part) {
	u := p.Use
	b.add(Symbol{Kind: Group, Name: u.Group.Name}, Refers, Word, u.Group.NameSpan)
	b.add(Symbol{Kind: Instance, Name: u.Prefix.Name}, Declares, Word, u.Prefix.NameSpan)
	g := b.groups[u.Group.Name]
	for _, binding := range u.With.V {
		b.add(Symbol{Param, u.Group.Name, binding.Key}, Refers, Word, binding.KeySpan)
		b.bound(g, &binding)
	}
}
