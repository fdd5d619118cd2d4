package directive

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"sync"

	"iterion/diagnostics"
)

// The findings about directives themselves.
const (
	unused  diagnostics.Code = "L001"
	unknown diagnostics.Code = "L002"
	refused diagnostics.Code = "L003"
)

// Own tells whether a code is about directives themselves.
func Own(code diagnostics.Code) bool { return code == unused || code == unknown || code == refused }

// Apply parts findings into those that stay and those that directives allow,
// and adds what is wrong with the directives to the first. Only warnings and
// infos can be allowed. bundle tells whether the checks of the bundle ran:
// without them nobody knows whether a directive about one is of use. Both
// lists are sorted.
func Apply(list []diagnostics.Diagnostic, directives []Directive, bundle bool) (kept, allowed []diagnostics.Diagnostic) {
	if len(directives) == 0 {
		return list, nil
	}
	about, own, complaints := claimsOf(directives)
	kept, allowed = about.part(list)
	if judged(list) {
		complaints = append(complaints, about.unused(bundle)...)
	}
	complaints = append(complaints, about.refused()...)

	// Directives may allow complaints about others; nothing allows those
	// about such a directive.
	slices.SortFunc(complaints, diagnostics.Compare)
	complaints, more := own.part(complaints)
	if judged(list) {
		complaints = append(complaints, own.unused(bundle)...)
	}
	kept, allowed = append(kept, complaints...), append(allowed, more...)
	slices.SortFunc(kept, diagnostics.Compare)
	slices.SortFunc(allowed, diagnostics.Compare)
	return kept, allowed
}

// judged tells whether every check had its say. A fault of the text, and a
// program without a workflow or an entry, keep some from looking.
func judged(list []diagnostics.Diagnostic) bool {
	return !slices.ContainsFunc(list, func(d diagnostics.Diagnostic) bool {
		return d.Severity == diagnostics.Error && d.Stage == diagnostics.Parse ||
			d.Code == "C006" || d.Code == "C008" || d.Code == "C030"
	})
}

// key is what claims and findings must have in common.
type key struct {
	file string
	code diagnostics.Code
}

// claim is one code that a directive names.
type claim struct {
	*Directive
	name Name
	row  diagnostics.Row
}

// group is the claims of one key by their first line, and the findings of that
// key by theirs.
type group struct {
	claims     []claim
	next       int     // of the claims, the first below the line looked at
	open       []claim // those that cover it, the innermost last, and some that ended
	soft, hard []diagnostics.Diagnostic
}

type claims map[key]*group

// claimsOf sorts the claims of directives into those about other findings and
// those about directives, and says what is wrong with their form.
func claimsOf(directives []Directive) (about, own claims, complaints []diagnostics.Diagnostic) {
	about, own = claims{}, claims{}
	for i := range directives {
		d := &directives[i]
		switch {
		case d.Fault != "":
			complaints = append(complaints, complaint(unused, d.Range, d.Remedy, "%s, so it suppresses nothing", d.Fault))
		case len(d.Names) == 0:
			complaints = append(complaints, complaint(unknown, d.Range, "Write `# lint: allow CODE -- reason`.", "the directive names no code"))
		}
		for _, n := range d.Names {
			row, ok := diagnostics.ByName(n.Text)
			switch {
			case !ok:
				complaints = append(complaints, complaint(unknown, n.Range, hint(n.Text), "`%s` is no code", n.Text))
			case Own(row.Code):
				own.add(claim{d, n, row})
			default:
				about.add(claim{d, n, row})
			}
		}
	}
	about.sort()
	own.sort()
	return about, own, complaints
}

func complaint(code diagnostics.Code, at diagnostics.Range, hint, format string, args ...any) diagnostics.Diagnostic {
	return diagnostics.Diagnostic{Code: code, Severity: diagnostics.Warning, Stage: diagnostics.Compile,
		Message: fmt.Sprintf(format, args...), Hint: hint, Range: at}
}

// hint suggests what an unknown code may stand for, "" when nothing is near.
func hint(text string) string {
	if _, ok := diagnostics.ByName(word(text)); ok {
		return "Part codes by commas, and write a reason behind ` -- `."
	}
	if near, ok := diagnostics.Nearest(text, names()); ok {
		return "Write `" + near + "`."
	}
	return ""
}

var names = sync.OnceValue(func() (list []string) {
	for _, row := range diagnostics.All() {
		list = append(list, row.Name)
	}
	return list
})

func (all claims) add(c claim) {
	k := key{c.Range.File, c.row.Code}
	if all[k] == nil {
		all[k] = &group{}
	}
	all[k].claims = append(all[k].claims, c)
}

func (all claims) sort() {
	for _, g := range all {
		slices.SortStableFunc(g.claims, func(a, b claim) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last)) })
	}
}

// covering returns the innermost claim that covers a line. Lines are asked for
// in their order.
func (g *group) covering(line int) (claim, bool) {
	for ; g.next < len(g.claims) && g.claims[g.next].First <= line; g.next++ {
		g.open = append(g.open, g.claims[g.next])
	}
	for n := len(g.open) - 1; n >= 0; n-- {
		if g.open[n].Last >= line {
			return g.open[n], true
		}
		g.open = g.open[:n]
	}
	return claim{}, false
}

// part takes the allowed findings out of a sorted list. What has no place is
// governed by nothing.
func (all claims) part(list []diagnostics.Diagnostic) (kept, allowed []diagnostics.Diagnostic) {
	kept = make([]diagnostics.Diagnostic, 0, len(list))
	for _, d := range list {
		g := all[key{d.Range.File, d.Code}]
		switch line := d.Range.Start.Line; {
		case g == nil || line == 0:
			kept = append(kept, d)
		case d.Severity == diagnostics.Error:
			g.hard = append(g.hard, d)
			kept = append(kept, d)
		default:
			g.soft = append(g.soft, d)
			if c, ok := g.covering(line); ok {
				allowed = append(allowed, c.allow(d))
			} else {
				kept = append(kept, d)
			}
		}
	}
	return kept, allowed
}

func (c claim) allow(d diagnostics.Diagnostic) diagnostics.Diagnostic {
	d.Reason = c.Reason
	d.Related = append(slices.Clip(d.Related), diagnostics.Related{Range: c.Range, Label: "allowed here"})
	return d
}

// within returns the first of sorted findings that a claim covers, or nil.
func (c claim) within(list []diagnostics.Diagnostic) *diagnostics.Diagnostic {
	i := sort.Search(len(list), func(i int) bool { return list[i].Range.Start.Line >= c.First })
	if i == len(list) || list[i].Range.Start.Line > c.Last {
		return nil
	}
	return &list[i]
}

// refused says which claims name an error.
func (all claims) refused() (list []diagnostics.Diagnostic) {
	for _, g := range all {
		for _, c := range g.claims {
			if e := c.within(g.hard); e != nil {
				d := complaint(refused, c.name.Range, "", "`%s` is an error here: it cannot be allowed", c.name.Text)
				d.Related = []diagnostics.Related{{Range: e.Range, Label: "this error stays"}}
				list = append(list, d)
			}
		}
	}
	return list
}

// unused says which claims nothing was found for.
func (all claims) unused(bundle bool) (list []diagnostics.Diagnostic) {
	for _, g := range all {
		for _, c := range g.claims {
			unknowable := c.row.Stage == diagnostics.Bundle && !bundle
			if !unknowable && c.within(g.hard) == nil && c.within(g.soft) == nil {
				list = append(list, complaint(unused, c.name.Range, "", "`%s` suppresses nothing here", c.name.Text))
			}
		}
	}
	return list
}
