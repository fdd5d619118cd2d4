package effective

import (
	"errors"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/gate"
)

// Permission is the policy of a node as the program's text gives it; neither
// the environment nor the command line is read.
type Permission struct {
	gate.Policy
	Unknown bool             // the mode in force is no mode at all
	Tree    *ast.Declaration // with At: the property that sets the mode, nil for none
	At      source.Span
	Lists   [3]RuleList // by kind, what Rows came from
}

// RuleList is a list of rules that is in force.
type RuleList struct {
	Tree  *ast.Declaration
	Span  source.Span // of the list's value
	Items []ir.Item   // those that could be read, one for each row
	Own   bool        // it is the node's own
}

// Gated tells whether calls are judged at all.
func (p *Permission) Gated() bool { return !p.Unknown && p.Mode != gate.Off }

// Permissions finds the policies of a program's nodes.
type Permissions struct {
	workflow level
	shared   Permission // of the nodes that set nothing of their own
}

// level is one level with the place of each of its parts.
type level struct {
	gate.Level
	tree  *ast.Declaration
	mode  source.Span
	lists [3]RuleList
}

// NewPermissions reads the workflow's part of every policy. w may be nil.
func NewPermissions(w *ir.Workflow) *Permissions {
	p := &Permissions{}
	if w != nil {
		p.workflow = levelOf(w.Tree, w.Permission, [3]ir.List{gate.DenyList: w.Deny, gate.AskList: w.Ask, gate.AllowList: w.Allow})
	}
	p.shared = p.resolve(level{})
	return p
}

// Workflow is the policy of a node that sets nothing of its own.
func (p *Permissions) Workflow() *Permission { return &p.shared }

// Of is the policy of a node. What a tool's recovery starts runs under the
// workflow's; a tool's own mode is never read.
func (p *Permissions) Of(n *ir.Node) *Permission {
	if n.LLM == nil || !n.LLM.Permission.Set() && len(n.LLM.Deny.V)+len(n.LLM.Ask.V)+len(n.LLM.Allow.V) == 0 {
		return &p.shared
	}
	own := levelOf(n.Tree, n.LLM.Permission, ListsOf(n.LLM))
	for k := range own.lists {
		own.lists[k].Own = true
	}
	resolved := p.resolve(own)
	return &resolved
}

// Levels is what a node's policy is resolved from; of nil, of a node that sets
// nothing of its own.
func (p *Permissions) Levels(n *ir.Node) gate.Levels {
	levels := gate.Levels{Workflow: p.workflow.Level}
	if n != nil && n.LLM != nil {
		levels.Node = levelOf(n.Tree, n.LLM.Permission, ListsOf(n.LLM)).Level
	}
	return levels
}

// ListsOf are a node's own lists by kind, as written.
func ListsOf(l *ir.LLM) [3]ir.List {
	return [3]ir.List{gate.DenyList: l.Deny, gate.AskList: l.Ask, gate.AllowList: l.Allow}
}

// Reader tells whether a node makes calls that a policy can judge: agents and
// judges do, and a tool whose recovery may hand its goal to an agent.
func Reader(n *ir.Node) bool { return n.LLM != nil || RecoversByAgent(n) }

// RecoversByAgent tells whether a tool's recovery reaches its agent.
func RecoversByAgent(n *ir.Node) bool {
	t := n.Tool
	return t != nil && t.Policy.V == "recover" && t.Recovery != nil && t.Recovery.MaxAgentAttempts.V > 0
}

func levelOf(tree *ast.Declaration, mode ir.Opt[string], lists [3]ir.List) level {
	l := level{tree: tree, mode: mode.Span}
	l.Mode = mode.V
	for k, list := range lists {
		l.lists[k] = RuleList{Tree: tree, Span: list.Span}
		for _, item := range list.V {
			if rule, err := gate.ParseRule(item.Text); err == nil {
				l.Level.Lists[k] = append(l.Level.Lists[k], rule)
				l.lists[k].Items = append(l.lists[k].Items, item)
			}
		}
	}
	return l
}

// resolve joins the workflow's level and a node's.
func (p *Permissions) resolve(own level) Permission {
	var out Permission
	policy, err := gate.Resolve(gate.Levels{Node: own.Level, Workflow: p.workflow.Level})
	var bad *gate.ModeError
	if errors.As(err, &bad) {
		out.Unknown = true
		// The rules stand all the same; without modes nothing can fail.
		policy, _ = gate.Resolve(gate.Levels{Node: gate.Level{Lists: own.Level.Lists}, Workflow: gate.Level{Lists: p.workflow.Level.Lists}})
		policy.ModeFrom = bad.From
	}
	out.Policy = policy
	switch {
	case strings.TrimSpace(own.Mode) != "":
		out.Tree, out.At = own.tree, own.mode
	case strings.TrimSpace(p.workflow.Mode) != "":
		out.Tree, out.At = p.workflow.tree, p.workflow.mode
	}
	for k := range out.Lists {
		out.Lists[k] = p.workflow.lists[k]
		if gate.Replaces(len(own.Level.Lists[k])) {
			out.Lists[k] = own.lists[k]
		}
	}
	return out
}
