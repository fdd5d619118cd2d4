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
	Decl    *ir.Decl // never nil; that of what is declared

	Node   *NodePart
	Schema *ir.Schema
	Prompt *ir.Prompt
	Texts  []TextUse // of declarations that are no node: prompts, workflow, supervisors …
	*Rare            // never nil
}

// Rare is what few declarations give; the others share an empty one, which
// keeps parts small.
type Rare struct {
	Cursor     *ir.Cursor
	Server     *ir.Server
	Supervisor *ir.Supervisor
	Contract   *ir.Contract
	Workflow   *ir.Workflow
	Group      *Group
	Use        *Use

	Edges  []EdgePart // of a workflow or group
	Broken bool       // an edge of the body could not be read at all

	// Of the unnamed blocks, and of the same in a workflow.
	Vars        []*ir.Var
	Presets     []*ir.Preset
	Attachments []*ir.Attachment
	Secrets     []*ir.Secret
	Inlines     []Inline // inline prompts of a supervisor
}

var nothing = &Rare{}

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

// compiler compiles one declaration after the other.
type compiler struct {
	d    *ast.Declaration
	mode literal.Mode
	memory
}

// File compiles the declarations of a file.
func File(f *ast.File) []*Part {
	c := &compiler{mode: literal.ModeOf(f)}
	all := make([]Part, len(f.Decls))
	parts := make([]*Part, len(f.Decls))
	for i, d := range f.Decls {
		all[i].Tree, all[i].Keyword = d, d.Keyword()
		parts[i] = &all[i]
	}
	c.reserve(f.Source.Text, all)
	for _, p := range parts {
		c.part(p)
	}
	return parts
}

// Declaration compiles one declaration.
func Declaration(d *ast.Declaration, mode literal.Mode) *Part {
	c := &compiler{mode: mode}
	c.refs = template.NewReader(d.Text)
	p := &Part{Tree: d, Keyword: d.Keyword()}
	c.part(p)
	return p
}

func (c *compiler) part(p *Part) {
	c.d, p.Rare = p.Tree, nothing
	switch c.d.Root().Kind {
	case ast.Use:
		p.Rare = &Rare{Use: c.use()}
	case ast.Decl:
		c.declaration(p)
	}
	if p.Decl == nil {
		p.Decl = c.decls.New()
		*p.Decl = c.decl(0)
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
	switch {
	case kind.Node:
		p.Node = c.node(0, kind)
		p.Decl = &p.Node.Node.Decl
	case p.Keyword == "prompt":
		p.Prompt = c.prompt()
		p.Decl = &p.Prompt.Decl
	case p.Keyword == "schema":
		p.Schema = c.schema()
		p.Decl = &p.Schema.Decl
	default:
		p.Rare = &Rare{}
		c.rare(p, kind)
		p.Inlines = c.inlines.Cut()
	}
	if p.Texts == nil { // else cut before the edges
		p.Texts = c.uses.Cut()
	}
}

// rare compiles what Rare has a place for.
func (c *compiler) rare(p *Part, kind *schema.Kind) {
	switch p.Keyword {
	case "vars":
		p.Vars = c.vars(0, false)
	case "presets":
		p.Presets = c.presets()
	case "attachments":
		p.Attachments = c.attachments(0, kind, false)
	case "secrets":
		p.Secrets = c.secrets(kind)
	case "cursor":
		p.Cursor = &ir.Cursor{Decl: c.decl(0)}
		p.Decl = &p.Cursor.Decl
		c.into(0, kind, p.Cursor)
	case "mcp_server":
		p.Server = &ir.Server{Decl: c.decl(0)}
		p.Decl = &p.Server.Decl
		c.into(0, kind, p.Server)
	case "supervisor":
		p.Supervisor = &ir.Supervisor{Decl: c.decl(0)}
		p.Decl = &p.Supervisor.Decl
		c.into(0, kind, p.Supervisor)
	case "contract":
		p.Contract = &ir.Contract{Decl: c.decl(0)}
		p.Decl = &p.Contract.Decl
		c.into(0, kind, p.Contract)
	case "workflow":
		p.Workflow = &ir.Workflow{Decl: c.decl(0)}
		p.Decl = &p.Workflow.Decl
		c.workflow(p, kind)
	case "group":
		p.Decl = c.decls.New()
		*p.Decl = c.decl(0)
		c.group(p)
	}
}

// node compiles a node declaration, at the top level or inside a group.
func (c *compiler) node(n int, kind *schema.Kind) *NodePart {
	one := c.nodes.New()
	node := &one.node
	node.Decl = c.decl(n)
	node.ID, node.Kind, node.Common = node.Name, ir.Kind(kind.Name), &one.common
	var own any
	switch node.Kind {
	case ir.KindAgent, ir.KindJudge:
		node.LLM = c.models.New()
		own = node.LLM
	case ir.KindRouter:
		node.Router = &ir.Router{}
		own = node.Router
	case ir.KindHuman:
		node.Human = &ir.Human{}
		own = node.Human
	case ir.KindTool:
		node.Tool = c.tools.New()
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
	p := &one.part
	p.Node, p.Texts, p.Exprs, p.Inlines = node, c.uses.Cut(), c.exprs.Cut(), c.inlines.Cut()
	return p
}

func (c *compiler) schema() *ir.Schema {
	s := c.schemas.New()
	s.Decl, s.Fields = c.decl(0), c.fieldsOf(0)
	return s
}

func (c *compiler) prompt() *ir.Prompt {
	p := c.prompts.New()
	p.Decl = c.decl(0)
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
	c.refs = template.NewReader(d.Text)
	p := &ir.Prompt{Decl: ir.Decl{Name: name, Tree: d}, Text: text, TextSpan: at}
	c.text(nil, "prompt", schema.PromptText, text, at)
	return &Part{Tree: d, Keyword: "prompt", Decl: &p.Decl, Prompt: p, Texts: c.uses.Cut(), Rare: nothing}
}

// text notes a text and finds its references.
func (c *compiler) text(row *schema.Property, key string, kind schema.Text, t ir.Text, at source.Span) {
	scan, base := t.Scan()
	if !template.Has(scan) {
		return
	}
	use := TextUse{Row: row, Key: key, Kind: kind, Text: t, Span: at}
	use.Refs, use.Errs = c.refs.Parse(scan)
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
	c.uses.Add(use)
}

// expression notes an expression and parses it.
func (c *compiler) expression(role Role, key string, t ir.Text, at source.Span) {
	c.exprs.Add(NewExpr(role, key, t, at))
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
