package check

import "slices"

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
	{name: "router edges", node: checkRouterEdges},
	{name: "prompt forms", unit: checkPromptForms},
	{name: "node references", node: checkNodeRefs},
	{name: "edge references", unit: checkEdgeRefs},
	{name: "other references", unit: checkOtherRefs},
})
