package feature

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/build"
	"iterion/ir/effective"
	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// missing is a name that no declaration has, at a word of a file.
type missing struct {
	symbols.Symbol
	at   *spot
	unit *session.Unit
	file *ast.File // that holds the word
	decl int       // the declaration around it
}

// remedy is how a missing name of a kind is declared with the least that is
// complete.
type remedy struct {
	noun string
	text func(*missing) string
	// block is the declaration, or the property of the workflow, whose lines
	// declare such names; "" when each has a declaration of its own.
	block string
}

func remedies() map[symbols.Kind]remedy {
	lines := func(form string) func(*missing) string {
		return func(m *missing) string { return fmt.Sprintf(form, m.Name) }
	}
	return map[symbols.Kind]remedy{
		symbols.Node:       {"agent", agentText, ""},
		symbols.Prompt:     {"prompt", lines("prompt %s:\n  TODO\n"), ""},
		symbols.Schema:     {"schema", schemaText, ""},
		symbols.Group:      {"group", lines("group %s:\n  tool step:\n    command: \"true\"\n"), ""},
		symbols.Cursor:     {"cursor", lines("cursor %s:\n  values:\n    low: \"TODO\"\n"), ""},
		symbols.Contract:   {"contract", lines("contract %s:\n  responsibility: \"TODO\"\n"), ""},
		symbols.Var:        {"variable", lines("%s: string\n"), "vars"},
		symbols.Attachment: {"attachment", lines("%s: file\n"), "attachments"},
		symbols.Secret:     {"secret", lines("%s:\n"), "secrets"},
		symbols.Resource:   {"resource", lines("%s: 1\n"), "resources"},
		symbols.Field:      {"field", lines("%s: string\n"), ""},
	}
}

// schemaText has the fields that the unit reads of what has the schema. Which
// these are is known once there is one.
func schemaText(m *missing) string {
	text := func(fields ...string) string {
		return "schema " + m.Name + ":\n  " + strings.Join(fields, ": string\n  ") + ": string\n"
	}
	least := text("result")
	texts, err := m.here(beside(m.file, m.decl, least)).texts(m.at.snapshot)
	if err != nil {
		return least
	}
	var fields []string
	x := Names(m.at.snapshot.Supposing(texts).Unit(m.unit.Main))
	for s := range x.All {
		if _, declared := x.Declaration(s); s.Kind == symbols.Field && s.Owner == m.Name && !declared {
			fields = append(fields, s.Name)
		}
	}
	if len(fields) == 0 {
		return least
	}
	slices.Sort(fields)
	return text(fields...)
}

// agentText asks the model that the unit's first agent asks.
func agentText(m *missing) string {
	text := "agent " + m.Name + ":\n"
	s := m.unit.Result().Scope
	w := s.Program.Workflow
	if effective.DefaultBackend(w).Name == "" {
		line := "  backend: auto\n"
		for _, n := range s.Nodes {
			if n.LLM != nil && n.LLM.Model.Set() {
				line = "  model: " + n.Tree.Text[n.LLM.Model.Span.Start:n.LLM.Model.Span.End] + "\n"
				break
			}
		}
		text += line
	}
	return text + "  user: \"TODO\"\n"
}

// creations offers a declaration for each name at the findings that has none,
// where that remedies the finding and has no error itself. Elsewhere it may
// uncover errors that nobody could see without it.
func creations(at *spot) (list []action) {
	if at.built == nil {
		return nil
	}
	for _, d := range at.findings {
		for _, m := range at.missingAt(d) {
			r, ok := remedies()[m.Kind]
			if !ok {
				continue
			}
			c := m.declared(r)
			title := "Declare " + r.noun + " `" + m.Name + "`"
			if i := slices.IndexFunc(list, func(a action) bool { return a.title == title }); i >= 0 {
				list[i].remedies = append(list[i].remedies, d)
			} else if c != nil && at.refuses(c) == nil && at.settles(c, d) {
				list = append(list, action{title: title, remedies: []*finding{d}, edit: c})
			}
		}
	}
	return list
}

// missingAt lists the names at a finding that no declaration has.
func (at *spot) missingAt(d *finding) (list []*missing) {
	x := Names(d.unit)
	f := at.file.Parsed(d.unit)
	if x == nil || f == nil {
		return nil
	}
	tree, base := session.DeclarationAt(f.AST, int(d.Range.Offsets.Start))
	for _, o := range x.In(tree) {
		span := o.Span.Shift(uint32(base))
		if _, declared := x.Declaration(o.Symbol); declared || span.End <= d.Range.Offsets.Start || d.Range.Offsets.End <= span.Start {
			continue
		}
		list = append(list, &missing{o.Symbol, at, d.unit, f.AST, slices.Index(f.AST.Decls, tree)})
	}
	return list
}

// declared is the change that declares the name; nil when there is no place.
func (m *missing) declared(r remedy) change {
	text := r.text(m)
	switch {
	case m.Kind == symbols.Field:
		return m.intoSchema(text)
	case m.Kind == symbols.Node && m.file.Decls[m.decl].Keyword() == "group":
		return m.intoGroup(text)
	case m.Kind == symbols.Resource:
		return m.intoWorkflow(r.block, text)
	case r.block == "":
		return m.here(beside(m.file, m.decl, text))
	}
	for i, d := range m.file.Decls {
		if d.Keyword() == r.block && d.Root().Kind == ast.Decl {
			if edit, ok := within(m.file, i, 0, ast.Entry, text); ok {
				return m.here(edit)
			}
		}
	}
	return m.here(belowHead(m.file, m.decl, r.block+":\n  "+text))
}

func (m *missing) here(e source.Edit) change {
	return change{session.KeyOf(m.unit.URI(m.file.Source.Name)): {e}}
}

// intoSchema adds a field to a schema, in whatever file it stands.
func (m *missing) intoSchema(text string) change {
	o, ok := Names(m.unit).Declaration(symbols.Symbol{Kind: symbols.Schema, Name: m.Owner})
	f := Names(m.unit).File(o.Tree)
	if !ok || f == nil || f.IsDocument() {
		return nil
	}
	edit, ok := within(f.AST, slices.Index(f.AST.Decls, o.Tree), 0, ast.Entry, text)
	if !ok {
		return nil
	}
	return change{keyOf(f): {edit}}
}

// intoGroup adds a member to the group around the word.
func (m *missing) intoGroup(text string) change {
	if edit, ok := within(m.file, m.decl, 0, ast.Decl, text); ok {
		return m.here(edit)
	}
	return nil
}

// intoWorkflow adds a line to a block of the workflow.
func (m *missing) intoWorkflow(block, text string) change {
	for _, f := range m.unit.Result().Files {
		for i, d := range f.AST.Decls {
			if d.Keyword() == "workflow" && !f.IsDocument() {
				return m.intoBlock(f, i, block, text)
			}
		}
	}
	return nil
}

func (m *missing) intoBlock(f *build.File, i int, block, text string) change {
	d := f.AST.Decls[i]
	for n := range d.Children(0) {
		if d.Nodes[n].Kind == ast.Prop && d.Slice(n+1) == block {
			if edit, ok := within(f.AST, i, n, ast.Entry, text); ok {
				return change{keyOf(f): {edit}}
			}
			return nil
		}
	}
	if edit, ok := within(f.AST, i, 0, ast.Prop, block+":\n  "+text); ok {
		return change{keyOf(f): {edit}}
	}
	return nil
}

// settles tells whether a change takes a finding away from the units that have
// it, and no error stands in what it inserts.
func (at *spot) settles(c change, d *finding) bool {
	texts, err := c.texts(at.snapshot)
	if err != nil {
		return false
	}
	next := at.snapshot.Supposing(texts)
	for _, u := range at.units {
		after := next.Unit(u.Main).Diagnostics()
		if has(u, d) && alike(after, d) >= alike(u.Diagnostics(), d) || slices.ContainsFunc(after, c.brings) {
			return false
		}
	}
	return true
}

// alike counts the findings that say the same as one, wherever they stand.
func alike(list []diagnostics.Diagnostic, d *finding) (n int) {
	for _, f := range list {
		if f.Code == d.Code && f.Message == d.Message {
			n++
		}
	}
	return n
}

// brings tells whether a finding is an error in what a change of one edit a file
// inserts.
func (c change) brings(d diagnostics.Diagnostic) bool {
	edits := c[filepath.FromSlash(d.Range.File)]
	return d.Severity == diagnostics.Error && slices.ContainsFunc(edits, func(e source.Edit) bool {
		return e.Start <= d.Range.Offsets.Start && d.Range.Offsets.Start < e.Start+uint32(len(e.New))
	})
}
