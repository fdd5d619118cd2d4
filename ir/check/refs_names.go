package check

import (
	"slices"
	"strings"

	"iterion/diagnostics"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/scope"
)

func (r *reader) varRef(x *ref) {
	if r.c.Program.Var(x.path[0]) != nil || r.c.Incomplete {
		return
	}
	names := make([]string, len(r.c.Program.Vars))
	for i, v := range r.c.Program.Vars {
		names[i] = v.Name
	}
	r.report("C033", x.all, "no variable is called `%s`", x.path[0]).NearAt(x.at(0), x.path[0], names)
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
	r.report(code, x.all, "no node is called `%s`", x.path[0]).NearAt(x.at(0), x.path[0], r.c.NodeIDs())
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
	if members := template.MemberNames("attachments"); len(x.path) > 1 && !slices.Contains(members, x.path[1]) {
		r.report("C054", x.from(1), "an attachment has no `%s`; it has %s", x.path[1], joined(members, "and"))
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
