package check

// nodeRules are the checks from C106 on of single nodes, of branches and of
// contracts.
var nodeRules = []rule{
	{name: "dead-recovery", node: checkDeadRecovery},
	{name: "memory-visibility", node: checkVisibility},
	{name: "provider-steps", node: checkProviderSteps},
	{name: "command", node: checkCommand},
	{name: "ambient-context", node: checkAmbient, unit: checkAmbientDefault},
	{name: "gateway-models", node: checkGatewayModels},
	{name: "asking", node: checkAsking},
	{name: "supervisors", unit: checkSupervisors},
	{name: "skills", node: checkSkills, unit: checkWorkflowSkills},
	{name: "human-async", node: checkHumanAsync},
	{name: "branches", unit: checkBranches},
	{name: "actions", node: checkAction},
	{name: "child-document", node: checkChildDocument},
	{name: "contracts", unit: checkContracts},
}
