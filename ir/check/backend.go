package check

import (
	"strings"

	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/scope"
)

// literalText tells whether a text stands for itself: it holds no template and
// no reference to the environment.
func literalText(text string) bool {
	return !strings.Contains(text, "{{") && !strings.Contains(text, "$")
}

// backendOf is the backend of a node's primary route.
func (c *Context) backendOf(n *scope.Node) effective.Backend {
	return effective.BackendOf(c.settings(), n.Node)
}

// routeBackend is the backend of a fallback route.
func (c *Context) routeBackend(n *scope.Node, r *ir.Route) effective.Backend {
	return effective.RouteBackend(c.settings(), n.Node, r)
}

// routesOf lists the routes of a node that ask a model. The list is used again
// for the next node: several checks in a row ask about one.
func (c *Context) routesOf(n *scope.Node) []effective.Route {
	if n.LLM == nil && n.Router == nil {
		return nil
	}
	if c.routes.of != n {
		c.routes.of, c.routes.list = n, effective.AppendRoutes(c.routes.list[:0], c.settings(), n.Node)
	}
	return c.routes.list
}

// routed is what routesOf said last.
type routed struct {
	of   *scope.Node
	list []effective.Route
}

// permissions finds the policies of the unit's nodes.
func (c *Context) permissions() *effective.Permissions {
	if c.policies == nil {
		c.policies = effective.NewPermissions(c.settings())
	}
	return c.policies
}
