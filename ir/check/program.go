package check

import (
	"path"
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/scope"
)

// checkProgram: C006 and C008, what every program must have.
func checkProgram(c *Context) {
	w := c.Workflow
	if w == nil {
		checkNoWorkflow(c)
		return
	}
	if c.foreignWorkflow() {
		c.add("C006", nil, source.Span{}, "the main file declares no workflow, and one in a fragment is not the program's").
			See(w.Tree, w.Decl.NameSpan, "the workflow of a fragment")
	}
	entry := c.Program.Workflow.Entry
	switch {
	case w.Tree.Tainted(0) && !entry.Set():
	case !entry.Set():
		c.add("C008", w.Tree, w.Decl.NameSpan, "workflow `%s` has no `entry:`", w.Decl.Name)
	case c.Node(entry.V) == nil && !c.MaybeMember(entry.V) && !c.Incomplete:
		c.add("C008", w.Tree, entry.Span, "`entry:` names no node: `%s`", entry.V).Near(entry.V, c.NodeIDs())
	}
}

// checkNoWorkflow: C006. A missing import changes nothing, since no fragment
// may hold the workflow; a declaration of no known kind in the main file may
// be meant as one.
func checkNoWorkflow(c *Context) {
	if unread(c.Units[0]) {
		return
	}
	f := c.add("C006", nil, source.Span{}, "the program declares no workflow")
	if inLib(c.Main) {
		f.Message = "this is a fragment: it holds no workflow and runs only as part of a main file"
		f.Hint = "Validate the main file that imports it."
	}
}

// foreignWorkflow tells whether the only workflow stands in a fragment.
func (c *Context) foreignWorkflow() bool {
	return c.Workflow != nil && !slices.Contains(c.Units[0].File.Decls, c.Workflow.Tree)
}

// inLib tells whether a file lies in a `lib` folder.
func inLib(name string) bool {
	return strings.Contains("/"+path.Dir(name)+"/", "/lib/")
}

// checkEnds: C001, both ends of an edge exist; L010, terminals are left by no
// edge.
func checkEnds(c *Context) {
	for _, e := range c.Edges {
		if e.Tainted {
			continue
		}
		switch {
		case e.Source != nil && e.Source.Kind != ir.KindFail && !reservedName(e.From):
		case c.Terminal(e.From):
			c.edge("L010", e, e.FromSpan, "`%s` ends the run: no edge leaves it", e.From)
		default:
			checkEnd(c, e, e.From, e.FromSpan)
		}
		if e.Target == nil {
			checkEnd(c, e, e.To, e.ToSpan)
		}
	}
}

// checkUnreachable: C016, every node has a path from the entry.
func checkUnreachable(c *Context) {
	if c.Workflow == nil || c.foreignWorkflow() || c.Broken || c.Incomplete {
		return
	}
	entry := c.Node(c.Program.Workflow.Entry.V)
	if entry == nil {
		return
	}
	roots := []*scope.Node{entry}
	for _, e := range c.Edges {
		if e.Target == nil && !c.Known(e.To) {
			return // whatever it meant to reach may be any node
		}
		// An end that names no node, or a member of a group that could not be
		// expanded, may be reachable.
		if e.Source == nil && !c.Terminal(e.From) || e.Tainted {
			for _, end := range []*scope.Node{e.Source, e.Target} {
				if end != nil {
					roots = append(roots, end)
				}
			}
		}
	}
	reached := c.graph().Reachable(roots)
	for i, n := range c.Nodes {
		if !reached[i] && n.Kind != ir.KindFail && !n.Tainted && !reservedName(n.ID) {
			c.node("C016", n, n.NameSpan, "no path leads from `%s` to `%s`", entry.ID, n.Name)
		}
	}
}

func reservedName(id string) bool { return id == ir.Done || id == ir.Fail }
