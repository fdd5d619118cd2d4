package symbols_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/parser"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/compile"
	"iterion/ir/finding"
	"iterion/ir/scope"
	"iterion/ir/symbols"
)

func memory(files []corpus.File) fs.FS {
	m := fstest.MapFS{}
	for _, f := range files {
		m[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return m
}

// units are all programs of the corpus, whole and broken.
func units(t *testing.T, visit func(name string, r *build.Result)) {
	t.Helper()
	add := func(name string, files fs.FS, main string) {
		r, err := build.Unit(build.Input{FS: files, Path: main, Editor: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		visit(name, r)
	}
	for _, f := range corpus.Files() {
		if !f.Fragment() {
			add(f.Name, corpus.FS(), f.Name)
		}
	}
	for _, c := range corpus.Cases() {
		add("broken/"+c.Name, memory(c.Files), c.Files[0].Name)
	}
	for _, c := range corpus.CheckCases() {
		add("check/"+c.Name, memory(c.Files), c.Files[0].Name)
	}
	for _, f := range corpus.Fragments() {
		add("fragments/"+f.Name, memory(f.Files), f.Files[0].Name)
	}
}

// Occurrences stand in order and apart, and spell the name.
func TestSpans(t *testing.T) {
	units(t, func(name string, r *build.Result) { checkSpans(t, name, r, true) })
}

// checkSpans looks each name up again when found is set.
func checkSpans(t *testing.T, name string, r *build.Result, found bool) {
	t.Helper()
	x := symbols.Of(r)
	for _, f := range r.Files {
		for _, d := range f.AST.Decls {
			last := uint32(0)
			for _, o := range x.In(d) {
				if o.Form == symbols.FileName {
					continue
				}
				if o.Span.Start < last || o.Tree != d || d.Text[o.Span.Start:o.Span.End] != o.Name {
					t.Fatalf("%s: %v %q at %v behind %d", name, o.Kind, o.Name, o.Span, last)
				}
				last = o.Span.End
				if !found {
					continue
				}
				for _, at := range []uint32{o.Span.Start, o.Span.End} {
					if found, ok := x.At(d, at); !ok || found.Span != o.Span {
						t.Fatalf("%s: %q is not found at %d", name, o.Name, at)
					}
				}
				for _, s := range append([]symbols.Symbol{o.Symbol}, o.Also...) {
					if !slices.ContainsFunc(x.Of(s), func(other symbols.Occurrence) bool { return other.Tree == d && other.Span == o.Span }) {
						t.Fatalf("%s: %v is not among its own", name, s)
					}
				}
			}
		}
	}
}

// Every declared name is found where it stands.
func TestDeclaredNames(t *testing.T) {
	units(t, func(name string, r *build.Result) {
		x := symbols.Of(r)
		expect := func(tree *ast.Declaration, s symbols.Symbol, at source.Span) {
			if s.Name == "" {
				return
			}
			o, ok := x.At(tree, at.Start)
			if !ok || o.Symbol != s || o.Role != symbols.Declares || o.Span != at && o.Form != symbols.Quoted {
				t.Errorf("%s: %v %q is not declared at %v: %v", name, s.Kind, s.Name, at, o)
			}
		}
		for _, f := range r.Files {
			for _, p := range f.Parts {
				declaredNames(p, expect)
			}
		}
	})
}

func declaredNames(p *compile.Part, expect func(*ast.Declaration, symbols.Symbol, source.Span)) {
	one := func(kind symbols.Kind, owner string, d *ir.Decl) {
		if !d.NameSpan.IsZero() {
			expect(p.Tree, symbols.Symbol{Kind: kind, Owner: owner, Name: d.Name}, d.NameSpan)
		}
	}
	key := func(kind symbols.Kind, owner string, k ir.Key) {
		expect(p.Tree, symbols.Symbol{Kind: kind, Owner: owner, Name: k.Name}, k.NameSpan)
	}
	switch {
	case p.Node != nil:
		one(symbols.Node, "", p.Decl)
		if p.Node.LLM != nil {
			for _, route := range p.Node.LLM.Fallbacks {
				key(symbols.Route, p.Decl.Name, route.Key)
			}
		}
	case p.Prompt != nil:
		one(symbols.Prompt, "", p.Decl)
	case p.Schema != nil:
		one(symbols.Schema, "", p.Decl)
		for _, f := range p.Schema.Fields {
			key(symbols.Field, p.Decl.Name, ir.Key{Name: f.Name, NameSpan: f.NameSpan})
		}
	case p.Group != nil:
		one(symbols.Group, "", p.Decl)
		for _, param := range p.Group.Params {
			key(symbols.Param, p.Decl.Name, param)
		}
		for _, n := range p.Group.Nodes {
			one(symbols.Node, p.Decl.Name, &n.Node.Decl)
		}
	case p.Use != nil:
		key(symbols.Instance, "", p.Use.Prefix)
	case p.Cursor != nil:
		one(symbols.Cursor, "", p.Decl)
		for _, v := range p.Cursor.Values.V {
			key(symbols.Setting, p.Decl.Name, ir.Key{Name: v.Key, NameSpan: v.KeySpan})
		}
	case p.Server != nil:
		one(symbols.Server, "", p.Decl)
	case p.Supervisor != nil:
		one(symbols.Supervisor, "", p.Decl)
	case p.Contract != nil:
		one(symbols.Contract, "", p.Decl)
	case p.Workflow != nil:
		one(symbols.Workflow, "", p.Decl)
		for _, resource := range p.Workflow.Resources {
			key(symbols.Resource, "", resource.Key)
		}
	}
	for _, v := range p.Vars {
		one(symbols.Var, "", &v.Decl)
	}
	for _, v := range p.Presets {
		one(symbols.Preset, "", &v.Decl)
	}
	for _, v := range p.Attachments {
		one(symbols.Attachment, "", &v.Decl)
	}
	for _, v := range p.Secrets {
		one(symbols.Secret, "", &v.Decl)
	}
	for _, e := range p.Edges {
		if e.Loop != nil {
			key(symbols.Loop, "", ir.Key{Name: e.Loop.Name, NameSpan: e.Loop.NameSpan})
		}
		if e.Foreach != nil {
			key(symbols.Foreach, "", ir.Key{Name: e.Foreach.Name, NameSpan: e.Foreach.NameSpan})
		}
	}
}

// unresolved are the codes of names that nothing declares.
var unresolved = []string{
	"C001", "C002", "C003", "C014", "C029", "C031", "C033", "C034", "C035", "C053", "C070", "C083", "C093", "C116", "C193", "C195",
}

// pasted are the cases whose findings name what stands in another declaration
// than the place says, or that is declared twice.
var pasted = []string{"check/groups_blocks", "check/groups_bound_value", "check/groups_params", "check/twice_in_file"}

// A name that the checks do not find has an occurrence without a declaration.
func TestUnresolvedNames(t *testing.T) {
	seen := map[string]bool{}
	units(t, func(name string, r *build.Result) {
		if slices.Contains(pasted, name) {
			return
		}
		x := symbols.Of(r)
		for _, d := range r.Diagnostics {
			if code := string(d.Code); slices.Contains(unresolved, code) {
				seen[code] = true
				if !lacksDeclaration(x, r, d.Range.File, d.Range.Offsets) {
					t.Errorf("%s:%d:%d: %s %s", name, d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message)
				}
			}
		}
	})
	for _, code := range unresolved {
		if !seen[code] {
			t.Errorf("the corpus draws no %s", code)
		}
	}
}

// lacksDeclaration tells whether one of the names in a range is not declared.
func lacksDeclaration(x *symbols.Index, r *build.Result, file string, at source.Span) bool {
	for _, f := range r.Files {
		if f.Source().Name != file {
			continue
		}
		for i, d := range f.AST.Decls {
			for _, o := range x.In(d) {
				span := o.Span.Shift(f.AST.Bases[i])
				if span.Start < at.Start || span.End > at.End {
					continue
				}
				for _, s := range append([]symbols.Symbol{o.Symbol}, o.Also...) {
					if _, ok := x.Declaration(s); !ok {
						return true
					}
				}
			}
		}
	}
	return false
}

// linked is a text as a unit of its own, without the checks.
func linked(name, text string) *build.Result {
	f := &build.File{Path: name, AST: parser.File(source.New(name, text))}
	f.Parts = compile.File(f.AST)
	return &build.Result{Files: []*build.File{f}, Scope: scope.Link([]scope.Unit{{File: f.AST, Parts: f.Parts}}, false, &finding.List{})}
}

// Half-typed texts have names too, and none that is not there. The cost grows
// with the square of a text: long ones are cut at every seventh byte, but for
// the end, where each is.
func TestPrefixes(t *testing.T) {
	const short = 1500
	for n, f := range corpus.Files() {
		text := source.Load(f.Name, string(f.Data)).Text
		for i := range text {
			if i < short || i%7 == n%7 || len(text)-i < 100 {
				checkSpans(t, f.Name, linked(f.Name, text[:i]), false)
			}
		}
	}
}
