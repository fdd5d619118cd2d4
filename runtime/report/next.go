package report

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store"
	"iterion/runtime/trace"
)

// Step is something that a person can do now.
type Step struct {
	Say     string `json:"say"`
	Command string `json:"command,omitempty"` // "" when there is none
}

// Next says how a run goes on from where it stands: nothing for one that runs
// or has finished. folder is the store's, "" where the commands find it by
// themselves.
func Next(run store.Run, t *trace.Trace, p *ir.Program, folder string) []Step {
	resume := Resume(run.ID, folder)
	switch t.Status {
	case outcome.PausedHuman:
		return answers(resume, t)
	case outcome.PausedOperator:
		return []Step{{"The budget is used up. With a higher cap the run goes on.", resume + raise(t)}}
	case outcome.CancelledRun:
		return []Step{{"The run was cancelled and can go on where it stands.", resume}}
	case outcome.FailedResumable:
		return failed(resume, t, p)
	case outcome.Failed:
		return []Step{{"The run has ended for good. Mend the cause and start anew.", again(run)}}
	}
	return nil
}

// Resume is the command that lets a run go on. folder is as of Next.
func Resume(run, folder string) string {
	if folder == "" {
		return "iterion resume " + run
	}
	return "iterion resume " + run + " --store " + quote(folder)
}

// answers has one step for each open question. Several are answered by a file.
func answers(resume string, t *trace.Trace) []Step {
	var steps []Step
	for _, a := range t.Open() {
		say := place(a.Node, a.Branch) + " waits for an answer."
		if a.Kind == runtime.AskApproval {
			say = place(a.Node, a.Branch) + " asks whether " + a.Tool + " may be called."
		}
		steps = append(steps, Step{say, AnswerBy(resume, a)})
	}
	if len(steps) < 2 {
		return steps
	}
	for i, a := range t.Open() {
		steps[i] = Step{steps[i].Say + " In the file, its answers stand under " + a.ID + ".", ""}
	}
	return append(steps, Step{"With answers to all of them in one file:", resume + " --answers-file FILE"})
}

// raise is the flag that raises the cap which was reached last.
func raise(t *trace.Trace) string {
	for _, n := range slices.Backward(t.Notes) {
		axis, _ := n.Data["axis"].(string)
		if flag := caps[axis]; flag != "" {
			return " " + flag
		}
	}
	return ""
}

var caps = map[string]string{
	"cost_usd": "--max-cost-usd USD", "tokens": "--max-tokens N", "iterations": "--max-iterations N", "duration": "--max-duration TIME",
}

// AnswerBy is the command that answers the one question of a run: resume with
// its flags. A subbot's question is answered in its own run, before.
func AnswerBy(resume string, a *trace.Ask) string {
	if a.Kind == runtime.AskChild {
		return "iterion resume " + a.Text + ", then " + resume
	}
	return resume + answerFlags(a)
}

// answerFlags are the flags of `resume` that answer a question.
func answerFlags(a *trace.Ask) string {
	switch {
	case a.Kind == runtime.AskApproval:
		flags := []string{}
		for _, c := range a.Choices {
			if flag := approvals[c.Answer]; flag != "" {
				flags = append(flags, flag)
			}
		}
		return " " + strings.Join(flags, " | ")
	case len(a.Fields) == 0:
		return " --answer answer=TEXT"
	}
	var b strings.Builder
	for _, f := range a.Fields {
		value := strings.ToUpper(f.Type)
		switch {
		case len(f.Enum) > 0:
			value = "'" + strings.Join(f.Enum, "|") + "'"
		case f.Type == "bool":
			value = "'true|false'"
		case f.Type == "file":
			value = "@FILE"
		}
		fmt.Fprintf(&b, " --answer %s=%s", f.Name, value)
	}
	return b.String()
}

// approvals are the flags of `resume` by answer.
var approvals = map[string]string{
	runtime.Allow: "--approve", runtime.AllowSimilar: "--approve-similar", runtime.AllowAlways: "--approve-always", runtime.Deny: "--deny",
}

func failed(resume string, t *trace.Trace, p *ir.Program) []Step {
	f := t.Failure
	switch {
	case f == nil:
	case f.Code == outcome.OutcomeUnknown:
		return []Step{
			{f.Node + " may have had its effect. To run it again:", resume + " --rerun " + f.Node},
			{"To count it as done, with its output:", resume + " --accept " + f.Node + " --output KEY=VALUE"},
		}
	case f.Code == outcome.BudgetExceeded:
		return []Step{{"With a higher cap the run goes on.", resume + raise(t)}}
	case f.Code.Retryable():
		return []Step{{"The cause may pass. The run goes on where it stands.", resume}}
	case p != nil && p.Node(f.Node) != nil:
		return []Step{{"Mend what " + f.Node + " needs, then go on from there.", resume},
			{"When that takes a change of the file:", resume + " --force"}}
	}
	return []Step{{"Mend the cause. The run goes on where it stands.", resume}}
}

// again is the command that starts a run like this one.
func again(run store.Run) string {
	if run.File == "" {
		return ""
	}
	return "iterion run " + quote(run.File)
}

// quote makes a word of a shell's command line.
func quote(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+:", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// place names a visit: its node, and the branch where it is in one.
func place(node, branch string) string {
	if branch == "" {
		return node
	}
	return node + "@" + branch
}
