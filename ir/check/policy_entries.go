package check

import (
	"errors"
	"strings"

	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/ir/scope"
	"iterion/ir/tools"
)

// checkRules judges the entries of a node's own lists.
func checkRules(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	for k, list := range effective.ListsOf(n.LLM) {
		entries(c.about(n), gate.Kind(k), list)
	}
}

// checkWorkflowRules judges those of the workflow's lists.
func checkWorkflowRules(c *Context) {
	if w := c.settings(); w != nil {
		for k, list := range [3]ir.List{gate.DenyList: w.Deny, gate.AskList: w.Ask, gate.AllowList: w.Allow} {
			entries(c.aboutDecl(w.Tree), gate.Kind(k), list)
		}
	}
}

// entries: C154 for what cannot be read, L108 to L110 for what can be and says
// something else than it seems to.
func entries(r report, k gate.Kind, list ir.List) {
	for _, item := range list.V {
		rule, err := gate.ParseRule(item.Text)
		var fault *gate.RuleError
		if errors.As(err, &fault) {
			f := r("C154", item.Span, "this rule cannot be read, at character %d: %s", fault.Column(item.Text), fault.Message)
			if fault.Hint != "" {
				f.Hintf("%s", fault.Hint)
			}
			continue
		}
		on := subjectOf(&rule)
		switch {
		case on == tools.URL && gluedWildcard(rule.Pattern) && k == gate.AllowList:
			r("L108", item.Span, "the wildcard of `%s` goes on with the host's name, where no rule opens: it opens nothing", item.Text)
		case on == tools.URL && gluedWildcard(rule.Pattern):
			r("L108", item.Span, "the wildcard of `%s` goes on with the host's name: it means other hosts too", item.Text)
		case (on == tools.Path || on == tools.Directory) && strings.Contains(rule.Pattern, `\`):
			r("L109", item.Span, "the path of `%s` holds a backslash", item.Text).
				Hintf("Write `%s`.", strings.ReplaceAll(item.Text, `\`, "/"))
		case misspelt(&rule) != "":
			near := misspelt(&rule)
			r("L111", item.Span, "`%s` names no tool that is known, and nearly `%s`", item.Text, near).
				Hintf("Write `%s`, if that is meant.", near)
		case k == gate.AllowList && wholeServers(&rule):
			r("L110", item.Span, "`%s` names no tool of a server, and opens none", item.Text).Hintf("Write `%s__*`.", rule.Subject)
		}
	}
}

// subjectOf is the part of a call that a rule's pattern is tried on: Input
// when it has none, or is about no one tool of the catalogue.
func subjectOf(rule *gate.Rule) tools.Subject {
	if t := rule.Tool(); t != nil && rule.Scoped {
		return t.Subject
	}
	return tools.Input
}

// misspelt returns the one tool whose spelling a rule's tool nearly has, "" for
// a tool that is known and for one that is like none.
func misspelt(rule *gate.Rule) string {
	name := rule.Subject
	if _, ok := tools.SplitMCP(name); ok || rule.Kind != gate.OneTool || tools.Lookup(name) != nil || tools.IsBoard(name) {
		return ""
	}
	near := diagnostics.Closest(name, tools.Spellings(), min(2, len(name)/3))
	if len(near) != 1 {
		return ""
	}
	return near[0]
}

// gluedWildcard tells whether a pattern over a whole address has a wildcard at
// the end of the host, where a longer name of another host matches.
func gluedWildcard(pattern string) bool {
	_, rest, address := strings.Cut(pattern, "://")
	if !address {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	return len(host) > 1 && strings.HasSuffix(host, "*") && !strings.HasSuffix(host, ".*")
}

// wholeServers tells whether a glob names MCP servers and no part of their
// tools. What opens is tried on server and tool apart, so it opens none.
func wholeServers(rule *gate.Rule) bool {
	mcp, ok := tools.SplitMCP(rule.Subject)
	return rule.Kind == gate.Glob && ok && mcp.Tool == ""
}
