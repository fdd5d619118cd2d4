package check

import (
	"strings"

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
	for _, name := range compile.PromptNames(n.Node) {
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
	for i := range t.Refs {
		x := &t.Refs[i]
		if x.Namespace == "" || t.Kind == schema.Routing && x.Namespace != "vars" {
			continue
		}
		inside := x.PathSpan
		r.ref(&ref{ns: x.Namespace, path: x.Path, all: x.Span, at: func(i int) source.Span {
			if s := x.SegmentSpan(i + 1); s.End <= inside.End {
				return s
			}
			return inside // an included text's reference stands at its mark
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

func (r *reader) varRef(x *ref) {
	if r.c.Program.Var(x.path[0]) != nil || r.c.Incomplete {
		return
	}
	names := make([]string, len(r.c.Program.Vars))
	for i, v := range r.c.Program.Vars {
		names[i] = v.Name
	}
	r.report("C033", x.all, "no variable is called `%s`", x.path[0]).Near(x.path[0], names)
}

// inputRef: in a node's body the node's own input; on an edge the output of
// its source; in the data of subbot, emit and fail the run's launch values.
func (r *reader) inputRef(x *ref) {
	name := x.path[0]
	if name[0] == '_' || r.data || r.node == nil {
		return
	}
	if r.edge != nil {
		r.sourceField(x)
		return
	}
	s := r.node.InputSchema
	if s == nil || s.Field(name) != nil {
		return
	}
	r.report("C034", x.all, "schema `%s`, the input of `%s`, has no field `%s`", s.Name, r.node.Name, name).
		Near(name, fieldNames(s)).See(s.Tree, s.NameSpan, "declared here")
}

func (r *reader) sourceField(x *ref) {
	name, n := x.path[0], r.node
	code := diagnostics.Code("C034")
	if r.expr {
		code = "C014"
	}
	switch s := n.OutputSchema; {
	case s != nil && s.Field(name) == nil && code == "C014" && !r.c.Known(r.edge.To): // C001 stands for the edge
	case s != nil && s.Field(name) == nil:
		r.report(code, x.all, "schema `%s`, the output of `%s`, has no field `%s`", s.Name, n.Name, name).
			Near(name, fieldNames(s)).See(s.Tree, s.NameSpan, "declared here")
	case s == nil && !n.Common.Output.Set() && !r.expr && !r.routerKnows(n, name):
		r.report("C032", x.all, "`%s` has no output schema, so its field `%s` cannot be checked", n.Name, name)
	}
}

// routerKnows tells whether a router has a key: an entry router has whatever
// the run was launched with, any other the keys that were mapped into it and
// its own bindings.
func (r *reader) routerKnows(n *scope.Node, key string) bool {
	if n.Router == nil {
		return false
	}
	if w := r.c.Program.Workflow; w != nil && w.Entry.V == n.ID {
		return true
	}
	switch mode(n) {
	case ir.ModeFanOutEach:
		if key == n.Router.As.Or("item") || key == "item" || key == "index" || key == "count" {
			return true
		}
	case ir.ModeLLM:
		if key == "selected_route" || key == "selected_routes" || key == "reasoning" {
			return true
		}
	}
	for _, e := range n.In {
		for _, b := range e.With.V {
			if b.Key == key {
				return true
			}
		}
	}
	return false
}

// outputRef: the node exists, has the field, and may have run.
func (r *reader) outputRef(x *ref) {
	n, rest := r.c.NodeOf(x.path)
	if n == nil {
		r.unknownNode(x)
		return
	}
	if n.Tainted {
		return
	}
	field := len(x.path) - len(rest)
	if !r.mayHaveRun(n) {
		r.report("C036", x.all, "`%s` cannot have run before `%s`", r.called(n), r.node.Name)
	}
	if len(rest) == 0 {
		return
	}
	if rest[0] == "history" {
		if r.c.Workflow != nil && !touchesLoop(n) {
			r.report("C017", x.from(field), "`%s` is on no loop: it has no history", r.called(n))
		}
		return
	}
	r.outputField(x, n, rest[0], field)
}

func (r *reader) outputField(x *ref, n *scope.Node, name string, i int) {
	if name[0] == '_' {
		return
	}
	at := x.at(i)
	switch s := n.OutputSchema; {
	case s != nil && s.Field(name) == nil:
		code := diagnostics.Code("C031")
		if r.expr && r.edge != nil && n == r.node {
			code = "C014"
			if !r.c.Known(r.edge.To) {
				return // C001 stands for the edge
			}
		}
		r.report(code, at, "schema `%s`, the output of `%s`, has no field `%s`", s.Name, r.called(n), name).
			Near(name, fieldNames(s)).See(s.Tree, s.NameSpan, "declared here")
	case s == nil && !n.Common.Output.Set() && !r.routerKnows(n, name) && !(n.Kind == ir.KindAwait && name == "answers"):
		r.report("C032", at, "`%s` has no output schema, so its field `%s` cannot be checked", r.called(n), name)
	}
}

func (r *reader) unknownNode(x *ref) {
	if r.c.MaybeMember(strings.Join(x.path, ".")) || r.c.Incomplete {
		return
	}
	code := diagnostics.Code("C029")
	if r.node != nil && r.node.Human != nil && r.node.Human.ReviewURL.Set() && r.node.Human.ReviewURL.Span.Contains(x.all.Start) && r.tree == r.node.Tree {
		code = "C101"
	}
	r.report(code, x.all, "no node is called `%s`", x.path[0]).Near(x.path[0], r.c.NodeIDs())
}

// mayHaveRun tells whether producer can run before this reader reads. What is
// on an edge is read when its source has run. Without all edges nothing is
// known.
func (r *reader) mayHaveRun(producer *scope.Node) bool {
	switch {
	case r.node == nil || r.c.Workflow == nil || r.c.Scope.Broken || r.c.Incomplete || r.c.Unexpanded():
		return true
	case r.edge != nil && producer == r.node:
		return true
	}
	return r.c.graph().Reaches(producer, r.node)
}

func touchesLoop(n *scope.Node) bool {
	for _, list := range [][]*scope.Edge{n.In, n.Out} {
		for _, e := range list {
			if e.Loop != nil || e.Foreach != nil || e.Tainted {
				return true
			}
		}
	}
	return false
}

func (r *reader) artifactRef(x *ref) {
	publishers := r.c.Publishers[x.path[0]]
	if len(publishers) == 0 {
		if !r.c.Incomplete && !anyTainted(r.c) {
			names := make([]string, 0, len(r.c.Publishers))
			for name := range r.c.Publishers {
				names = append(names, name)
			}
			r.report("C035", x.all, "no node publishes `%s`", x.path[0]).Near(x.path[0], names)
		}
		return
	}
	for _, p := range publishers {
		if r.mayHaveRun(p) {
			return
		}
	}
	r.report("C036", x.all, "`%s`, which publishes `%s`, cannot have run before `%s`", r.called(publishers[0]), x.path[0], r.node.Name)
}

// anyTainted tells whether a node could not be read: what it publishes is not
// known then.
func anyTainted(c *Context) bool {
	for _, n := range c.Nodes {
		if n.Tainted {
			return true
		}
	}
	return false
}

func (r *reader) attachmentRef(x *ref) {
	a := r.c.Attachments[x.path[0]]
	if a == nil {
		if !r.c.Incomplete {
			r.report("C053", x.all, "no attachment is called `%s`", x.path[0]).Near(x.path[0], keysOf(r.c.Attachments))
		}
		return
	}
	if len(x.path) > 1 {
		switch x.path[1] {
		case "path", "url", "mime", "size", "sha256":
		default:
			r.report("C054", x.from(1), "an attachment has no `%s`; it has path, url, mime, size and sha256", x.path[1])
		}
	}
}

func (r *reader) secretRef(x *ref) {
	s := r.c.Secrets[x.path[0]]
	switch {
	case s == nil:
		if !r.c.Incomplete {
			r.report("C093", x.all, "no secret is called `%s`", x.path[0]).Near(x.path[0], keysOf(r.c.Secrets))
		}
	case s.Tainted || len(x.path) == 1:
	case x.path[1] != "path" || len(x.path) > 2:
		r.report("C095", x.from(1), "a secret has no `%s`", strings.Join(x.path[1:], "."))
	case s.As.V != "file":
		r.report("C095", x.from(1), "secret `%s` is a value, not a file: it has no path", s.Name).See(s.Tree, s.NameSpan, "declared here")
	}
}

func keysOf[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}
