package scope

import (
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/compile"
)

// instance is one expansion of a group.
type instance struct {
	l       *linker
	use     *compile.Part
	group   *compile.Part
	prefix  string
	members map[string]bool
	params  map[string]string
	prompts map[string]string // the group's name → the instance's
	done    map[string]string // what rewrite gave: the same text is in a property and among the texts
}

// expand instantiates a group: members get the prefix, references among them
// are bound to the instance, then parameters are pasted, once and verbatim.
func (l *linker) expand(p *compile.Part) {
	u := p.Use
	if u.Prefix.Name == "" || p.Decl.Tainted || p.Tree.Tainted(0) {
		if u.Prefix.Name != "" {
			set(&l.s.prefixes, u.Prefix.Name, true)
		}
		return
	}
	g := l.s.Groups[u.Group.Name]
	if g == nil {
		set(&l.s.prefixes, u.Prefix.Name, true)
		if !l.s.Incomplete {
			l.out.Add("C116", p.Tree, u.Group.NameSpan, "no group is called `%s`", u.Group.Name)
		}
		return
	}
	if !l.bindParams(p, g) {
		set(&l.s.prefixes, u.Prefix.Name, true)
		return
	}
	if len(g.Group.Nodes) == 0 && !g.Tree.Tainted(0) {
		l.out.Add("C141", p.Tree, span(p.Tree), "the group `%s` declares no node", g.Decl.Name).
			See(g.Tree, g.Decl.NameSpan, "declared here")
	}
	i := &instance{l: l, use: p, group: g, prefix: u.Prefix.Name, members: map[string]bool{}, params: map[string]string{}, prompts: map[string]string{}}
	for _, n := range g.Group.Nodes {
		i.members[n.Node.Name] = true
	}
	for _, b := range u.With.V {
		i.params[b.Key] = b.Value.Value()
	}
	if lacksEdge(g) || p.Tree.Tainted(0) {
		l.s.Broken = true
	}
	added := len(l.s.Nodes)
	l.nodes.Reserve(len(g.Group.Nodes))
	for _, n := range g.Group.Nodes {
		i.node(n)
	}
	if len(l.s.Nodes) == added && len(g.Group.Nodes) > 0 {
		return // an earlier instance has all the names, and its own edges
	}
	edges := make([]compile.EdgePart, len(g.Edges))
	for k := range g.Edges {
		edges[k] = i.edge(&g.Edges[k])
	}
	l.edges(edges, i.origin(""))
}

// bindParams reports the parameters a use leaves out or invents.
func (l *linker) bindParams(p, g *compile.Part) bool {
	ok := true
	var declared []string
	for _, param := range g.Group.Params {
		declared = append(declared, param.Name)
		if !slices.ContainsFunc(p.Use.With.V, func(b ir.Binding) bool { return b.Key == param.Name }) {
			l.out.Add("C117", p.Tree, p.Use.Group.NameSpan, "parameter `%s` of group `%s` is not bound", param.Name, g.Decl.Name).
				See(g.Tree, param.NameSpan, "declared here")
			ok = false
		}
	}
	for _, b := range p.Use.With.V {
		if !slices.Contains(declared, b.Key) {
			l.out.Add("C117", p.Tree, b.KeySpan, "group `%s` has no parameter `%s`", g.Decl.Name, b.Key).
				Near(b.Key, declared).See(g.Tree, g.Decl.NameSpan, "declared here")
			ok = false
		}
	}
	return ok
}

func (i *instance) origin(member string) *ir.Instance {
	return &ir.Instance{Group: i.group.Decl.Name, Prefix: i.prefix, Member: member,
		Span: span(i.use.Tree), Tree: i.use.Tree}
}

func (i *instance) node(p *compile.NodePart) {
	part := *p
	node := *p.Node
	node.ID = i.prefix + "." + node.Name
	node.Instance = i.origin(node.Name)
	part.Node = &node
	if i.changes(p) {
		part = compile.Rewrite(part, i.rewrite, i.prompt)
		part.Texts = i.located(p.Texts, part.Texts)
	}
	// A member clashes with another node of its full name, not of its own.
	named := node.Decl
	named.Name = node.ID
	if i.use.Use != nil {
		named.Tree, named.NameSpan = i.use.Tree, i.use.Use.Prefix.NameSpan
	}
	if i.l.freeNode(&named, node.ID) {
		i.l.node(&part)
	}
}

// changes tells whether an instance of a member differs from the member
// itself in more than its id: whether any of its strings is rewritten.
func (i *instance) changes(p *compile.NodePart) bool {
	return len(i.params) > 0 || len(p.Texts) > 0 || len(p.Exprs) > 0 || i.usesPrompt(p)
}

func (i *instance) usesPrompt(p *compile.NodePart) bool {
	for name := range compile.PromptNames(p.Node) {
		if len(i.l.s.PromptTexts[name]) > 0 {
			return true
		}
	}
	return false
}

func (i *instance) edge(p *compile.EdgePart) compile.EdgePart {
	e := compile.RewriteEdge(p, i.rewrite)
	e.Texts = i.located(p.Texts, e.Texts)
	e.Edge.From, e.Edge.To = i.id(e.Edge.From), i.id(e.Edge.To)
	return *e
}

func (i *instance) id(name string) string {
	if i.members[name] {
		return i.prefix + "." + name
	}
	return name
}

// prompt gives the prompt that this instance uses for one of the group's: a
// copy when its text depends on the instance.
func (i *instance) prompt(name string) string {
	if to, done := i.prompts[name]; done {
		return to
	}
	i.prompts[name] = name
	p := i.l.s.Program.Prompt(name)
	if p == nil || p.Tainted {
		return name
	}
	if !compile.Rewritable(p.Text) {
		return name
	}
	text := p.Text.Value()
	changed := i.rewrite(text)
	if changed == text {
		return name
	}
	copied := *p
	copied.Name = i.prefix + "." + name
	copied.Text = ir.PlainText(changed)
	texts := i.l.s.PromptTexts[name]
	texts = i.located(texts, compile.RewriteTexts(texts, i.rewrite))
	i.l.prompt(&copied, texts)
	i.prompts[name] = copied.Name
	return copied.Name
}

// rewrite binds local references, then pastes parameters.
func (i *instance) rewrite(text string) string {
	if !strings.Contains(text, "outputs.") && !strings.Contains(text, "params.") {
		return text
	}
	became, ok := i.done[text]
	if !ok {
		became = paste(bindLocals(text, i.members, i.prefix), i.params)
		set(&i.done, text, became)
	}
	return became
}

// bindLocals turns `outputs.member` into `outputs.PREFIX.member`, in templates
// and in expressions alike; words of prose are left alone because a reference
// is only looked for inside braces, or anywhere when the text has none.
func bindLocals(text string, members map[string]bool, prefix string) string {
	const ns = "outputs."
	if !strings.Contains(text, ns) {
		return text
	}
	var b strings.Builder
	rest := text
	for {
		at := strings.Index(rest, ns)
		if at < 0 {
			b.WriteString(rest)
			return b.String()
		}
		end := at + len(ns)
		stop := end
		for stop < len(rest) && isWord(rest[stop]) {
			stop++
		}
		b.WriteString(rest[:end])
		free := at == 0 || !isWord(rest[at-1]) && rest[at-1] != '.'
		if free && members[rest[end:stop]] && inReference(text, len(text)-len(rest)+at) {
			b.WriteString(prefix + ".")
		}
		rest = rest[end:]
	}
}

// inReference tells whether offset at lies inside `{{…}}`, or in a text that
// has no braces at all, as an expression has none.
func inReference(text string, at int) bool {
	open := strings.LastIndex(text[:at], "{{")
	if open < 0 {
		return !strings.Contains(text, "{{")
	}
	return !strings.Contains(text[open:at], "}}")
}

func isWord(c byte) bool {
	return c == '_' || c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// paste replaces `{{params.p}}` by the parameter's text; what was pasted is
// not read again.
func paste(text string, params map[string]string) string {
	if !strings.Contains(text, "params.") {
		return text
	}
	return compile.Paste(text, params)
}
