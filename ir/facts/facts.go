// Package facts tells what holds for the nodes of a built unit once everything
// is resolved: permissions, routes, tools, branches. The command line prints it,
// and the language server shows it.
package facts

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics/render"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/check"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// Unit tells of one built unit.
type Unit struct {
	*build.Result
	scope       *scope.Scope
	at          build.Places
	permissions *effective.Permissions
	resolve     func(*ir.Node) gate.Policy // with what else counts; nil for the program alone
}

// Of is what the program alone says.
func Of(r *build.Result) *Unit {
	return &Unit{Result: r, scope: r.Scope, at: r.Places(), permissions: effective.NewPermissions(Workflow(r.Scope))}
}

// With is what holds when resolve gives the policies of nodes: flags and the
// environment may say more than the program.
func With(r *build.Result, resolve func(*ir.Node) gate.Policy) *Unit {
	x := Of(r)
	x.resolve = resolve
	return x
}

// Workflow is the workflow of a linked unit, or nil.
func Workflow(s *scope.Scope) *ir.Workflow {
	if s.Workflow == nil {
		return nil
	}
	return s.Workflow.Workflow
}

func (x *Unit) policy(n *ir.Node, p *effective.Permission) *gate.Policy {
	if x.resolve == nil {
		return &p.Policy
	}
	policy := x.resolve(n)
	return &policy
}

func (x *Unit) place(tree *ast.Declaration, at source.Span) string {
	return render.Place(x.at.Range(tree, at))
}

// Nodes lists the nodes whose model calls tools.
func (x *Unit) Nodes() []render.NodeFacts {
	list := []render.NodeFacts{}
	for _, n := range x.scope.Nodes {
		if n.Tainted || !effective.Reader(n.Node) {
			continue
		}
		p := x.permissions.Of(n.Node)
		f := render.NodeFacts{Kind: string(n.Kind), Node: n.ID, Place: x.place(n.Tree, n.NameSpan), Permission: x.permission(p, x.policy(n.Node, p))}
		w := Workflow(x.scope)
		for _, r := range effective.Routes(w, n.Node) {
			f.Routes = append(f.Routes, routeFacts(w, n.Node, &r))
		}
		list = append(list, f)
	}
	return list
}

// permission tells a node's policy with the places of what the program says;
// policy may hold more than that.
func (x *Unit) permission(p *effective.Permission, policy *gate.Policy) render.PermissionFacts {
	f := render.PermissionFacts{From: policy.ModeFrom.String(), Mode: policy.Mode.String()}
	if p.Unknown {
		f.Mode = ""
	}
	if p.Tree != nil && policy.ModeFrom == p.ModeFrom {
		f.Place = x.place(p.Tree, p.At)
	}
	for _, k := range gate.Kinds() {
		for _, row := range policy.Rows[k] {
			facts := render.RuleFacts{From: row.From.String(), List: k.String(), Rule: row.Text}
			if list := &p.Lists[k]; row.From != gate.FromFlag {
				facts.Place = x.place(list.Tree, list.Items[row.Index].Span)
			}
			f.Rules = append(f.Rules, facts)
		}
	}
	return f
}

func routeFacts(w *ir.Workflow, n *ir.Node, r *effective.Route) render.RouteFacts {
	if r.At.IsZero() { // a fallback that keeps the node's backend
		r.Backend = effective.BackendOf(w, n)
	}
	set := effective.Tools(w, n, r)
	facts, _ := routes.Lookup(r.Name)
	return render.RouteFacts{Backend: r.Name, Fallback: r.Fallback, Enforces: facts.GateModes, Gate: facts.Gate,
		Tools: set.Effect, Granted: toolFacts(set.Granted), Absent: toolFacts(set.Absent)}
}

func toolFacts(list []effective.Tool) []render.ToolFacts {
	var out []render.ToolFacts
	for _, t := range list {
		out = append(out, render.ToolFacts(t))
	}
	return out
}

// Routers judges which branches may run side by side, as a run would.
func (x *Unit) Routers() []render.RouterFacts {
	list := []render.RouterFacts{}
	for _, fan := range check.Fans(x.scope, x.Files[0].Path) {
		f := render.RouterFacts{Router: fan.Router.ID, Mode: fan.Router.Router.EffectiveMode(),
			Place: x.place(fan.Router.Tree, fan.Router.NameSpan)}
		replayed := f.Mode == ir.ModeFanOutEach
		writers := 0
		for _, nodes := range fan.Branches {
			if b := x.branch(nodes, replayed); len(b.Nodes) > 0 {
				f.Branches = append(f.Branches, b)
				writers += min(1, len(b.Writes))
			}
		}
		switch {
		case fan.Unread:
			f.Why = "a branch holds something that could not be read"
		case replayed && writers > 0:
			f.Why = "what may write would run several times at once"
		case writers > 1:
			f.Why = "more than one of them may write to the workspace"
		default:
			f.Parallel = true
		}
		list = append(list, f)
	}
	return list
}

func (x *Unit) branch(nodes []*scope.Node, replayed bool) render.BranchFacts {
	var b render.BranchFacts
	for _, n := range nodes {
		b.Nodes = append(b.Nodes, n.ID)
		facts, known := routes.Lookup(effective.BackendOf(Workflow(x.scope), n.Node).Name)
		bounds := effective.Bounds{OwnTools: facts.OwnTools, ListHolds: facts.ListHolds || !known}
		if why := effective.MayWrite(n.Node, bounds, replayed); why != "" {
			b.Writes = append(b.Writes, render.WriteFacts{Node: n.ID, Why: why})
		}
	}
	return b
}
