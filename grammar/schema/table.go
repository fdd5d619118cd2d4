package schema

import "sync"

// declaration is a keyword with its kind. The kind is made when it is first
// asked for: a file uses a few of them, and a process that formats one file
// would spend more on the whole table than on its text.
type declaration struct {
	keyword string
	make    func() *Kind
	once    sync.Once
	kind    *Kind
}

// get returns the kind, ready for look-ups.
func (d *declaration) get() *Kind {
	d.once.Do(func() {
		d.kind = d.make()
		d.kind.index()
	})
	return d.kind
}

// table is every declaration, one function per keyword, in the order in which
// the reference presents them.
var table = sync.OnceValue(func() []*declaration {
	return []*declaration{
		{keyword: "vars", make: varsBlock}, {keyword: "presets", make: presetsBlock},
		{keyword: "attachments", make: attachmentsBlock}, {keyword: "secrets", make: secretsBlock},
		{keyword: "prompt", make: promptKind}, {keyword: "schema", make: schemaKind},
		{keyword: "mcp_server", make: serverKind}, {keyword: "cursor", make: cursorKind},
		{keyword: "supervisor", make: supervisorKind},
		{keyword: "agent", make: agentKind}, {keyword: "judge", make: judgeKind},
		{keyword: "router", make: routerKind}, {keyword: "human", make: humanKind},
		{keyword: "tool", make: toolKind}, {keyword: "compute", make: computeKind},
		{keyword: "subbot", make: subbotKind}, {keyword: "emit", make: emitKind},
		{keyword: "wait", make: waitKind}, {keyword: "await_answers", make: awaitAnswersKind},
		{keyword: "fail", make: failKind},
		{keyword: "group", make: groupKind}, {keyword: "use", make: useKind},
		{keyword: "contract", make: contractKind}, {keyword: "workflow", make: workflowKind},
	}
})

var keywords = sync.OnceValue(func() *words { return newWords(Keywords()) })

// Keywords returns the keyword of every declaration in reference order.
func Keywords() []string {
	names := make([]string, len(table()))
	for i, d := range table() {
		names[i] = d.keyword
	}
	return names
}

var kinds = sync.OnceValue(func() []*Kind {
	all := make([]*Kind, len(table()))
	for i, d := range table() {
		all[i] = d.get()
	}
	return all
})

// Kinds returns every declaration kind in reference order. The result is
// shared: do not change it.
func Kinds() []*Kind { return kinds() }

// Lookup returns the declaration kind of a keyword, or nil.
func Lookup(keyword string) *Kind {
	if i := keywords().find(keyword); i >= 0 {
		return table()[i].get()
	}
	return nil
}
