package check

import "iterion/ir"

// declRules are the checks of single declarations, C001 to C105.
var declRules = []rule{
	{name: "models", kinds: llmKinds.and(routerKinds, humanKinds), node: checkModels},
	{name: "effort", kinds: llmKinds.and(routerKinds), node: checkEffort},
	{name: "tokens", kinds: llmKinds, node: checkTokens},
	{name: "session", kinds: llmKinds, node: checkSession},
	{name: "router-props", kinds: routerKinds, node: checkRouterProps},
	{name: "schemas", node: checkSchemas},
	{name: "prompts", kinds: llmKinds.and(routerKinds, humanKinds), node: checkPrompts},
	{name: "reserved", node: checkReserved},
	{name: "labels", node: checkLabels},
	{name: "recipe", kinds: toolKinds, node: checkRecipe},
	{name: "verified", kinds: toolKinds, node: checkVerified},
	{name: "compute", kinds: kinds{ir.KindCompute}, node: checkCompute},
	{name: "sandbox", kinds: llmKinds.and(toolKinds), node: checkNodeSandbox, unit: checkSandbox},
	{name: "browser-image", unit: checkBrowserImage},
	{name: "servers", unit: checkServers},
	{name: "attachments", unit: checkAttachments},
	{name: "presets", unit: checkPresets},
	{name: "secrets", unit: checkSecrets},
	{name: "cursors", kinds: llmKinds, node: checkCursorUse, unit: checkCursors},
	{name: "grants", kinds: llmKinds, node: checkGrants, unit: checkWorkflowGrants},
	{name: "providers", kinds: llmKinds.and(routerKinds), node: checkProviders},
	{name: "memory", kinds: llmKinds, node: checkMemory},
	{name: "compaction", kinds: llmKinds, node: checkCompaction},
	{name: "compress", kinds: llmKinds.and(toolKinds), node: checkCompress},
	{name: "review", kinds: humanKinds, node: checkReview},
	{name: "settings", unit: checkSettings},
}
