package check

import "iterion/ir"

// nodeRules are the checks from C106 on of single nodes, of branches and of
// contracts.
var nodeRules = []rule{
	{name: "dead-recovery", kinds: toolKinds, node: checkDeadRecovery},
	{name: "memory-visibility", kinds: llmKinds, node: checkVisibility},
	{name: "provider-steps", kinds: llmKinds.and(routerKinds), node: checkProviderSteps},
	{name: "command", kinds: llmKinds, node: checkCommand},
	{name: "ambient-context", kinds: llmKinds, node: checkAmbient, unit: checkAmbientDefault},
	{name: "gateway-models", kinds: llmKinds.and(routerKinds), node: checkGatewayModels},
	{name: "asking", kinds: llmKinds, node: checkAsking},
	{name: "supervisors", unit: checkSupervisors},
	{name: "skills", kinds: llmKinds, node: checkSkills, unit: checkWorkflowSkills},
	{name: "human-async", kinds: humanKinds, node: checkHumanAsync},
	{name: "branches", unit: checkBranches},
	{name: "actions", kinds: toolKinds, node: checkAction},
	{name: "child-document", kinds: kinds{ir.KindSubbot}, node: checkChildDocument},
	{name: "contracts", unit: checkContracts},
}
