package runtime

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
)

// dials renders a node's cursors as a part of the system prompt: the chosen
// fragments, sorted by cursor.
func (e *engine) dials(use *ir.CursorUse) string {
	if use == nil || !use.Enabled.Or(true) {
		return ""
	}
	settings := slices.Clone(use.Settings)
	slices.SortFunc(settings, func(a, b ir.Binding) int { return strings.Compare(a.Key, b.Key) })
	var out strings.Builder
	for _, s := range settings {
		i := slices.IndexFunc(e.p.Cursors, func(c *ir.Cursor) bool { return c.Name == s.Key })
		if i < 0 {
			continue
		}
		setting := expr.ExpandEnv(s.Value.Value(), e.lookup)
		if fragment, ok := dial(e.p.Cursors[i], setting); ok {
			out.WriteString("\n- " + fragment)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n\n## How to work\n" + out.String()
}

// dial is the fragment of one setting: a value's name, or a number that lies
// in a band or picks a value by its share.
func dial(c *ir.Cursor, setting string) (string, bool) {
	for _, v := range c.Values.V {
		if v.Key == setting {
			return v.Value.Value(), true
		}
	}
	at, err := strconv.ParseFloat(setting, 64)
	if err != nil || !(at >= 0 && at <= 1) {
		return "", false
	}
	if n := len(c.Values.V); n > 0 {
		return c.Values.V[min(int(math.Floor(at*float64(n))), n-1)].Value.Value(), true
	}
	for _, band := range c.Bands.V {
		low, high, _ := strings.Cut(band.Key, "..")
		lo, errLow := strconv.ParseFloat(low, 64)
		hi, errHigh := strconv.ParseFloat(high, 64)
		if errLow == nil && errHigh == nil && lo <= at && at <= hi {
			return band.Value.Value(), true
		}
	}
	return "", false
}
