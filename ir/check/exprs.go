package check

import (
	"strings"

	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/ir/compile"
)

// expression follows one expression: C040, then its types and references.
func (r *reader) expression(x *compile.ExprUse) {
	if x.Role == compile.RouteWhen && len(r.c.routeFaults(x)) > 0 {
		return // said with the route
	}
	if x.Err != nil {
		r.report("C040", x.Err.Span, "%s", x.Err.Message)
		return
	}
	known := true
	expr.Walk(x.Tree, func(n *expr.Node) bool {
		if n.Kind == expr.Call && expr.LookupFunction(n.Name()) == nil {
			known = false
			r.report("C040", x.At(n.Names[0].Span), "no function is called `%s`", n.Name()).
				Hintf("The functions are %s.", strings.Join(functionNames(), ", ")).Near(n.Name(), functionNames())
		}
		return true
	})
	if !known {
		return
	}
	r.judge(x)
	r.movedExpr(x)
	expr.Walk(x.Tree, func(n *expr.Node) bool {
		if n.Kind == expr.Path {
			r.path(x, n)
		}
		return true
	})
}

func functionNames() []string {
	names := make([]string, len(expr.Functions))
	for i := range expr.Functions {
		names[i] = expr.Functions[i].Name
	}
	return names
}

// path follows a path of an expression. A first name that is no namespace is
// a field of `input`.
func (r *reader) path(x *compile.ExprUse, n *expr.Node) {
	names := n.Names
	at := func(i int) source.Span { return x.At(names[i+1].Span) }
	ns := names[0].Name
	if !expr.IsNamespace(ns) {
		switch ns {
		case "secrets", "attachments":
			r.sensitivePath(x, n)
			return
		case "each":
			return
		}
		r.inputPath(x, &ref{ns: "input", path: namesOf(names), all: x.At(n.Span), at: func(i int) source.Span { return x.At(names[max(i, 0)].Span) }})
		return
	}
	if len(names) == 1 {
		return
	}
	one := &ref{ns: ns, path: namesOf(names[1:]), all: x.At(n.Span), at: at}
	if ns == "input" {
		r.inputPath(x, one)
		return
	}
	r.ref(one)
}

// inputPath: only computes and conditions have an input.
func (r *reader) inputPath(x *compile.ExprUse, one *ref) {
	if x.Role == compile.ComputeField || x.Role == compile.When {
		r.inputRef(one)
	}
}

func namesOf(segments []expr.Segment) []string {
	names := make([]string, len(segments))
	for i, s := range segments {
		names[i] = s.Name
	}
	return names
}
