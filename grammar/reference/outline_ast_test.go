package reference

import "iterion/ast"

// outlineOfAST returns the outline of the parser's tree.
func outlineOfAST(f *ast.File) string {
	o := &astOutline{}
	for _, d := range f.Decls {
		o.d = d
		o.node(0)
	}
	return o.b.String()
}

type astOutline struct {
	outline
	d *ast.Declaration
}

// texts returns the source of the children of node i of the given kinds.
func (o *astOutline) texts(i int, kinds ...ast.Kind) []string {
	var texts []string
	for c := range o.d.Children(i) {
		for _, k := range kinds {
			if o.d.Nodes[c].Kind == k {
				texts = append(texts, o.d.Slice(c))
			}
		}
	}
	return texts
}

// rest writes the children of node i, those of the given kinds left out.
func (o *astOutline) rest(i int, without ...ast.Kind) func() {
	return func() {
		skip := map[ast.Kind]bool{}
		for _, k := range without {
			skip[k] = true
		}
		for c := range o.d.Children(i) {
			if !skip[o.d.Nodes[c].Kind] {
				o.node(c)
			}
		}
	}
}

func (o *astOutline) node(i int) {
	n, text := o.d.Nodes[i], o.d.Slice(i)
	switch n.Kind {
	case ast.Decl:
		o.add(o.rest(i, ast.Ident), "declare", append([]string{o.d.KeywordOf(i)}, o.texts(i, ast.Ident)...)...)
	case ast.Header:
		o.add(o.rest(i), "declare", "dsl")
	case ast.Import:
		o.add(nil, "import", o.texts(i, ast.String)...)
	case ast.Use:
		o.add(o.rest(i, ast.Ident), "use", o.texts(i, ast.Ident)...)
	case ast.Prop, ast.Entry:
		o.add(o.rest(i, ast.Key), "line", o.texts(i, ast.Key)...)
	case ast.Param:
		o.add(nil, "param", text)
	case ast.Edge:
		o.add(o.rest(i, ast.Target), "edge", o.texts(i, ast.Target)...)
	case ast.When, ast.Else, ast.Loop, ast.Foreach:
		o.clause(i)
	case ast.With:
		o.add(o.rest(i), "with")
	case ast.List:
		kind := "list"
		if n.Flags&ast.FlagDashes != 0 {
			kind = "dashes"
		}
		o.add(o.rest(i), kind)
	case ast.Map:
		o.add(o.rest(i), "map")
	case ast.Enum:
		o.add(nil, "enum", o.texts(i, ast.String, ast.Raw)...)
	case ast.Matching:
		o.add(nil, "matching", o.texts(i, ast.String, ast.Raw)...)
	case ast.Ident, ast.Type:
		o.add(nil, "word", text)
	case ast.Int, ast.Float, ast.Measure:
		o.add(nil, "number", text)
	case ast.String, ast.Raw, ast.Scalar, ast.Body:
		o.add(nil, "text", text)
	default:
		o.add(nil, "bad", text)
	}
}

func (o *astOutline) clause(i int) {
	texts := o.texts(i, ast.Ident, ast.Int, ast.String, ast.Raw)
	switch n := o.d.Nodes[i]; {
	case n.Kind == ast.Else:
		o.add(nil, "else")
	case n.Kind == ast.Foreach:
		o.add(nil, "foreach", texts...)
	case n.Kind == ast.When && n.Flags&ast.FlagNot != 0:
		o.add(nil, "when not", texts...)
	case n.Kind == ast.When:
		o.add(nil, "when", texts...)
	case o.d.First(i, ast.Unbounded) >= 0:
		fuel := ""
		if u := o.d.First(i, ast.Unbounded); o.d.First(u, ast.Int) >= 0 {
			fuel = o.d.Slice(o.d.First(u, ast.Int))
		}
		o.add(nil, "loop", append(texts, "unbounded", fuel)...)
	default:
		o.add(nil, "loop", texts...)
	}
}
