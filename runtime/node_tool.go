package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/process"
)

// temporaryFailure is the exit code by which a command says that trying again
// may help (EX_TEMPFAIL of sysexits.h).
const temporaryFailure = 75

// recipe is a tool node, rendered.
type recipe struct {
	main          process.Command
	postcondition *process.Command
	policy        string
	repairs       int64
	agents        int64 // attempts of an agent
	agent         call  // its task, when there are attempts
	noAgent       *Failure
	limit         time.Duration
	schema        *ir.Schema
	steps         steps
}

// tool runs a command or a script.
func (e *engine) tool(n *ir.Node, v view) (answer, job) {
	t := n.Tool
	if t.Action.Set() {
		return failed(outcome.Unsupported, "this build has no connectors, which the action "+t.Action.V+" needs"), nil
	}
	limit, err := e.timeout(t.Timeout)
	if err != nil {
		return failed(outcome.ExecutionFailed, err.Error()), nil
	}
	env := e.environment(n, v.scope)
	secret := func(name string) (string, bool) {
		value, ok := e.Secrets.Values[name]
		variable := "ITERION_SECRET_" + strings.ToUpper(name)
		if ok {
			env = append(env, variable+"="+value)
		}
		return variable, ok
	}
	c := recipe{policy: t.Policy.Or("required"), limit: limit, schema: e.p.schema(n.Output), steps: e.steps(n, v.scope)}
	if t.Script.Set() {
		c.main, err = process.ScriptCommand(t.Language.Or("sh"), v.script(t.Script.V, e.Secrets.Values))
		if err != nil {
			return failed(outcome.ExecutionFailed, err.Error()), nil
		}
	} else {
		c.main = process.Command{Args: []string{"bash", "-c", v.shell(t.Command.V, n, secret)}}
	}
	if t.Postcondition.Set() {
		c.postcondition = &process.Command{Args: []string{"bash", "-c", v.shell(t.Postcondition.V, n, secret)}, Dir: e.Workspace}
		c.postcondition.Env = env
	}
	if c.policy == "recover" {
		c.repairs = 1
		if t.Recovery != nil {
			c.repairs, c.agents = t.Recovery.MaxRepairAttempts.Or(1), t.Recovery.MaxAgentAttempts.V
		}
	}
	if c.agents > 0 {
		c.agent, c.noAgent = e.recovery(n, v)
	}
	c.main.Dir, c.main.Env, c.main.Spill, c.main.Redact = e.Workspace, env, e.artifactDir(), e.hidden
	return answer{}, c.run
}

func (c recipe) run(ctx context.Context, r reporter) answer {
	if c.postcondition != nil {
		return c.verified(ctx, r)
	}
	p, err := c.once(ctx, r, c.main, false)
	switch {
	case err != nil:
		return toolFailure(p, err)
	case p.Exit != 0:
		return toolFailure(p, nil)
	}
	return answer{output: parsed(p)}
}

// once runs a command under the tool's own timeout.
func (c recipe) once(ctx context.Context, r reporter, cmd process.Command, postcondition bool) (process.Output, error) {
	ctx, cancel := r.r.within(ctx, c.limit, errTimeout)
	defer cancel()
	p, err := c.steps.run(ctx, cmd, postcondition)
	said := "%s left process %d running outside of its group, until this run stops: %s"
	if err != nil {
		said = "%s was stopped with process %d, which had left its group: %s"
	}
	for _, left := range p.Escaped {
		_ = r.post(func() { r.e.OnWarning(fmt.Sprintf(said, r.r.node, left.PID, left.Command)) })
	}
	return p, err
}

// verified is the ladder of a Verified Action: nothing when the postcondition
// holds already, else the recipe and its repeats until it holds. The
// postcondition decides, not the recipe's exit code.
func (c recipe) verified(ctx context.Context, r reporter) answer {
	met, err := c.holds(ctx, r, "precheck")
	if err != nil {
		return toolFailure(process.Output{}, err)
	}
	if met {
		return answer{output: zero(c.schema)}
	}
	var p process.Output
	for attempt := int64(0); attempt <= c.repairs && !met; attempt++ {
		rung := "recipe"
		if attempt > 0 {
			rung = "repair"
		}
		if p, err = c.once(ctx, r, c.main, false); err != nil {
			return toolFailure(p, err)
		}
		if met, err = c.holds(ctx, r, rung); err != nil {
			return toolFailure(p, err)
		}
	}
	for attempt := int64(0); attempt < c.agents && !met; attempt++ {
		if f := c.recover(ctx, r, p, attempt); f != nil {
			return answer{failure: f}
		}
		if met, err = c.holds(ctx, r, "agent"); err != nil {
			return toolFailure(p, err)
		}
	}
	if !met && c.policy != "best_effort" {
		f := toolFailure(p, nil)
		f.failure.Code = outcome.ToolFailedPermanent
		recipe := f.failure.Message
		f.failure.Message = "the postcondition does not hold after the recipe"
		if p.Exit != 0 {
			f.failure.Message += ": " + recipe
		}
		return f
	}
	return answer{output: parsed(p)}
}

// recover lets an agent bring about what the postcondition asks for.
func (c recipe) recover(ctx context.Context, r reporter, p process.Output, attempt int64) *Failure {
	if c.noAgent != nil {
		return c.noAgent
	}
	task := c.agent
	task.r = r
	task.task.User += fmt.Sprintf("\n\nThe command ended with exit code %d and its postcondition does not hold.\n%s", p.Exit, p.Stderr)
	if attempt > 0 {
		task.more, task.task.User = true, "The postcondition does not hold yet. Look again."
	}
	got := task.ask(ctx)
	if got.unasked {
		return &Failure{Code: outcome.Unsupported, Message: "the recovery needs a person's approval, and nobody answers: allow the call by a rule, or run on a terminal"}
	}
	return got.failure
}

func (c recipe) holds(ctx context.Context, r reporter, rung string) (bool, error) {
	p, err := c.once(ctx, r, *c.postcondition, true)
	if err != nil {
		return false, err
	}
	r.Event(outcome.NodeVerifiedAction, map[string]any{
		"rung": rung, "postcondition_met": p.Exit == 0, "policy": c.policy,
	})
	return p.Exit == 0, nil
}

// parsed is the output that a command printed: a JSON object, or its text.
func parsed(p process.Output) map[string]any {
	text := strings.TrimSpace(p.Stdout)
	if v, err := parseJSON(text); err == nil && p.Lost == 0 && p.Spill == nil {
		if object, ok := v.(map[string]any); ok {
			return object
		}
	}
	out := map[string]any{"result": text}
	if p.Lost > 0 {
		out["_truncated_bytes"] = p.Lost
	}
	if s := p.Spill; s != nil { // the whole, where the text is its beginning
		out["_spilled"] = map[string]any{"path": s.Path, "size": s.Size, "sha256": s.SHA256}
	}
	return out
}

// toolFailure classifies a command that failed; err is nil when it ran and
// ended by itself.
func toolFailure(p process.Output, err error) answer {
	output := map[string]any{"exit_code": int64(p.Exit), "stdout": p.Stdout, "stderr": p.Stderr}
	f := &Failure{Code: outcome.ToolFailedPermanent, Output: output}
	switch {
	case errors.Is(err, errTimeout):
		f.Code, f.Message = outcome.Timeout, "the command ran longer than its timeout"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.Code, f.Message = outcome.Cancelled, "the command was cancelled"
	case err != nil:
		f.Code, f.Message = outcome.ExecutionFailed, err.Error()
	default:
		f.Message = fmt.Sprintf("the command ended with exit code %d", p.Exit)
		if tail := lastLine(p.Stderr); tail != "" {
			f.Message += ": " + tail
		}
		if p.Exit == temporaryFailure {
			f.Code = outcome.ToolFailedTransient
		}
	}
	return answer{failure: f}
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
