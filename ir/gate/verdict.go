package gate

import (
	"bytes"
	"crypto/sha256"
)

// Decision is what happens to a call.
type Decision uint8

const (
	Denied Decision = iota
	Asked
	Allowed
)

func (d Decision) String() string { return [...]string{"deny", "ask", "allow"}[d] }

// Stage is the step that decided.
type Stage uint8

const (
	StageOff Stage = iota
	StageInfrastructure
	StageMalformed
	StageEngineDeny
	StageDeny
	StageGrant
	StageAsk
	StageAllow
	StageMode
)

func (s Stage) String() string {
	return [...]string{"off", "infrastructure", "malformed", "engine-deny", "deny", "grant", "ask", "allow", "mode"}[s]
}

// Verdict is the answer to one call. The zero value denies.
type Verdict struct {
	Decision Decision
	Stage    Stage
	Rule     string // as written; "" for a grant and a mode
	From     Origin // where the rule, or the mode, was declared

	unread string // why the call cannot be read, where that counted
	call   Call
	gate   *Gate // that judged
}

// Reason is a sentence for a person.
func (v *Verdict) Reason() string {
	switch v.Stage {
	case StageOff:
		return "the permission is off: nothing is judged"
	case StageInfrastructure:
		return "the run's own plumbing is never judged"
	case StageMalformed:
		return "the call holds a NUL byte"
	case StageEngineDeny:
		return "the path lies in a folder that holds secrets of the run: " + v.Rule
	case StageDeny:
		return "the deny rule `" + v.Rule + "` of the " + v.From.String() + " matches"
	case StageGrant:
		return "an operator granted it"
	case StageAsk:
		return "the ask rule `" + v.Rule + "` of the " + v.From.String() + " matches"
	case StageAllow:
		return "the allow rule `" + v.Rule + "` of the " + v.From.String() + " opens it"
	}
	reason := "no rule decides it, and the permission is " + v.modeWord()
	if v.unread != "" {
		reason += "; the call cannot be read: " + v.unread
	}
	return reason
}

func (v *Verdict) modeWord() string {
	if v.Decision == Asked {
		return Ask.String()
	}
	return Deny.String()
}

// Permit is the proof that the gate allowed one call. Only an allowing verdict
// makes one; the zero value permits nothing.
type Permit struct {
	valid bool
	tool  string
	input [sha256.Size]byte
	opens []string
}

// Permit returns the proof, and whether the verdict allows the call.
func (v *Verdict) Permit() (Permit, bool) {
	if v.Decision != Allowed {
		return Permit{}, false
	}
	return Permit{valid: true, tool: v.call.Tool, input: sha256.Sum256([]byte(v.call.Input)), opens: v.gate.opens(v.call)}, true
}

// Covers tells whether the permit is for this very call.
func (p *Permit) Covers(c Call) bool {
	sum := sha256.Sum256([]byte(c.Input))
	return p.valid && p.tool == c.Tool && bytes.Equal(sum[:], p.input[:])
}
