package check

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// reader is who reads a reference, and where: it decides what `input` means,
// which producers have run, and what a finding is attached to.
type reader struct {
	c    *Context
	tree *ast.Declaration // holds the text
	node *scope.Node      // the consumer; of an edge its source; nil elsewhere
	edge *scope.Edge      // nil in a node's body
	data bool             // a data mapping of a node: `with` of subbot and emit, a fail's message
	expr bool             // an expression
}

// report adds a finding about a reference of this reader.
func (r *reader) report(code diagnostics.Code, at source.Span, format string, args ...any) *finding.Finding {
	f := r.c.out.Add(code, r.tree, at, format, args...)
	switch {
	case r.edge != nil:
		f.EdgeID = r.edge.ID()
		instance(f, r.edge.Instance)
	case r.node != nil:
		f.NodeID = r.node.ID
		instance(f, r.node.Instance)
	}
	return f
}

// called is a node's name as the reader's text has it: a member of its own
// instance goes without the prefix, so that all instances say the same.
func (r *reader) called(n *scope.Node) string {
	var own *ir.Instance
	switch {
	case r.edge != nil:
		own = r.edge.Instance
	case r.node != nil:
		own = r.node.Instance
	}
	if own != nil && n.Instance != nil && n.Instance.Prefix == own.Prefix {
		return n.Name
	}
	return n.ID
}

// ref is a reference in either language: a template's or an expression's.
type ref struct {
	ns   string
	path []string
	at   func(i int) source.Span // segment i of the path; -1 is the namespace
	all  source.Span             // of a template's with its braces
}

// from returns the range from segment i to the end of the reference.
func (r *ref) from(i int) source.Span {
	return source.Span{Start: r.at(i).Start, End: r.at(len(r.path) - 1).End}
}

// checkNodeRefs follows the references of a node's own texts and of the
// prompts it uses.
func checkNodeRefs(c *Context, n *scope.Node) {
	for i := range n.Texts {
		t := &n.Texts[i]
		r := &reader{c: c, tree: n.Tree, node: n, data: t.Kind == schema.DataText}
		r.text(t)
	}
	for name := range compile.PromptNames(n.Node) {
		tree, texts := c.promptTexts(name)
		r := &reader{c: c, tree: tree, node: n}
		for i := range texts {
			r.text(&texts[i])
		}
	}
	for i := range n.Exprs {
		r := &reader{c: c, tree: n.Tree, node: n, expr: true}
		r.expression(&n.Exprs[i])
	}
}

// promptTexts returns the texts of a declared prompt with their tree; none
// when it holds no reference or could not be read.
func (c *Context) promptTexts(name string) (*ast.Declaration, []compile.TextUse) {
	if p := c.edited[name]; p != nil {
		return p.Tree, p.Texts
	}
	texts := c.PromptTexts[name]
	if len(texts) == 0 {
		return nil, nil
	}
	p := c.Program.Prompt(name)
	if p.Tainted {
		return nil, nil
	}
	return p.Tree, texts
}

// checkPromptForms: a prompt that no node uses has no reader, but its
// templates must be well formed all the same.
func checkPromptForms(c *Context) {
	for _, p := range c.Program.Prompts {
		c.promptForm(p.Name)
	}
}

func (c *Context) promptForm(name string) {
	tree, texts := c.promptTexts(name)
	r := &reader{c: c, tree: tree}
	for i := range texts {
		r.form(&texts[i])
	}
}

// checkEdgeRefs follows the references of an edge's clauses.
func checkEdgeRefs(c *Context) {
	for _, e := range c.Edges {
		if e.Tainted {
			continue
		}
		for i := range e.Texts {
			r := &reader{c: c, tree: e.Decl.Tree, node: e.Source, edge: e}
			r.text(&e.Texts[i])
		}
		for i := range e.Exprs {
			r := &reader{c: c, tree: e.Decl.Tree, node: e.Source, edge: e, expr: true}
			r.expression(&e.Exprs[i])
		}
	}
}

// checkOtherRefs follows the references of the workflow and the supervisors.
func checkOtherRefs(c *Context) {
	for i := range c.Texts {
		t := &c.Texts[i]
		r := &reader{c: c, tree: t.Part.Tree}
		r.text(&t.Use)
	}
}

// form reports broken templates: C004. In routing fields C148 judges them.
func (r *reader) form(t *compile.TextUse) {
	if t.Kind == schema.Routing {
		r.routing(t)
		return
	}
	for _, e := range t.Errs {
		r.report("C004", e.Span, "%s", e.Message)
	}
	if r.node != nil || len(r.c.Groups) == 0 {
		r.params(t)
	}
	if t.Kind == schema.WholeRef && len(t.Errs) == 0 {
		if _, whole := t.Text.Whole(); !whole {
			r.notWhole(t)
		}
	}
}

// params reports parameters of groups that nothing has replaced: C004.
func (r *reader) params(t *compile.TextUse) {
	for i := range t.Refs {
		if x := &t.Refs[i]; x.Namespace == "params" {
			r.report("C004", x.Span, "`params` is known only to the members of a group that declares the parameter")
		}
	}
}

// notWhole: C004; a loop's cap with more than a reference is an expression,
// which holds no template: C040.
func (r *reader) notWhole(t *compile.TextUse) {
	if r.edge != nil && r.edge.Loop != nil && r.edge.Loop.Cap.Span == t.Span {
		r.report("C040", t.Span, "a cap is one reference, or an expression without braces").
			Hintf("Write an expression such as `vars.n - 1`, or exactly one reference.")
		return
	}
	r.report("C004", t.Span, "this must be exactly one reference, such as {{vars.items}}")
}

// text follows the references of one text. The form of a declared prompt is
// judged once, by checkPromptForms, not for each of its readers; only whether
// a parameter is known depends on who reads it.
func (r *reader) text(t *compile.TextUse) {
	switch declared := t.Row == nil && t.Kind == schema.PromptText; {
	case !declared:
		r.form(t)
	case len(r.c.Groups) > 0:
		r.params(t)
	}
	r.moved(t)
	for i := range t.Refs {
		x := &t.Refs[i]
		if x.Namespace == "" || t.Kind == schema.Routing && x.Namespace != "vars" || !r.placed(t, x) {
			continue
		}
		r.ref(&ref{ns: x.Namespace, path: x.Path, all: x.Span, at: func(i int) source.Span {
			if x.SegmentSpan(len(x.Path)).End == x.PathSpan.End {
				return x.SegmentSpan(i + 1)
			}
			return x.PathSpan // it was included or pasted: its words are not there
		}})
	}
}

// ref follows one reference by its namespace.
func (r *reader) ref(x *ref) {
	switch x.ns {
	case "vars":
		r.varRef(x)
	case "input":
		r.inputRef(x)
	case "outputs":
		r.outputRef(x)
	case "artifacts":
		r.artifactRef(x)
	case "attachments":
		if r.edge == nil && !r.data && !r.expr {
			r.attachmentRef(x)
		}
	case "secrets":
		if r.edge == nil && !r.data && !r.expr {
			r.secretRef(x)
		}
	}
}
