// Package effective tells what holds for a node once the workflow's settings
// are applied: its backend, its routes, its permission, its tools. Checks, the
// command line, the editor and the runtime ask here.
package effective

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/routes"
)

// Backend is the backend of a node or a route, with the property that names it.
// Its Name is empty when only a run can tell.
type Backend struct {
	Name string
	Tree *ast.Declaration
	At   source.Span
}

// Settled reads a text as it is with nothing set in the environment. It is not
// ok when a template or a variable without a default leaves it to the run.
func Settled(text string) (value string, ok bool) {
	if strings.Contains(text, "{{") {
		return "", false
	}
	if !strings.Contains(text, "$") {
		return text, true
	}
	for _, ref := range expr.EnvRefs(text) {
		if !ref.HasDefault || ref.Computed {
			return "", false
		}
	}
	return expr.ExpandEnv(text, func(string) (string, bool) { return "", false }), true
}

// BackendOf is the backend of a node's primary route: an empty or `auto` one
// takes the workflow's default. w may be nil.
func BackendOf(w *ir.Workflow, n *ir.Node) Backend {
	var own ir.Opt[ir.Text]
	switch {
	case n.LLM != nil:
		own = n.LLM.Backend
	case n.Router != nil:
		own = n.Router.Backend
	}
	name, ok := Settled(own.V.Value())
	switch {
	case !ok:
		return Backend{}
	case name != "" && name != routes.Auto:
		return Backend{name, n.Tree, own.Span}
	}
	return DefaultBackend(w)
}

// DefaultBackend is the workflow's `default_backend:`. w may be nil.
func DefaultBackend(w *ir.Workflow) Backend {
	if w == nil {
		return Backend{}
	}
	name, ok := Settled(w.DefaultBackend.V.Value())
	if !ok || name == "" || name == routes.Auto {
		return Backend{}
	}
	return Backend{name, w.Tree, w.DefaultBackend.Span}
}

// RouteBackend is the backend of a fallback route: its own, read as a plain
// name, else the node's.
func RouteBackend(w *ir.Workflow, n *ir.Node, r *ir.Route) Backend {
	name, ok := Settled(r.Backend.V.Value())
	switch {
	case !ok:
		return Backend{}
	case name == "":
		return BackendOf(w, n)
	}
	return Backend{name, n.Tree, r.Backend.Span}
}
