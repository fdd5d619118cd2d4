package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"iterion/diagnostics"
)

// Facts are what a program comes to, beside the findings: shown on request.
type Facts struct {
	Nodes   []NodeFacts   // --explain; nil when it was not asked for
	Routers []RouterFacts // --exec; nil when it was not asked for
}

// NodeFacts is what holds for one node whose model calls tools. Its JSON form
// is the structure itself.
type NodeFacts struct {
	Kind       string          `json:"kind"`
	Node       string          `json:"node"`
	Permission PermissionFacts `json:"permission"`
	Place      string          `json:"place"`
	Routes     []RouteFacts    `json:"routes,omitempty"`
}

// PermissionFacts is the policy of a node as the program's text gives it.
type PermissionFacts struct {
	From  string      `json:"from"` // the level that sets the mode
	Mode  string      `json:"mode"` // "" while the mode in force is none
	Place string      `json:"place,omitempty"`
	Rules []RuleFacts `json:"rules,omitempty"`
}

// RuleFacts is one row in force.
type RuleFacts struct {
	From  string `json:"from"`
	List  string `json:"list"`
	Place string `json:"place,omitempty"`
	Rule  string `json:"rule"`
}

// RouteFacts is one way in which a node asks a model.
type RouteFacts struct {
	Absent   []ToolFacts `json:"absent,omitempty"`
	Backend  string      `json:"backend,omitempty"` // "" when only a run can tell
	Enforces []string    `json:"enforces,omitempty"`
	Fallback string      `json:"fallback,omitempty"` // "" for the node's own route
	Gate     string      `json:"gate,omitempty"`
	Granted  []ToolFacts `json:"granted,omitempty"`
	Tools    string      `json:"tools,omitempty"` // what the backend makes of the list
}

// ToolFacts is one tool with the reason why the node has it, or has not.
type ToolFacts struct {
	Name string `json:"name"`
	Why  string `json:"why,omitempty"`
}

// RouterFacts is one router that starts branches.
type RouterFacts struct {
	Branches []BranchFacts `json:"branches,omitempty"`
	Mode     string        `json:"mode"`
	Parallel bool          `json:"parallel"` // its branches may run side by side
	Place    string        `json:"place"`
	Router   string        `json:"router"`
	Why      string        `json:"why,omitempty"` // they may not
}

// BranchFacts is what one branch holds.
type BranchFacts struct {
	Nodes  []string     `json:"nodes"`
	Writes []WriteFacts `json:"writes,omitempty"`
}

// WriteFacts is a node that may change the workspace.
type WriteFacts struct {
	Node string `json:"node"`
	Why  string `json:"why"`
}

// Place writes a range as people do: file:line:column.
func Place(r diagnostics.Range) string { return place(r, "") }

// FactsText prints facts without findings.
func FactsText(w io.Writer, f Facts, color bool) error {
	p := &printer{out: bufio.NewWriter(w), opt: TextOptions{Color: color}}
	p.facts(&f)
	return p.out.Flush()
}

// facts prints what was asked for beside the findings.
func (p *printer) facts(f *Facts) {
	for i := range f.Nodes {
		p.node(&f.Nodes[i])
	}
	if f.Routers != nil && len(f.Routers) == 0 {
		p.line("no router starts branches: nodes run one after the other")
	}
	for i := range f.Routers {
		p.router(&f.Routers[i])
	}
}

func (p *printer) node(n *NodeFacts) {
	p.line(n.Place + ": " + p.paint(blue, n.Kind) + " " + escape(n.Node))
	mode, from := n.Permission.Mode, "by default"
	if mode == "" {
		mode = "unreadable"
	}
	switch {
	case n.Permission.Place != "":
		from = "from the " + n.Permission.From + ", " + n.Permission.Place
	case n.Permission.From != "" && n.Permission.From != "default":
		from = "from the " + n.Permission.From
	}
	p.line("    permission: " + mode + " (" + from + ")")
	for _, r := range n.Permission.Rules {
		from := "from the " + r.From
		if r.Place != "" {
			from += ", " + r.Place
		}
		p.line("        " + r.List + " " + escape(r.Rule) + "  " + p.paint(dim, from))
	}
	for i := range n.Routes {
		p.route(&n.Routes[i])
	}
}

func (p *printer) route(r *RouteFacts) {
	name, backend := "route", r.Backend
	if r.Fallback != "" {
		name = "fallback " + r.Fallback
	}
	if backend == "" {
		p.line("    " + escape(name) + ": " + r.Tools)
		return
	}
	enforces := "enforces no permission"
	if len(r.Enforces) > 0 {
		enforces = "enforces " + strings.Join(r.Enforces, " and ")
	}
	p.line("    " + escape(name) + ": " + escape(backend) + ", " + enforces + ": " + r.Gate)
	p.line("        tools: " + escape(r.Tools))
	p.tools("has", r.Granted)
	p.tools("lacks", r.Absent)
}

// tools prints a list, a line for each reason.
func (p *printer) tools(word string, list []ToolFacts) {
	names := map[string][]string{}
	var reasons []string
	for _, t := range list {
		if names[t.Why] == nil {
			reasons = append(reasons, t.Why)
		}
		names[t.Why] = append(names[t.Why], escape(t.Name))
	}
	for _, why := range reasons {
		line := "        " + word + " " + strings.Join(names[why], ", ")
		if why != "" {
			line += ": " + escape(why)
		}
		p.line(line)
	}
}

func (p *printer) router(r *RouterFacts) {
	verdict := p.paint(green, "its branches may run side by side")
	if !r.Parallel {
		verdict = p.paint(yellow, "its branches may not run side by side") + ": " + escape(r.Why)
	}
	p.line(r.Place + ": " + p.paint(blue, "router") + " " + escape(r.Router) + " (" + r.Mode + "): " + verdict)
	for i, b := range r.Branches {
		p.line(fmt.Sprintf("    branch %d: %s", i+1, escape(strings.Join(b.Nodes, ", "))))
		for _, w := range b.Writes {
			p.line("        " + escape(w.Node) + " may write: " + escape(w.Why))
		}
	}
}
