package check

import (
	"regexp"
	"strings"
	"sync"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/outcome"
	"iterion/ir/scope"
)

// checkEmptySchemas: C140, what a node takes or gives has no field.
func checkEmptySchemas(c *Context, n *scope.Node) {
	for _, use := range []struct {
		prop   string
		at     source.Span
		schema *ir.Schema
	}{
		{"input", n.Input.Span, n.InputSchema}, {"output", n.Output.Span, n.OutputSchema},
	} {
		if s := use.schema; s != nil && len(s.Fields) == 0 {
			c.node("C140", n, use.at, "`%s:` of `%s` names the schema `%s`, which has no field", use.prop, n.Name, s.Name).
				See(s.Tree, s.NameSpan, "declared here")
		}
	}
}

// checkChild: C119, a subbot says which program it runs.
func checkChild(c *Context, n *scope.Node) {
	if n.Subbot != nil && n.Subbot.Source.V == "" {
		c.node("C119", n, n.NameSpan, "the subbot `%s` names no program to run", n.Name)
	}
}

// checkSlot: C268, a named conversation has to be kept.
func checkSlot(c *Context, n *scope.Node) {
	if n.LLM == nil || !n.LLM.SessionSlot.Set() || n.LLM.Session.V == "persist" {
		return
	}
	f := c.node("C268", n, keyOf(n.Tree, n.LLM.SessionSlot.Span), "`%s` names a conversation to keep, and its session is `%s`", n.Name, n.LLM.Session.Or("fresh"))
	if session := n.LLM.Session; session.Set() {
		f.See(n.Tree, session.Span, "the session").Fix(diagnostics.SessionPersist, finding.Replace(n.Tree, session.Span, "persist"))
		return
	}
	f.Fix(diagnostics.SessionPersist, finding.InsertBefore(n.Tree, n.LLM.SessionSlot.Span, "session: persist")...)
}

var failCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`) })

// checkFailCode: C247 and C248, an author's code is told from the engine's.
func checkFailCode(c *Context, n *scope.Node) {
	if n.FailNode == nil || !n.FailNode.Code.Set() {
		return
	}
	code := n.FailNode.Code
	if !failCode().MatchString(code.V) {
		f := c.node("C247", n, code.Span, "%q is no failure code", code.V)
		if upper := strings.ToUpper(code.V); failCode().MatchString(upper) {
			f.Hintf("Write `%s`.", upper)
		}
		return
	}
	if row, engine := outcome.Lookup(outcome.Code(code.V)); engine {
		c.node("C248", n, code.Span, "`%s` is a code of the engine: %s", code.V, row.Doc)
	}
}
