package check

import (
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/finding"
	"iterion/ir/gate"
	"iterion/ir/scope"
)

// namedList is a list of rules with its property's name.
type namedList struct {
	kind gate.Kind
	list ir.List
}

// declared lists the lists that are there and not empty, in source order. An
// entry that cannot be read counts all the same.
func declared(lists [3]ir.List) []namedList {
	var all []namedList
	for k, list := range lists {
		if gate.Replaces(len(list.V)) {
			at := len(all)
			for at > 0 && all[at-1].list.Span.Start > list.Span.Start {
				at--
			}
			all = append(all[:at], append([]namedList{{gate.Kind(k), list}}, all[at:]...)...)
		}
	}
	return all
}

func kindNames(lists []namedList) []string {
	names := make([]string, len(lists))
	for i, l := range lists {
		names[i] = l.kind.String() + ":"
	}
	return names
}

// decides begins a message about lists that decide nothing.
func decides(lists []namedList) string {
	return "nothing is decided by " + joined(kindNames(lists), "and")
}

// checkUngatedLists: C111, rules of a node whose calls nobody judges.
func checkUngatedLists(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	lists := declared(effective.ListsOf(n.LLM))
	if len(lists) == 0 {
		return
	}
	p := c.permissions().Of(n.Node)
	if p.Unknown || p.Mode != gate.Off || p.At.IsZero() && c.unreadable("permission") {
		return
	}
	f := c.node("C111", n, keyOf(n.Tree, lists[0].list.Span), "%s of `%s`: its permission is off", decides(lists), n.Name)
	seeMode(f, p)
}

func seeMode(f *finding.Finding, p *effective.Permission) {
	if p.Tree != nil {
		f.See(p.Tree, p.At, "the permission")
	}
}

// checkUnreadLists: C111, rules of the workflow that reach no judged call.
func checkUnreadLists(c *Context) {
	w := c.settings()
	if w == nil || c.Incomplete || c.Unexpanded() {
		return
	}
	lists := declared([3]ir.List{gate.DenyList: w.Deny, gate.AskList: w.Ask, gate.AllowList: w.Allow})
	if len(lists) == 0 {
		return
	}
	readers, gated, judged := readersOf(c)
	at := keyOf(w.Tree, lists[0].list.Span)
	switch {
	case !judged:
	case len(readers) == 0:
		c.add("C111", w.Tree, at, "%s of the workflow: no node calls a tool on a model's behalf", decides(lists))
	case !gated:
		f := c.add("C111", w.Tree, at, "%s of the workflow: the permission of every node is off", decides(lists))
		for _, n := range readers {
			if n.LLM != nil && n.LLM.Permission.Set() {
				f.See(n.Tree, n.LLM.Permission.Span, "off here")
			}
		}
	default:
		checkReplacedList(c, lists, readers)
	}
}

// readersOf lists the readers of the workflow's rules and tells whether one of
// them is gated. It is not judged when some mode is none, or when a node that
// could not be read may be a reader.
func readersOf(c *Context) (readers []*scope.Node, gated, judged bool) {
	if c.permissions().Workflow().Unknown || c.unreadable("permission") {
		return nil, false, false
	}
	for _, n := range c.Nodes {
		if n.Tainted {
			return nil, false, false
		}
		if n.Tool != nil && n.Tool.Permission.Set() {
			if _, ok := gate.ParseMode(n.Tool.Permission.V); !ok {
				return nil, false, false
			}
		}
		if !effective.Reader(n.Node) {
			continue
		}
		p := c.permissions().Of(n.Node)
		if p.Unknown {
			return nil, false, false
		}
		readers = append(readers, n)
		gated = gated || p.Gated()
	}
	return readers, gated, true
}

// checkReplacedList reports the first list that every reader replaces.
func checkReplacedList(c *Context, lists []namedList, readers []*scope.Node) {
	w := c.settings()
	for _, l := range lists {
		var replaced []source.Span
		for _, n := range readers {
			if n.LLM != nil {
				if own := effective.ListsOf(n.LLM)[l.kind]; gate.Replaces(len(own.V)) {
					replaced = append(replaced, keyOf(n.Tree, own.Span))
				}
			}
		}
		if len(replaced) < len(readers) {
			continue
		}
		f := c.add("C111", w.Tree, keyOf(w.Tree, l.list.Span), "nothing is decided by `%s:` of the workflow: every node has a list of its own", l.kind).
			Hintf("Delete the list, or the nodes' lists that should not replace it.")
		for i, n := range readers {
			f.See(n.Tree, replaced[i], "replaced here")
		}
		return
	}
}
