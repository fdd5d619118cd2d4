package schema

// declarations builds the whole table, one function per keyword, in the order
// in which the reference presents them.
func declarations() []*Kind {
	return []*Kind{
		varsBlock(), presetsBlock(), attachmentsBlock(), secretsBlock(),
		promptKind(), schemaKind(), serverKind(), cursorKind(), supervisorKind(),
		agentKind(), judgeKind(), routerKind(), humanKind(), toolKind(), computeKind(),
		subbotKind(), emitKind(), waitKind(), awaitAnswersKind(), failKind(),
		groupKind(), useKind(), contractKind(), workflowKind(),
	}
}
