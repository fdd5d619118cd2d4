package tools

// Native is a tool of Claude Code's own closed set.
type Native struct {
	Name     string // as its command line spells it
	Withheld string // why no call of ours has it whatever a list says, "" when it may
}

// ClaudeNatives are the tools that a `tools:` list on Claude Code can take
// away: each that the list does not name is disallowed. Tools that the program
// adds later are not among them, so a list bounds no more than these.
func ClaudeNatives() []Native { return claudeNatives }

const (
	noDialog   = "a run has no terminal to ask or to type in; questions go through ask_user"
	noSchedule = "a session of one task cannot wake up later"
	noShells   = "shells in the background do not outlive the task"
)

var claudeNatives = []Native{
	{"Agent", ""}, {"AskUserQuestion", noDialog}, {"Bash", ""}, {"BashOutput", noShells}, {"Edit", ""}, {"Glob", ""},
	{"Grep", ""}, {"KillShell", noShells}, {"MultiEdit", ""}, {"NotebookEdit", ""}, {"Read", ""},
	{"ScheduleWakeup", noSchedule}, {"Skill", ""}, {"SlashCommand", noDialog}, {"Task", ""}, {"TodoWrite", ""},
	{"ToolSearch", ""}, {"WebFetch", ""}, {"WebSearch", ""}, {"Write", ""},
}
