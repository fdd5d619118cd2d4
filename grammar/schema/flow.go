package schema

func subbotKind() *Kind {
	return &Kind{Name: "subbot", Node: true, Named: true,
		Doc:     "Runs another bot and takes its result as the output.",
		Example: "subbot announce:\n  source: \"announce.bot\"\n  with { url: \"{{outputs.push.url}}\" }\n",
		Props: []Property{
			descriptionRow(),
			{Name: "source", Form: Word, Require: true,
				Doc:     "The path of the other bot, relative to the file that names it.",
				Example: `source: "lib/announce.bot"`},
			withRow("The vars of the other bot.", `with { url: "{{outputs.push.url}}" }`),
			outputRow().about("The schema of what comes back."),
			needsRow().about("The resources held while the other bot runs; it gets each as _lease_NAME."),
			{Name: "isolated", Form: Bool, Default: "false",
				Doc:     "Promises that the other bot writes nothing to the shared workspace.",
				Example: `isolated: true`},
		}}
}

func emitKind() *Kind {
	return &Kind{Name: "emit", Node: true, Named: true,
		Doc:     "Sends a named event, which a wait node of the same run receives.",
		Example: "emit tell:\n  event: \"published\"\n  with { url: \"{{outputs.push.url}}\" }\n",
		Props: []Property{
			descriptionRow(),
			eventRow("The event's name."),
			withRow("The event's payload.", `with { url: "{{outputs.push.url}}" }`),
		}}
}

func waitKind() *Kind {
	return &Kind{Name: "wait", Node: true, Named: true,
		Doc:     "Waits for a named event and gives its payload as the output.",
		Example: "wait listen:\n  event: \"published\"\n  timeout: \"10m\"\n  output: link\n",
		Props: []Property{
			descriptionRow(),
			eventRow("The name of the event to wait for."),
			waitTimeoutRow(),
			outputRow().about("The schema of the event's payload."),
		}}
}

func awaitAnswersKind() *Kind {
	return &Kind{Name: "await_answers", Node: true, Named: true,
		Doc:     "Waits until the questions that agents asked without waiting are answered.",
		Example: "await_answers settle:\n  from: plan\n  timeout: \"30m\"\n",
		Props: []Property{
			descriptionRow(),
			{Name: "from", Form: StrOrName, Ref: RefNode,
				Doc:     "The node whose questions are awaited; absent, those of the whole run.",
				Example: `from: plan`},
			waitTimeoutRow(),
		}}
}

func failKind() *Kind {
	return &Kind{Name: "fail", Node: true, Named: true,
		Doc:     "Ends the run as failed, with a code and a message of its own.",
		Example: "fail not_good_enough:\n  code: REVIEW_NOT_PASSED\n  message: \"{{outputs.review.notes}}\"\n",
		Props: []Property{
			descriptionRow(),
			{Name: "code", Form: StrOrName, Default: "FAIL_NODE",
				Doc:     "The failure code: capitals, digits and underscores, and none of the engine's own.",
				Example: `code: REVIEW_NOT_PASSED`},
			{Name: "message", Form: Str, Text: DataText,
				Doc:     "What is reported, rendered when the node is reached; absent, a generic sentence.",
				Example: `message: "Stopped: {{outputs.review.notes}}"`},
			{Name: "resumable", Form: Bool, Default: "false",
				Doc:     "Lets the failed run be resumed later.",
				Example: `resumable: true`},
		}}
}

func withRow(doc, example string) Property {
	return Property{Name: "with", Form: With, Text: DataText, Doc: doc, Example: example}
}

func eventRow(doc string) Property {
	return Property{Name: "event", Form: Word, Require: true, Doc: doc, Example: `event: "published"`}
}

func waitTimeoutRow() Property {
	return Property{Name: "timeout", Form: Word, Text: EnvText, Require: true,
		Doc:     "The longest wait, as a positive duration.",
		Example: `timeout: "30m"`}
}
