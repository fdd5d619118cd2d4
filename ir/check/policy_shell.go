package check

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/ir/routes"
	"iterion/ir/scope"
	"iterion/ir/tools"
)

// shellTool is a listed tool that runs code of the model's.
type shellTool struct {
	*tools.Tool
	at source.Span // of its entry
}

// checkShellClass: C167, a shell that the closing rows leave open beside one
// that they close, and a row that opens the whole class.
func checkShellClass(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	p := c.permissions().Of(n.Node)
	if !p.Gated() {
		return
	}
	if c.reaches(n, routes.Claw) {
		uncovered(c, n, p)
	}
	if p.Lists[gate.AllowList].Own {
		opensClass(c, c.about(n), p)
	}
}

// checkWorkflowClass: the same of a row that nodes inherit.
func checkWorkflowClass(c *Context) {
	w := c.settings()
	if w == nil || len(w.Allow.V) == 0 {
		return
	}
	for _, n := range c.Nodes {
		if n.Tainted || !effective.Reader(n.Node) {
			continue
		}
		if p := c.permissions().Of(n.Node); p.Gated() && !p.Lists[gate.AllowList].Own {
			opensClass(c, c.aboutDecl(w.Tree), p)
			return
		}
	}
}

// reaches tells whether a route of the node leads to a backend.
func (c *Context) reaches(n *scope.Node, backend string) bool {
	return slices.ContainsFunc(c.routesOf(n), func(r effective.Route) bool { return r.Name == backend })
}

func opensClass(c *Context, r report, p *effective.Permission) {
	list := &p.Lists[gate.AllowList]
	first := -1
	for i, row := range p.Rows[gate.AllowList] {
		if row.Kind == gate.Class {
			first = i
			break
		}
	}
	if first < 0 {
		return
	}
	r("C167", list.Items[first].Span, "`%s` opens every tool of the class `%s`, those of later versions included",
		list.Items[first].Text, p.Rows[gate.AllowList][first].Subject).
		Hintf("Ask for the class, or allow single tools with exact rules.")
}

// closing are the lists whose rows bound a call.
var closing = []gate.Kind{gate.DenyList, gate.AskList}

// uncovered reports the shells of the node's list that no closing row covers,
// when some row is about a shell at all.
func uncovered(c *Context, n *scope.Node, p *effective.Permission) {
	var open []string
	tree, at, listed := (*ast.Declaration)(nil), source.Span{}, source.Span{}
	for _, s := range shellsOf(n) {
		if list := coverOf(p, s.Tool); list != nil {
			if tree == nil {
				tree, at = list.Tree, keyOf(list.Tree, list.Span)
			}
			continue
		}
		if open == nil {
			listed = s.at
		}
		open = append(open, s.Claw)
	}
	if open == nil || !namesShell(p) {
		return
	}
	if tree == nil {
		tree, at = n.Tree, listed
	}
	f := c.add("C167", tree, at, "no row of `deny:` or `ask:` covers %s of `%s`", joined(open, "and"), n.Name)
	f.NodeID = n.ID
	instance(f, n.Instance)
	if at != listed {
		f.See(n.Tree, listed, "listed here")
	}
}

// coverOf is the closing list with a row that covers a tool whole: a pattern
// covers none.
func coverOf(p *effective.Permission, t *tools.Tool) *effective.RuleList {
	for _, k := range closing {
		for _, row := range p.Rows[k] {
			if !row.Scoped && row.Covers(t) {
				return &p.Lists[k]
			}
		}
	}
	return nil
}

// shellsOf are the shells among the node's listed tools, each once.
func shellsOf(n *scope.Node) []shellTool {
	var list []shellTool
	for _, item := range n.LLM.Tools.V {
		t := tools.Lookup(item.Text)
		if t == nil || t.Claw == "" || !t.InClass(tools.Shell) ||
			slices.ContainsFunc(list, func(s shellTool) bool { return s.Tool == t }) {
			continue
		}
		list = append(list, shellTool{t, item.Span})
	}
	return list
}

// namesShell tells whether a closing row is about a shell of our own loop,
// listed or not.
func namesShell(p *effective.Permission) bool {
	return slices.ContainsFunc(closing, func(k gate.Kind) bool {
		return slices.ContainsFunc(p.Rows[k], func(row gate.Row) bool {
			return slices.ContainsFunc(shells(), row.Covers)
		})
	})
}

// shells are the tools of the class that our own loop has.
func shells() []*tools.Tool {
	var list []*tools.Tool
	all := tools.All()
	for i := range all {
		if all[i].Claw != "" && all[i].InClass(tools.Shell) {
			list = append(list, &all[i])
		}
	}
	return list
}
