// Package compile turns trees into IR. A declaration is compiled by itself
// into a Part, which depends on nothing but its text and the file's reading of
// literals, so parts are kept from one version of a file to the next; Link
// joins the parts of a unit into a program.
package compile

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/grammar/template"
	"iterion/ir"
)

// Part is one compiled declaration. Which fields are set follows from the
// keyword. It is immutable.
type Part struct {
	Tree    *ast.Declaration
	Keyword string
	Decl    ir.Decl

	Node       *NodePart
	Schema     *ir.Schema
	Prompt     *ir.Prompt
	Cursor     *ir.Cursor
	Server     *ir.Server
	Supervisor *ir.Supervisor
	Contract   *ir.Contract
	Workflow   *ir.Workflow
	Group      *Group
	Use        *Use

	*Data             // never nil; of the data blocks and the workflow
	Edges  []EdgePart // of a workflow or group
	Texts  []TextUse  // of declarations that are no node: prompts, workflow, supervisors …
	Broken bool       // an edge of the body could not be read at all
}

// Data is what the unnamed blocks declare.
type Data struct {
	Vars        []*ir.Var
	Presets     []*ir.Preset
	Attachments []*ir.Attachment
	Secrets     []*ir.Secret
	Inlines     []Inline // inline prompts of a supervisor
}

// noData serves the parts that declare none.
var noData = &Data{}

// NodePart is a compiled node with the texts that hold references.
type NodePart struct {
	*ir.Node
	Texts   []TextUse
	Exprs   []ExprUse
	Inlines []Inline
}

// EdgePart is a compiled edge with its texts.
type EdgePart struct {
	ir.Edge
	Texts []TextUse
	Exprs []ExprUse
}

// Inline is an inline prompt: its property and its text.
type Inline struct {
	Prompt *ir.Prompt
	Prop   string
}

// TextUse is one text that may hold templates, with what was found in it.
type TextUse struct {
	Row  *schema.Property // the property that holds it, nil for an edge's part
	Key  string           // of an author-named entry
	Kind schema.Text
	Text ir.Text
	Span source.Span // of the whole value
	Refs []ir.Ref    // spans count from the declaration
	Errs []template.Error
}

// Name is the property as written, for messages.
func (t *TextUse) Name() string {
	if t.Row != nil {
		return t.Row.Name
	}
	return t.Key
}

// ExprUse is one expression.
type ExprUse struct {
	Key  string // the compute field; "" elsewhere
	Role Role
	Text ir.Text
	Span source.Span // of the whole value
	Tree *expr.Node  // nil when it did not parse
	Err  *expr.Error // span counts from the declaration
	base int         // see ir.Text.Scan
}

// Role is where an expression stands.
type Role uint8

const (
	ComputeField Role = iota
	When
	LoopCap
	RouteWhen
)

// At maps a span of the expression's tree to the declaration's text.
func (e *ExprUse) At(s source.Span) source.Span {
	if e.Text.Substituted() {
		return e.Span
	}
	return e.Text.At(e.base, s).Shift(e.Span.Start)
}

// Parsed is the text that spans of the tree count in.
func (e *ExprUse) Parsed() string {
	if e.Text.Kind() == ast.Scalar {
		return e.Text.Value()
	}
	text, _ := e.Text.Scan()
	return text
}

// Group is a compile-time macro.
type Group struct {
	Params []ir.Key
	Nodes  []*NodePart
}

// Use is one instance of a group.
type Use struct {
	Group  ir.Key
	Prefix ir.Key
	With   ir.Bindings
}

// compiler compiles one declaration.
type compiler struct {
	d    *ast.Declaration
	mode literal.Mode
	sink sink
}

// sink receives the texts and expressions of what is being compiled.
type sink struct {
	texts   []TextUse
	exprs   []ExprUse
	inlines []Inline
}

// File compiles the declarations of a file.
func File(f *ast.File) []*Part {
	c := &compiler{mode: literal.ModeOf(f)}
	slab := make([]Part, len(f.Decls))
	parts := make([]*Part, len(f.Decls))
	for i, d := range f.Decls {
		parts[i] = &slab[i]
		c.part(parts[i], d)
	}
	return parts
}

// Declaration compiles one declaration.
func Declaration(d *ast.Declaration, mode literal.Mode) *Part {
	p := &Part{}
	(&compiler{mode: mode}).part(p, d)
	return p
}

func (c *compiler) part(p *Part, d *ast.Declaration) {
	c.d, c.sink = d, sink{}
	*p = Part{Tree: d, Keyword: d.Keyword(), Data: noData}
	p.Decl = c.decl(0)
	switch d.Root().Kind {
	case ast.Use:
		p.Use = c.use()
	case ast.Decl:
		c.declaration(p)
	}
}

func (c *compiler) decl(n int) ir.Decl {
	decl := ir.Decl{Tree: c.d, Tainted: c.d.Tainted(n)}
	if name, at := c.d.Name(n); at >= 0 {
		decl.Name, decl.NameSpan = name, c.d.Nodes[at].Span()
	}
	return decl
}

func (c *compiler) declaration(p *Part) {
	kind := schema.Lookup(p.Keyword)
	if kind == nil {
		return
	}
	if kind.Node {
		p.Node = c.node(0, kind)
		return
	}
	switch p.Keyword {
	case "prompt":
		p.Prompt = c.prompt(p.Decl)
	case "schema":
		p.Schema = &ir.Schema{Decl: p.Decl, Fields: c.fields(0)}
	case "vars":
		p.Data = &Data{Vars: c.vars(0, false)}
	case "presets":
		p.Data = &Data{Presets: c.presets()}
	case "attachments":
		p.Data = &Data{Attachments: c.attachments(0, kind, false)}
	case "secrets":
		p.Data = &Data{Secrets: c.secrets(kind)}
	case "cursor":
		p.Cursor = &ir.Cursor{Decl: p.Decl}
		c.into(0, kind, p.Cursor)
	case "mcp_server":
		p.Server = &ir.Server{Decl: p.Decl}
		c.into(0, kind, p.Server)
	case "supervisor":
		p.Supervisor = &ir.Supervisor{Decl: p.Decl}
		c.into(0, kind, p.Supervisor)
		p.Data = &Data{Inlines: c.sink.inlines}
	case "contract":
		p.Contract = &ir.Contract{Decl: p.Decl}
		c.into(0, kind, p.Contract)
	case "workflow":
		c.workflow(p, kind)
	case "group":
		c.group(p)
	}
	p.Texts = c.sink.texts
}

// node compiles a node declaration, at the top level or inside a group.
func (c *compiler) node(n int, kind *schema.Kind) *NodePart {
	saved := c.sink
	c.sink = sink{}
	decl := c.decl(n)
	one := &struct { // one allocation for what always comes together
		part   NodePart
		node   ir.Node
		common ir.Common
	}{}
	node := &one.node
	*node = ir.Node{Decl: decl, ID: decl.Name, Kind: ir.Kind(kind.Name), Common: &one.common}
	var own any
	switch node.Kind {
	case ir.KindAgent, ir.KindJudge:
		node.LLM = &ir.LLM{}
		own = node.LLM
	case ir.KindRouter:
		node.Router = &ir.Router{}
		own = node.Router
	case ir.KindHuman:
		node.Human = &ir.Human{}
		own = node.Human
	case ir.KindTool:
		node.Tool = &ir.Tool{}
		own = node.Tool
	case ir.KindCompute:
		node.Compute = &ir.Compute{}
		own = node.Compute
	case ir.KindSubbot:
		node.Subbot = &ir.Subbot{}
		own = node.Subbot
	case ir.KindEmit:
		node.Emit = &ir.Emit{}
		own = node.Emit
	case ir.KindWait:
		node.Wait = &ir.Wait{}
		own = node.Wait
	case ir.KindAwait:
		node.Await = &ir.AwaitAnswers{}
		own = node.Await
	case ir.KindFail:
		node.FailNode = &ir.FailNode{}
		own = node.FailNode
	}
	c.into(n, kind, own, node.Common)
	one.part = NodePart{Node: node, Texts: c.sink.texts, Exprs: c.sink.exprs, Inlines: c.sink.inlines}
	c.sink = saved
	return &one.part
}

func (c *compiler) prompt(decl ir.Decl) *ir.Prompt {
	p := &ir.Prompt{Decl: decl}
	if n := c.d.First(0, ast.Body); n >= 0 {
		p.Text = ir.NewText(ast.Body, c.d.Slice(n), c.mode)
		p.TextSpan = c.d.Nodes[n].Span()
		c.text(nil, "prompt", schema.PromptText, p.Text, p.TextSpan)
	}
	return p
}

// PromptText makes the part of a prompt whose text is a file of its own.
func PromptText(d *ast.Declaration, name string, text ir.Text, at source.Span) *Part {
	c := &compiler{d: d}
	p := &Part{Tree: d, Keyword: "prompt", Decl: ir.Decl{Name: name, Tree: d}, Data: noData}
	p.Prompt = &ir.Prompt{Decl: p.Decl, Text: text, TextSpan: at}
	c.text(nil, "prompt", schema.PromptText, text, at)
	p.Texts = c.sink.texts
	return p
}

// text notes a text and finds its references.
func (c *compiler) text(row *schema.Property, key string, kind schema.Text, t ir.Text, at source.Span) {
	scan, base := t.Scan()
	if !template.Has(scan) {
		return
	}
	use := TextUse{Row: row, Key: key, Kind: kind, Text: t, Span: at}
	use.Refs, use.Errs = template.Parse(scan)
	place := func(s source.Span) source.Span { return t.At(base, s).Shift(at.Start) }
	if t.Substituted() {
		place = func(source.Span) source.Span { return at }
	}
	for i := range use.Refs {
		r := &use.Refs[i]
		r.Span, r.PathSpan = place(r.Span), place(r.PathSpan)
	}
	for i := range use.Errs {
		use.Errs[i].Span = place(use.Errs[i].Span)
	}
	c.sink.texts = append(c.sink.texts, use)
}

// expression notes an expression and parses it.
func (c *compiler) expression(role Role, key string, t ir.Text, at source.Span) {
	c.sink.exprs = append(c.sink.exprs, NewExpr(role, key, t, at))
}

// NewExpr parses a text as an expression.
func NewExpr(role Role, key string, t ir.Text, at source.Span) ExprUse {
	_, base := t.Scan()
	use := ExprUse{Key: key, Role: role, Text: t, Span: at, base: base}
	if t.Kind() == ast.Scalar { // its layout is not part of the expression
		use.base = -1
	}
	tree, err := expr.Parse(use.Parsed())
	if err != nil {
		use.Err = asExprError(err)
		use.Err.Span = use.At(use.Err.Span)
		return use
	}
	use.Tree = tree
	return use
}

func asExprError(err error) *expr.Error {
	if e, ok := err.(*expr.Error); ok {
		copied := *e
		return &copied
	}
	return &expr.Error{Message: err.Error()}
}
