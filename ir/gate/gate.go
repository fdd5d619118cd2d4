// Package gate is the permission policy: the grammar of rules, and the one
// place that resolves which mode and which rules hold for a node.
package gate

import (
	"fmt"
	"strings"
)

// Mode is what happens to a call that no rule decides.
type Mode uint8

const (
	Off  Mode = iota // no gate: every call runs
	Ask              // a person decides
	Deny             // the call is refused
)

func (m Mode) String() string { return modeNames[m] }

var modeNames = [...]string{"off", "ask", "deny"}

// ModeNames lists the words for modes.
func ModeNames() []string { return modeNames[:] }

// ParseMode reads a mode in any case, blanks around it aside.
func ParseMode(word string) (Mode, bool) {
	word = strings.TrimSpace(word)
	for m, name := range modeNames {
		if strings.EqualFold(word, name) {
			return Mode(m), true
		}
	}
	return Off, false
}

// Kind is one of the three lists of rules.
type Kind uint8

const (
	DenyList Kind = iota
	AskList
	AllowList
)

func (k Kind) String() string { return [...]string{"deny", "ask", "allow"}[k] }

// Kinds lists the lists in the order in which a call meets them.
func Kinds() []Kind { return []Kind{DenyList, AskList, AllowList} }

// Origin is the level that a mode or a rule comes from.
type Origin uint8

const (
	FromDefault Origin = iota
	FromEnvironment
	FromWorkflow
	FromNode
	FromFlag
)

func (o Origin) String() string {
	return [...]string{"default", "environment", "workflow", "node", "flag"}[o]
}

// Lists are the rules of one level, by kind.
type Lists [3][]Rule

// Level is what one level says. A mode of blanks is none; an empty list is
// none.
type Level struct {
	Mode  string
	Lists Lists
}

// Levels are all that a policy is resolved from, strongest first.
type Levels struct {
	Flag, Node, Workflow Level
	Environment          string // its mode; it has no rules
}

// Row is a rule in force.
type Row struct {
	Rule
	From  Origin
	Index int // in its level's list
}

// Policy is what holds for one node. It is a value: nothing changes it.
type Policy struct {
	Mode     Mode
	ModeFrom Origin
	Rows     [3][]Row // by kind, in order of declaration
	Grants   []Grant  // an operator's approvals, in order
	Trees    []string // folders that are closed whatever the rules say, absolute
	Cwd      string   // the folder that relative paths start from, absolute
	Home     string   // what a leading `~/` stands for, absolute; "" for nothing
}

// ModeError says which level names a mode that does not exist.
type ModeError struct {
	From Origin
	Word string
}

func (e *ModeError) Error() string {
	return fmt.Sprintf("the %s names the permission %q; write off, ask or deny", e.From, e.Word)
}

// Resolve finds the policy of a node. The mode is the strongest level's; of the
// rules, a node's list of a kind replaces the workflow's list of that kind, and
// those of the flags are added behind. The error is a *ModeError.
func Resolve(l Levels) (Policy, error) {
	var p Policy
	for _, level := range []struct {
		from Origin
		word string
	}{{FromFlag, l.Flag.Mode}, {FromNode, l.Node.Mode}, {FromWorkflow, l.Workflow.Mode}, {FromEnvironment, l.Environment}} {
		if strings.TrimSpace(level.word) == "" {
			continue
		}
		mode, ok := ParseMode(level.word)
		if !ok {
			return Policy{}, &ModeError{level.from, level.word}
		}
		p.Mode, p.ModeFrom = mode, level.from
		break
	}
	for _, k := range Kinds() {
		list, from := l.Node.Lists[k], FromNode
		if !Replaces(len(list)) {
			list, from = l.Workflow.Lists[k], FromWorkflow
		}
		p.Rows[k] = appendRows(p.Rows[k], list, from)
		p.Rows[k] = appendRows(p.Rows[k], l.Flag.Lists[k], FromFlag)
	}
	return p, nil
}

// Replaces tells whether a node's list of so many entries stands instead of the
// workflow's: an empty list is as an absent one.
func Replaces(entries int) bool { return entries > 0 }

func appendRows(rows []Row, list []Rule, from Origin) []Row {
	for i, rule := range list {
		rows = append(rows, Row{rule, from, i})
	}
	return rows
}

// CanAsk tells whether a call may end in a question: by the mode, or by a rule,
// which asks in every mode.
func (p *Policy) CanAsk() bool {
	return p.Mode == Ask || p.Mode == Deny && len(p.Rows[AskList]) > 0
}
