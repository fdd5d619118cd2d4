package gate

// Trace is how a verdict came about: each row that was tried, in order.
type Trace struct {
	Unread string // why the call cannot be read, "" when it can
	Steps  []Step
}

// Step is one row that was tried.
type Step struct {
	List      Kind
	Rule      string
	From      Origin
	Candidate string // what of the call its pattern met; "" for none
	Matched   bool
}

// Explain judges a call and tells how.
func (g *Gate) Explain(c Call) (Verdict, Trace) {
	note := &Trace{}
	v := g.judge(c, note)
	note.Unread = v.unread
	return v, *note
}

// row notes a row that was tried. Nobody listens to a nil trace.
func (t *Trace) row(k Kind, r *boundRow, candidate string, matched bool) {
	if t == nil {
		return
	}
	if !matched {
		candidate = ""
	}
	t.Steps = append(t.Steps, Step{List: k, Rule: r.Text, From: r.From, Candidate: candidate, Matched: matched})
}
