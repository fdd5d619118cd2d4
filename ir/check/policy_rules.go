package check

// policyRules are the checks of what a model may call: permissions, tools and
// the routes on which both must hold.
var policyRules = []rule{
	{name: "permission", node: checkPermission, unit: checkWorkflowPermission},
	{name: "rules", node: checkRules, unit: checkWorkflowRules},
	{name: "unread-rules", node: checkUngatedLists, unit: checkUnreadLists},
	{name: "tool-names", node: checkToolNames},
	{name: "no-tools", node: checkNoTools},
	{name: "shell-class", node: checkShellClass, unit: checkWorkflowClass},
	{name: "fallbacks", node: checkFallbacks},
	{name: "bounds-on-routes", node: checkRoutes},
	{name: "gaps", node: checkGaps},
}
