package template

// Member is a fixed part of what a namespace names.
type Member struct {
	Name string
	Type string // as a schema writes it; "" when it depends
	Doc  string // one sentence
}

// About says in a sentence what a namespace holds, "" for what is none.
func About(namespace string) string { return about[namespace] }

var about = map[string]string{
	"vars":        "The variables of the run.",
	"input":       "The fields that a node receives; on an edge, the output of its source.",
	"outputs":     "The latest outputs of nodes.",
	"artifacts":   "The outputs that nodes have published.",
	"attachments": "The files handed to the run.",
	"secrets":     "Placeholders of secrets, replaced where they are used.",
	"loop":        "The state of loops.",
	"each":        "The state of foreach loops.",
	"run":         "The run itself: what it has spent and what it may.",
	"params":      "The parameters of the group.",
}

// Members lists the fixed parts: of `run` itself, of a loop, a foreach, an
// attachment or a secret by their namespace; none for the others. The result is
// shared: do not change it.
func Members(namespace string) []Member { return members[namespace] }

// MemberNames are the names of Members.
func MemberNames(namespace string) []string {
	names := make([]string, len(members[namespace]))
	for i, m := range members[namespace] {
		names[i] = m.Name
	}
	return names
}

var members = map[string][]Member{
	"run": {
		{"id", "string", "The run's id."},
		{"elapsed_seconds", "float", "The active time so far."},
		{"cost_usd", "float", "What the run has spent."},
		{"tokens", "int", "The tokens of all calls so far."},
		{"iterations", "int", "The node executions so far."},
		{"max_duration_seconds", "float", "The limit of the active time, 0 for none."},
		{"max_cost_usd", "float", "The limit of what may be spent, 0 for none."},
		{"max_tokens", "int", "The limit of tokens, 0 for none."},
		{"max_iterations", "int", "The limit of node executions, 0 for none."},
		{"tree_noise", "string", "Pathspecs of git that leave out what the engine itself writes."},
	},
	"loop": {
		{"iteration", "int", "How often the loop was crossed since it was entered."},
		{"max", "int", "The most crossings."},
		{"previous_output", "json", "The output of the source at the crossing before; empty at first."},
	},
	"each": {
		{"item", "", "The element of this round."},
		{"index", "int", "Its place, from 0."},
		{"count", "int", "How many elements there are."},
		{"first", "bool", "Whether it is the first element."},
		{"last", "bool", "Whether it is the last element."},
		{"empty", "bool", "Whether there is no element at all."},
	},
	"attachments": {
		{"path", "string", "Where the file lies; the same as the name alone."},
		{"url", "string", "Its address, when it has one."},
		{"mime", "string", "Its media type."},
		{"size", "int", "Its size in bytes."},
		{"sha256", "string", "The hash of its content."},
	},
	"secrets": {{"path", "string", "The path of the mounted file; of secrets with as: file only."}},
}
