package claw

import (
	"context"

	"iterion/ir/gate"
	"iterion/runtime/backend"
)

// judge asks the gate about a call, and where the gate wants it a person. A
// refusal says why the call must not run.
func (r *round) judge(ctx context.Context, c backend.Call) (v gate.Verdict, refusal string, err error) {
	answer, answered := r.answer(c)
	v = r.gate.Evaluate(c.Gate())
	if !answered {
		if v.Decision != gate.Asked {
			return v, denial(v), nil
		}
		if r.agent != "" {
			return v, "refused: " + v.Reason() + ", which needs an approval, and a subagent cannot ask for one", nil
		}
		answer, err = r.sink.Ask(ctx, backend.Question{Call: c, Verdict: &v, Resumes: true})
		if err != nil {
			return v, "", err
		}
	}
	if !answer.Allowed {
		return v, operatorRefusal(answer), nil
	}
	// What was approved is what the grant covers: the call is judged once more,
	// and nothing short of an allowing verdict opens it.
	r.regate(answer.Policy)
	v = r.gate.Evaluate(c.Gate())
	if v.Decision == gate.Asked {
		return v, "refused: the approval does not cover this call: " + v.Reason(), nil
	}
	return v, denial(v), nil
}

func denial(v gate.Verdict) string {
	if v.Decision == gate.Allowed {
		return ""
	}
	return "refused: " + v.Reason()
}

func operatorRefusal(a backend.Answer) string {
	if a.Text == "" {
		return "refused by the operator"
	}
	return "refused by the operator: " + a.Text
}

// readOnly is the decision about a call that would write for a read-only node,
// whatever its rules say.
func readOnly(why string) backend.Decision {
	return backend.Decision{Verdict: gate.Denied.String(), Stage: gate.StageEngineDeny.String(), Rule: "readonly: true", Reason: why}
}

// refused is the decision about a call that does not run, whatever the gate said
// of it.
func refused(v gate.Verdict, why string) backend.Decision {
	d := backend.Decide(v)
	if v.Decision != gate.Denied {
		d.Verdict, d.Reason = gate.Denied.String(), why
	}
	return d
}
