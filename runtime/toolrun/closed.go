package toolrun

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ir/gate"
)

// omissions count what a search leaves out, by the reason, in the order in which
// the reasons came up.
type omissions struct {
	reasons []string
	things  map[string]map[string]int // by reason, by what was left out
}

func (o *omissions) add(reason, thing string) {
	if o.things == nil {
		o.things = map[string]map[string]int{}
	}
	if o.things[reason] == nil {
		o.reasons = append(o.reasons, reason)
		o.things[reason] = map[string]int{}
	}
	o.things[reason][thing]++
}

// notes says what was left out, a line each.
func (o *omissions) notes() string {
	var b strings.Builder
	for _, reason := range o.reasons {
		var parts []string
		for _, thing := range []string{"file", "folder", "place"} {
			if n := o.things[reason][thing]; n > 0 {
				parts = append(parts, count(n, thing))
			}
		}
		fmt.Fprintf(&b, "(left out: %s; %s)\n", strings.Join(parts, " and "), reason)
	}
	return b.String()
}

// closed tells whether a search leaves a file or folder out, and why. A rule that
// denies to read it does, or one that asks: nobody is asked about each file of a
// search. That no rule speaks of it does not, since the search was allowed.
func closed(g *gate.Gate, real string) (reason string, denied, asked bool) {
	v := g.Evaluate(gate.Call{Tool: "read_file", Input: `{"file_path":` + string(quoted(real)) + `}`})
	denied = v.Decision == gate.Denied && slices.Contains(closing, v.Stage)
	asked = v.Decision == gate.Asked && v.Stage == gate.StageAsk
	if denied || asked {
		reason = v.Reason()
	}
	return reason, denied, asked
}

var closing = []gate.Stage{gate.StageMalformed, gate.StageEngineDeny, gate.StageDeny}
