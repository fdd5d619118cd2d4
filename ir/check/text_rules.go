package check

// textRules are the checks of values and texts from C128 to C183. Those of
// references and expressions hang on the reader: see reader.placed and
// reader.judge.
var textRules = []rule{
	{name: "switches", kinds: llmKinds, node: checkAutoMemory, unit: checkSwitches},
	{name: "review-words", kinds: humanKinds, node: checkReviewWords},
	{name: "opt-out", kinds: llmKinds.and(toolKinds), node: checkNodeOptOut, unit: checkOptOut},
	{name: "post-create", kinds: llmKinds.and(toolKinds), node: checkNodePostCreate, unit: checkPostCreate},
	{name: "answers", node: checkAnswers},
	{name: "profile", unit: checkProfile},
	{name: "loop-exit", node: checkLoopExit},
	{name: "routing", unit: checkSupervisorModels},
	{name: "mappings", unit: checkMappings},
	{name: "shell", kinds: toolKinds, node: checkShell},
	{name: "patterns", unit: checkPatterns},
	{name: "redeclared", unit: checkRedeclared},
	{name: "preset-values", unit: checkPresetValues},
}
