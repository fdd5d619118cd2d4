package check

import "iterion/ir"

// laterRules are the checks from C107 on that need nothing of a bundle.
// Those of expressions hang on the references, see reader.judge.
var laterRules = []rule{
	{name: "vars", unit: checkVars},
	{name: "field-enums", unit: checkFieldEnums},
	{name: "fan-out-each", kinds: routerKinds, node: checkFanOutEach},
	{name: "each-edge", kinds: routerKinds, node: checkEachEdge},
	{name: "same-target", kinds: routerKinds, node: checkSameTarget},
	{name: "defaults", node: checkDefaults},
	{name: "foreaches", unit: checkForeaches},
	{name: "empty-schemas", node: checkEmptySchemas},
	{name: "worktree", unit: checkWorktree},
	{name: "resources", unit: checkResources},
	{name: "needs", node: checkNeeds},
	{name: "timeouts", kinds: llmKinds.and(kinds{ir.KindWait, ir.KindAwait}), node: checkTimeouts},
	{name: "events", unit: checkEvents},
	{name: "await-from", kinds: kinds{ir.KindAwait}, node: checkFrom},
	{name: "fail-code", kinds: kinds{ir.KindFail}, node: checkFailCode},
	{name: "session-slot", kinds: llmKinds, node: checkSlot},
	{name: "child", kinds: kinds{ir.KindSubbot}, node: checkChild},
}
