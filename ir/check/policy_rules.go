package check

// policyRules are the checks of what a model may call: permissions, tools and
// the routes on which both must hold.
var policyRules = []rule{
	{name: "permission", kinds: llmKinds.and(toolKinds), node: checkPermission, unit: checkWorkflowPermission},
	{name: "rules", kinds: llmKinds, node: checkRules, unit: checkWorkflowRules},
	{name: "unread-rules", kinds: llmKinds, node: checkUngatedLists, unit: checkUnreadLists},
	{name: "tool-names", kinds: llmKinds.and(toolKinds), node: checkToolNames},
	{name: "no-tools", kinds: llmKinds, node: checkNoTools},
	{name: "shell-class", kinds: llmKinds, node: checkShellClass, unit: checkWorkflowClass},
	{name: "fallbacks", kinds: llmKinds, node: checkFallbacks},
	{name: "bounds-on-routes", kinds: llmKinds, node: checkRoutes},
	{name: "gaps", kinds: llmKinds.and(toolKinds), node: checkGaps},
}
