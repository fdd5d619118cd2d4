package check

// laterRules are the checks from C107 on that need nothing of a bundle.
// Those of expressions hang on the references, see reader.judge.
var laterRules = []rule{
	{name: "vars", unit: checkVars},
	{name: "field-enums", unit: checkFieldEnums},
	{name: "fan-out-each", node: checkFanOutEach},
	{name: "each-edge", node: checkEachEdge},
	{name: "same-target", node: checkSameTarget},
	{name: "defaults", node: checkDefaults},
	{name: "foreaches", unit: checkForeaches},
	{name: "empty-schemas", node: checkEmptySchemas},
	{name: "worktree", unit: checkWorktree},
	{name: "resources", unit: checkResources},
	{name: "needs", node: checkNeeds},
	{name: "timeouts", node: checkTimeouts},
	{name: "events", unit: checkEvents},
	{name: "await-from", node: checkFrom},
	{name: "fail-code", node: checkFailCode},
	{name: "session-slot", node: checkSlot},
	{name: "child", node: checkChild},
}
