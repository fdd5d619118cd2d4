package check

import (
	"slices"
	"sync"

	"iterion/ir"
	"iterion/ir/scope"
)

// rules is every check, in the order in which it runs. The order shows
// nowhere: findings are sorted before anyone sees them.
var rules = slices.Concat(declRules, laterRules, nodeRules, policyRules, textRules, []rule{
	{name: "program", unit: checkProgram},
	{name: "ends", unit: checkEnds},
	{name: "reachable", unit: checkUnreachable},
	{name: "cycles", unit: checkCycles},
	{name: "loops", unit: checkLoops},
	{name: "choice", node: checkChoice},
	{name: "fields", node: checkFields},
	{name: "router edges", kinds: routerKinds, node: checkRouterEdges},
	{name: "prompt forms", unit: checkPromptForms},
	{name: "node references", node: checkNodeRefs},
	{name: "edge references", unit: checkEdgeRefs},
	{name: "other references", unit: checkOtherRefs},
})

// kinds are kinds of nodes.
type kinds []ir.Kind

var (
	llmKinds    = kinds{ir.KindAgent, ir.KindJudge} // they always ask one
	routerKinds = kinds{ir.KindRouter}
	humanKinds  = kinds{ir.KindHuman}
	toolKinds   = kinds{ir.KindTool}
)

func (k kinds) and(more ...kinds) kinds { return slices.Concat(append(more, k)...) }

// nodeChecks are the checks that each kind of node goes through: most nodes
// are nothing to most checks.
var nodeChecks = sync.OnceValue(func() map[ir.Kind][]func(*Context, *scope.Node) {
	byKind := map[ir.Kind][]func(*Context, *scope.Node){}
	for _, kind := range []ir.Kind{
		ir.KindAgent, ir.KindJudge, ir.KindRouter, ir.KindHuman, ir.KindTool, ir.KindCompute,
		ir.KindSubbot, ir.KindEmit, ir.KindWait, ir.KindAwait, ir.KindFail,
	} {
		for _, r := range rules {
			if r.node != nil && (r.kinds == nil || slices.Contains(r.kinds, kind)) {
				byKind[kind] = append(byKind[kind], r.node)
			}
		}
	}
	return byKind
})
