package check

import (
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/grammar/schema"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/scope"
)

// placed judges a reference by where it stands, and tells whether anything
// more may be said about it.
func (r *reader) placed(t *compile.TextUse, x *ir.Ref) bool {
	switch x.Namespace {
	case "secrets", "attachments":
		if t.Kind == schema.DataText {
			r.sensitive(x.Namespace, x.Path[0], x.Span)
			return false
		}
	case "input":
		if t.Kind == schema.DataText && r.edge == nil && (r.node.Subbot != nil || r.node.Emit != nil) {
			r.report("C149", x.Span, "`%s` is read from what the run is launched with, which nobody declares", referenceText(x))
		}
	case "loop":
		r.loopRef(x)
	case "run":
		r.runRef(x)
	}
	return true
}

func referenceText(x *ir.Ref) string { return x.Namespace + "." + strings.Join(x.Path, ".") }

// sensitive: C150 and C151, what must not become data.
func (r *reader) sensitive(namespace, name string, at source.Span) {
	if namespace == "secrets" {
		r.report("C150", at, "the secret `%s` would become data here, which models and logs see", name)
		return
	}
	r.report("C151", at, "the attachment `%s` would become data here, and only a node's body can reach its file", name)
}

// sensitivePath is sensitive for a path of an expression. A field may have the
// name of a namespace.
func (r *reader) sensitivePath(x *compile.ExprUse, n *expr.Node) {
	if len(n.Names) < 2 || x.Role != compile.ComputeField && x.Role != compile.When {
		return
	}
	if s, f := r.fieldAt(x, []string{"input", n.Name()}); s != nil && f != nil {
		return
	}
	r.sensitive(n.Name(), n.Names[1].Name, x.At(n.Span))
}

// loopRef: C147. A loop may stand on an edge that could not be read.
func (r *reader) loopRef(x *ir.Ref) {
	name := x.Path[0]
	if len(r.c.Loops[name]) == 0 && len(r.c.Foreaches[name]) == 0 {
		if r.c.Incomplete || r.c.Scope.Broken || r.c.Unexpanded() || slices.ContainsFunc(r.c.Edges, func(e *scope.Edge) bool { return e.Tainted }) {
			return
		}
		r.report("C147", x.Span, "no edge is in a loop called `%s`", name).Near(name, append(keysOf(r.c.Loops), keysOf(r.c.Foreaches)...))
		return
	}
	fields := template.MemberNames("loop")
	switch {
	case len(x.Path) == 1:
		r.report("C147", x.Span, "`%s` names no part of the loop; it has %s", referenceText(x), joined(fields, "and"))
	case !slices.Contains(fields, x.Path[1]):
		r.report("C147", x.Span, "a loop has no `%s`; it has %s", x.Path[1], joined(fields, "and")).Near(x.Path[1], fields)
	}
}

// runRef: C153.
func (r *reader) runRef(x *ir.Ref) {
	members := template.MemberNames("run")
	switch name := x.Path[0]; {
	case !slices.Contains(members, name):
		r.report("C153", x.Span, "a run has no `%s`", name).Near(name, members)
	case len(x.Path) > 1:
		r.report("C153", x.Span, "`run.%s` is a plain value and has no `%s`", name, strings.Join(x.Path[1:], ".")).
			Hintf("Write `run.%s`.", name)
	}
}
