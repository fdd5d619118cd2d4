package check

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// checkAction judges what belongs to a connector's action: C260 to C266.
func checkAction(c *Context, n *scope.Node) {
	switch t := n.Tool; {
	case t == nil:
	case t.Action.Set():
		checkActionName(c, n)
		checkNoRecovery(c, n)
		checkParams(c, n)
		checkCall(c, n)
	default:
		checkNoAction(c, n)
	}
}

var actionName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2,}$`)
})

// checkActionName: C260 and C261, which operation, and by whose account.
func checkActionName(c *Context, n *scope.Node) {
	action, connection := n.Tool.Action, n.Tool.Connection
	if !actionName().MatchString(action.V) {
		c.node("C260", n, action.Span, "%q is no name of an action", action.V)
	}
	switch {
	case !connection.Set():
		c.node("C261", n, keyOf(n.Tree, action.Span), "`%s` runs an action and has no `connection:`", n.Name)
	case strings.TrimSpace(connection.V) == "":
		c.node("C261", n, connection.Span, "the connection of `%s` has no name", n.Name)
	case strings.Contains(connection.V, "{{"):
		c.node("C261", n, connection.Span, "the connection of `%s` is known before a run, so it holds no template", n.Name)
	}
}

// checkNoRecovery: C262 and C263, an operation is judged by its own result.
func checkNoRecovery(c *Context, n *scope.Node) {
	t := n.Tool
	switch recovers := t.Policy.V == "recover"; {
	case t.Recovery != nil:
		f := c.node("C262", n, t.Recovery.KeySpan, "`%s` runs an action, which is never repaired", n.Name)
		if recovers {
			f.See(n.Tree, t.Policy.Span, "the policy")
		}
	case recovers:
		c.node("C262", n, t.Policy.Span, "`%s` runs an action, which is never repaired", n.Name)
	}
	if t.Postcondition.Set() {
		c.node("C263", n, keyOf(n.Tree, t.Postcondition.Span), "`%s` runs an action, which is judged by its own result", n.Name)
	}
}

// checkParams: C264.
func checkParams(c *Context, n *scope.Node) {
	first := map[string]ir.Binding{}
	for _, b := range n.Tool.Params.V {
		before, twice := first[b.Key]
		switch {
		case strings.TrimSpace(b.Key) == "":
			c.node("C264", n, b.KeySpan, "a parameter of `%s` has no name", n.Name)
		case twice:
			c.node("C264", n, b.KeySpan, "the parameter `%s` stands twice", b.Key).See(n.Tree, before.KeySpan, "first written here")
		default:
			first[b.Key] = b
		}
	}
}

var count = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^0*[1-9][0-9]*$`) })

// checkCall: C265, the bounds of one call.
func checkCall(c *Context, n *scope.Node) {
	timeout, retry := n.Tool.Timeout, n.Tool.Retry
	if _, err := time.ParseDuration(timeout.V); timeout.Set() && err != nil {
		c.node("C265", n, timeout.Span, "%q is no duration", timeout.V).Hintf("Write a duration such as `\"30s\"`.")
	}
	if retry.Set() && !count().MatchString(retry.V) {
		c.node("C265", n, retry.Span, "%q is no count of 1 or more", retry.V).Hintf("Write how many more attempts there are, such as `\"3\"`.")
	}
}

// checkNoAction: C266, the properties that only an action reads.
func checkNoAction(c *Context, n *scope.Node) {
	t := n.Tool
	params := t.Params.Span
	if len(t.Params.V) == 0 {
		params = source.Span{}
	}
	for _, p := range []struct {
		name string
		at   source.Span
	}{{"connection", t.Connection.Span}, {"params", params}, {"retry", t.Retry.Span}, {"timeout", t.Timeout.Span}} {
		if !p.at.IsZero() {
			c.node("C266", n, keyOf(n.Tree, p.at), "`%s:` has an effect only with `action:`, which `%s` lacks", p.name, n.Name).
				Fix(diagnostics.DropInertProperty, finding.DropMember(n.Tree, ast.Prop, p.at)...)
		}
	}
}
