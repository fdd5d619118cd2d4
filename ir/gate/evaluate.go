package gate

import (
	"slices"
	"strings"
	"sync"

	"iterion/ir/gate/shell"
	"iterion/ir/tools"
)

// Gate is a policy that is ready to judge calls. It is safe for concurrent use.
type Gate struct {
	policy Policy
	place  *place
	grants []grant
	trees  func() []tree // made on first use
	cache  rowCache
	texts  verdictCache
}

// New makes a policy ready. files may be nil where no path is judged.
func New(p Policy, files Files) *Gate {
	g := &Gate{policy: p, place: newPlace(files, p.Cwd, p.Home)}
	g.trees = sync.OnceValue(g.newTrees)
	g.cache.rows.Store(&map[string]*cachedRows{})
	for i := range p.Grants {
		g.grants = append(g.grants, g.newGrant(&p.Grants[i]))
	}
	return g
}

// Policy returns the policy that the gate judges by.
func (g *Gate) Policy() Policy { return g.policy }

// Evaluate judges a call. It reads nothing but the call, the policy and the
// links of the file system.
func (g *Gate) Evaluate(c Call) Verdict { return g.judge(c, nil) }

// judgement is one call being judged.
type judgement struct {
	*Gate
	call Call
	rows *cachedRows
	args *arguments // read on first use
	arg  argument   // made on first use
	note *Trace     // nil unless somebody wants to know why

	held held
}

// held is what most judgements need, in one piece that is used again.
type held struct {
	args    arguments
	command commandArgument
	plain   shell.Plain
	texts   [16]string
	rows    [8]*boundRow
}

// judgements are those at rest.
var judgements = sync.Pool{New: func() any { return &judgement{} }}

func (g *Gate) judge(c Call, note *Trace) Verdict {
	if g.policy.Mode == Off {
		return Verdict{Decision: Allowed, Stage: StageOff, From: g.policy.ModeFrom, call: c, gate: g}
	}
	if v, ok := g.texts.get(c, note); ok {
		return v
	}
	rows := g.rowsOf(c.Tool)
	if rows.exempt {
		return Verdict{Decision: Allowed, Stage: StageInfrastructure, call: c, gate: g}
	}
	j := judgements.Get().(*judgement)
	j.Gate, j.call, j.rows, j.note = g, c, rows, note
	v := j.steps()
	v.call, v.gate = c, g
	g.texts.put(j, v)
	*j = judgement{} // nothing of a call stays behind
	judgements.Put(j)
	return v
}

// steps goes through the stages; the first that decides stands.
func (j *judgement) steps() Verdict {
	if j.malformed() {
		return Verdict{Decision: Denied, Stage: StageMalformed}
	}
	if dir, ok := j.secret(); ok {
		return Verdict{Decision: Denied, Stage: StageEngineDeny, Rule: dir}
	}
	if row := j.closedBy(DenyList); row != nil {
		return decided(Denied, StageDeny, row.Row)
	}
	// Both answers of a call that cannot be read: what looks does not open it,
	// and beside a rule with a pattern nothing does that does not look.
	unread := j.unread()
	if j.granted(unread) {
		return Verdict{Decision: Allowed, Stage: StageGrant}
	}
	if row := j.closedBy(AskList); row != nil {
		if exact := j.exactUnderBare(); exact != nil {
			return decided(Allowed, StageAllow, exact.Row)
		}
		return decided(Asked, StageAsk, row.Row)
	}
	if row := j.openedBy(unread); row != nil {
		return decided(Allowed, StageAllow, row.Row)
	}
	v := Verdict{Decision: Denied, Stage: StageMode, From: j.policy.ModeFrom, unread: unread}
	if j.policy.Mode == Ask {
		v.Decision = Asked
	}
	return v
}

func decided(d Decision, s Stage, r *Row) Verdict {
	return Verdict{Decision: d, Stage: s, Rule: r.Text, From: r.From}
}

func (j *judgement) input() *arguments {
	if j.args == nil {
		j.args = &j.held.args
		j.args.read(j.call.Input)
	}
	return j.args
}

func (j *judgement) argument() argument {
	if j.arg == nil {
		j.arg = j.newArgument(j.rows.id.tool, j.input(), &j.held)
	}
	return j.arg
}

// malformed tells whether a path, command, code or address holds a NUL byte.
func (j *judgement) malformed() bool {
	if subjectOf(j.rows.id.tool) == tools.Input {
		return false
	}
	if strings.IndexByte(j.call.Input, 0) < 0 && !strings.Contains(j.call.Input, `\u0000`) {
		return false
	}
	fields := j.input().fields
	return slices.ContainsFunc(fields, func(f field) bool { return strings.IndexByte(f.key, 0) >= 0 || holdsNUL(f.value()) })
}

func holdsNUL(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.IndexByte(v, 0) >= 0
	case []any:
		for _, e := range v {
			if holdsNUL(e) {
				return true
			}
		}
	case map[string]any:
		for key, e := range v {
			if strings.IndexByte(key, 0) >= 0 || holdsNUL(e) {
				return true
			}
		}
	}
	return false
}

// closedBy finds the first row of a closing list that meets the call.
func (j *judgement) closedBy(k Kind) *boundRow {
	list := &j.rows.rows.lists[k]
	var found *boundRow
	if len(list.open) > 0 {
		found = list.open[0]
		j.note.row(k, found, "every call", true)
	}
	if len(list.scoped) > 0 {
		for _, r := range j.near(list, true) {
			if found != nil && found.order < r.order {
				break
			}
			candidate, ok := j.argument().closes(r)
			j.note.row(k, r, candidate, ok)
			if ok {
				found = r
				break
			}
		}
	}
	return j.earlier(found, j.writesClosedBy(k))
}

// near are the rows of a list that may meet the call; all of them where somebody
// wants to know what was tried.
func (j *judgement) near(list *rowList, closing bool) []*boundRow {
	if list.index == nil || j.note != nil {
		return list.scoped
	}
	texts := j.held.texts[:0]
	if closing {
		texts = j.argument().closingTexts(texts)
	} else {
		texts = j.argument().openingTexts(texts)
	}
	return list.near(texts, j.held.rows[:0])
}

func (j *judgement) earlier(a, b *boundRow) *boundRow {
	if a == nil || b != nil && b.order < a.order {
		return b
	}
	return a
}

// unread says why the call cannot be read, "" when it can, or when nothing in
// the policy looks.
func (j *judgement) unread() string {
	rows := j.rows.rows
	if !rows.bounded && len(rows.lists[AllowList].scoped) == 0 && len(j.grants) == 0 && !j.boundsWrites() {
		return ""
	}
	return j.argument().unread(rows.closing)
}

// exactUnderBare finds the allow row that names this one call, when each ask
// row that meets it is the tool's name alone.
func (j *judgement) exactUnderBare() *boundRow {
	asks, allows := &j.rows.rows.lists[AskList], &j.rows.rows.lists[AllowList]
	for _, r := range asks.open {
		if !r.bare {
			return nil
		}
	}
	for _, r := range j.near(asks, true) {
		if _, ok := j.argument().closes(r); ok {
			return nil
		}
	}
	if j.writesClosedBy(AskList) != nil {
		return nil
	}
	for _, r := range j.near(allows, false) {
		if r.Kind == OneTool && j.argument().names(r) {
			return r
		}
	}
	return nil
}

// openedBy finds the allow row that opens the call, the first in order.
func (j *judgement) openedBy(unread string) *boundRow {
	list := &j.rows.rows.lists[AllowList]
	var found *boundRow
	if len(list.open) > 0 && (unread == "" || !j.bounded()) {
		found = list.open[0]
		j.note.row(AllowList, found, "every call", true)
	}
	if len(list.scoped) == 0 {
		return found
	}
	scoped := j.near(list, false)
	if found != nil {
		scoped = before(scoped, found.order)
	}
	row, candidate := j.argument().opens(scoped)
	for _, r := range scoped {
		j.note.row(AllowList, r, candidate, r == row)
	}
	if row != nil {
		return row
	}
	return found
}

// bounded tells whether a closing row with a pattern covers the tool, or what
// the tool writes.
func (j *judgement) bounded() bool { return j.rows.rows.bounded || j.boundsWrites() }

// before are the rows that stand before a place in the list.
func before(rows []*boundRow, order int) []*boundRow {
	for i, r := range rows {
		if r.order > order {
			return rows[:i]
		}
	}
	return rows
}
