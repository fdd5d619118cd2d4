package symbols

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/build"
)

// Edits are the changes of a unit by the name of the file in findings, each
// list in order.
type Edits map[string][]source.Edit

// Conflict says why a symbol cannot get a name, and where the reason stands.
type Conflict struct {
	Message string
	Tree    *ast.Declaration
	Span    source.Span
}

func (c *Conflict) Error() string { return c.Message }

func conflict(o Occurrence, format string, args ...any) *Conflict {
	return &Conflict{fmt.Sprintf(format, args...), o.Tree, o.Span}
}

// Renamable says why a symbol keeps its name whatever the new one is, or nil.
func (x *Index) Renamable(s Symbol) *Conflict {
	declared, ok := x.Declaration(s)
	list := x.Of(s)
	switch {
	case len(list) == 0 || s.Kind.File():
		return &Conflict{Message: "this is no name that can be changed"}
	case !ok:
		return conflict(list[0], "no %s `%s` is declared", s.Kind, s.Name)
	case s.Kind == Field && strings.HasPrefix(s.Name, "_"):
		return conflict(declared, "`%s` is a field that the engine writes: it keeps its name", s.Name)
	case declared.Form == FileName:
		return conflict(declared, "the prompt `%s` has the name of its file: rename the file", s.Name)
	}
	for _, o := range list {
		if len(o.Also) > 0 {
			return conflict(o, "this word names more than one thing: %s", both(o))
		}
		if f := x.files[o.Tree]; f == nil || f.IsDocument() {
			return conflict(o, "names of a YAML author document are not changed")
		}
	}
	return nil
}

// both lists what an ambiguous word names.
func both(o Occurrence) string {
	list := []string{describe(o.Symbol)}
	for _, s := range o.Also {
		list = append(list, describe(s))
	}
	return strings.Join(list, " and ")
}

func describe(s Symbol) string {
	if s.Owner != "" {
		return fmt.Sprintf("the %s `%s` of `%s`", s.Kind, s.Name, s.Owner)
	}
	return fmt.Sprintf("the %s `%s`", s.Kind, s.Name)
}

// Rename returns the edits that give a symbol another name everywhere in the
// unit. It refuses a name that is taken, that the language keeps for itself, or
// that would make any word of the unit refer to something else.
func (x *Index) Rename(s Symbol, name string) (Edits, *Conflict) {
	if c := x.Renamable(s); c != nil {
		return nil, c
	}
	if c := x.refused(s, name); c != nil {
		return nil, c
	}
	edits := x.Edits(s, name)
	return edits, x.Verify(name, edits, s)
}

// Edits writes a name at every occurrence of a symbol, whatever stands against
// it.
func (x *Index) Edits(s Symbol, to string) Edits {
	edits := Edits{}
	for _, o := range x.Of(s) {
		f := x.files[o.Tree]
		base := f.AST.Bases[slices.Index(f.AST.Decls, o.Tree)]
		name := f.Source().Name
		edits[name] = append(edits[name], source.Edit{Span: o.Span.Shift(base), New: to})
	}
	for _, list := range edits {
		slices.SortFunc(list, func(a, b source.Edit) int { return cmp.Compare(a.Start, b.Start) })
	}
	return edits
}

// refused judges a new name by itself and against those that are there.
func (x *Index) refused(s Symbol, name string) *Conflict {
	here, _ := x.Declaration(s)
	switch {
	case name == s.Name:
		return nil
	case !identifier(name):
		return conflict(here, "`%s` is no name: letters, digits and underscores, no digit first", name)
	case reserved(name):
		return conflict(here, "`%s` is a word of the language and no name for the %s `%s`", name, s.Kind, s.Name)
	case strings.HasPrefix(name, "_") && (s.Kind == Field || s.Kind == Prompt):
		return conflict(here, "names that begin with `_` are given by the engine")
	}
	for _, kind := range rivals(s.Kind) {
		taken := Symbol{kind, s.Owner, name}
		if o, ok := x.Declaration(taken); ok {
			return conflict(o, "the name is taken by %s", describe(taken))
		}
		if list := x.Of(taken); len(list) > 0 {
			return conflict(list[0], "%s is meant here, which nothing declares: it would become this one", describe(taken))
		}
	}
	return nil
}

// rivals are the kinds whose names a name of a kind may not have.
func rivals(kind Kind) []Kind {
	switch kind {
	case Var:
		return []Kind{Var, Attachment, Secret}
	case Attachment, Secret:
		return []Kind{kind, Var}
	case Loop, Foreach:
		return []Kind{Loop, Foreach}
	case Node, Instance:
		return []Kind{Node, Instance}
	}
	return []Kind{kind}
}

func identifier(name string) bool {
	for i, c := range []byte(name) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// reserved tells whether a word has a meaning of its own where names stand: the
// terminals, the namespaces, the words of expressions.
func reserved(name string) bool {
	switch name {
	case ir.Done, ir.Fail, "true", "false", "and", "or", "not":
		return true
	}
	return slices.Contains(template.Namespaces, name)
}

// Verify reads the unit as the edits leave it, and says which word would refer
// to something else than before, but for the new name of some symbols. The edits
// may be those of several units that share files.
func (x *Index) Verify(name string, edits Edits, changed ...Symbol) *Conflict {
	after := Of(x.result.Edited(func(f *build.File) []source.Edit { return edits[f.Source().Name] }))
	edited := after.Files()
	for i, f := range x.Files() {
		if f == x.beside { // no words of a manifest depend on others
			continue
		}
		g := edited[i]
		for k, d := range f.AST.Decls {
			if k >= len(g.AST.Decls) {
				return &Conflict{broken(name), d, d.Root().Span()}
			}
			if c := x.sameNames(after, d, g.AST.Decls[k], changed, name); c != nil {
				return c
			}
		}
	}
	return nil
}

func broken(name string) string {
	return fmt.Sprintf("with the name `%s` this would be read otherwise", name)
}

// sameNames compares the words of a declaration before and after.
func (x *Index) sameNames(after *Index, old, edited *ast.Declaration, changed []Symbol, name string) *Conflict {
	was, is := x.In(old), after.In(edited)
	for i, o := range was {
		if i >= len(is) || len(is[i].Also) != len(o.Also) || is[i].Form != o.Form {
			return conflict(o, "with the name `%s` this would no longer mean %s", name, describe(o.Symbol))
		}
		for k, before := range append([]Symbol{o.Symbol}, o.Also...) {
			now := append([]Symbol{is[i].Symbol}, is[i].Also...)[k]
			for _, s := range changed {
				before = renamed(before, s, name)
			}
			if before != now {
				return conflict(o, "with the name `%s` this would become %s", name, describe(now))
			}
		}
	}
	if len(is) > len(was) || len(old.Nodes) != len(edited.Nodes) || len(edited.Problems) > len(old.Problems) {
		return &Conflict{broken(name), old, old.Root().Span()}
	}
	return nil
}

// renamed is a symbol when another, which may own it, has got a new name.
func renamed(one, s Symbol, name string) Symbol {
	if one == s {
		one.Name = name
		return one
	}
	switch one.Kind {
	case Field:
		one.Owner = ownerAfter(one.Owner, Schema, s, name)
	case Param:
		one.Owner = ownerAfter(one.Owner, Group, s, name)
	case Setting:
		one.Owner = ownerAfter(one.Owner, Cursor, s, name)
	case Port, Criterion, Effect:
		one.Owner = ownerAfter(one.Owner, Contract, s, name)
	case Node:
		one.Owner = ownerAfter(one.Owner, Group, s, name)
	case Route, Binding:
		one.Owner = nodeAfter(one.Owner, s, name)
	}
	return one
}

func ownerAfter(owner string, kind Kind, s Symbol, name string) string {
	if s.Kind == kind && s.Name == owner {
		return name
	}
	return owner
}

// nodeAfter is the name of a node as an owner, its group before a dot.
func nodeAfter(node string, s Symbol, name string) string {
	group, member, inGroup := strings.Cut(node, ".")
	if !inGroup {
		group, member = "", node
	}
	switch {
	case s.Kind == Node && s.Owner == group && s.Name == member:
		member = name
	case s.Kind == Group && inGroup && s.Name == group:
		group = name
	}
	if inGroup {
		return group + "." + member
	}
	return member
}
