package check

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// backend is the backend of a node or a fallback route, with the property that
// names it. Its Name is empty when only a run can tell.
type backend struct {
	Name string
	Tree *ast.Declaration
	At   source.Span
}

// settled reads a text as it is with nothing set in the environment. It is not
// ok when a template or a variable without a default leaves it to the run.
func settled(text string) (value string, ok bool) {
	if strings.Contains(text, "{{") {
		return "", false
	}
	if strings.IndexByte(text, '$') < 0 {
		return text, true
	}
	for _, ref := range expr.EnvRefs(text) {
		if !ref.HasDefault || ref.Computed {
			return "", false
		}
	}
	return expr.ExpandEnv(text, func(string) (string, bool) { return "", false }), true
}

// literalText tells whether a text stands for itself: it holds no template and
// no reference to the environment.
func literalText(text string) bool {
	return !strings.Contains(text, "{{") && !strings.Contains(text, "$")
}

// backendOf is the backend of a node's primary route: an empty or `auto` one
// takes the workflow's default.
func (c *Context) backendOf(n *scope.Node) backend {
	var own ir.Opt[ir.Text]
	switch {
	case n.LLM != nil:
		own = n.LLM.Backend
	case n.Router != nil:
		own = n.Router.Backend
	}
	name, ok := settled(own.V.Value())
	switch {
	case !ok:
		return backend{}
	case name != "" && name != routes.Auto:
		return backend{name, n.Tree, own.Span}
	}
	return c.defaultBackend()
}

// defaultBackend is the workflow's `default_backend:`.
func (c *Context) defaultBackend() backend {
	w := c.settings()
	if w == nil {
		return backend{}
	}
	name, ok := settled(w.DefaultBackend.V.Value())
	if !ok || name == "" || name == routes.Auto {
		return backend{}
	}
	return backend{name, w.Tree, w.DefaultBackend.Span}
}

// routeBackend is the backend of a fallback route: its own, read as a plain
// name, else the node's.
func (c *Context) routeBackend(n *scope.Node, r *ir.Route) backend {
	name, ok := settled(r.Backend.V.Value())
	switch {
	case !ok:
		return backend{}
	case name == "":
		return c.backendOf(n)
	}
	return backend{name, n.Tree, r.Backend.Span}
}
