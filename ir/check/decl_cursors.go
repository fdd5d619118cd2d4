package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/scope"
)

// checkCursors judges the declared cursors: C085.
func checkCursors(c *Context) {
	for _, cursor := range c.Program.Cursors {
		if !cursor.Tainted {
			checkCursor(c.aboutDecl(cursor.Tree), cursor)
		}
	}
}

func checkCursor(r report, cursor *ir.Cursor) {
	switch values, bands := len(cursor.Values.V) > 0, len(cursor.Bands.V) > 0; {
	case values && bands:
		r("C085", cursor.Bands.Span, "the cursor `%s` has both `values:` and `bands:`", cursor.Name).
			See(cursor.Tree, cursor.Values.Span, "its values")
	case values:
		checkValues(r, cursor)
	case bands:
		checkBands(r, cursor)
	default:
		r("C085", cursor.NameSpan, "the cursor `%s` has neither `values:` nor `bands:`", cursor.Name).
			Hintf("Add one of the two.")
	}
}

// checkValues wants distinct names, each with a text.
func checkValues(r report, cursor *ir.Cursor) {
	seen := map[string]ir.Binding{}
	for _, v := range cursor.Values.V {
		if first, twice := seen[v.Key]; twice {
			r("C085", v.KeySpan, "the cursor `%s` has the value `%s` twice", cursor.Name, v.Key).
				See(cursor.Tree, first.KeySpan, "first value here")
			continue
		}
		seen[v.Key] = v
		if strings.TrimSpace(v.Value.Value()) == "" {
			r("C085", v.Span, "the value `%s` of the cursor `%s` has no text", v.Key, cursor.Name).
				Hintf("Write the text that joins the prompt, or delete the value.")
		}
	}
}

// band is a closed range of numbers.
type band struct {
	low, high float64
	at        ir.Binding
}

// checkBands wants ranges inside 0 to 1 that share no point.
func checkBands(r report, cursor *ir.Cursor) {
	var list []band
	for _, b := range cursor.Bands.V {
		low, high, ok := bandRange(b.Key)
		switch {
		case !ok:
			r("C085", b.KeySpan, "%q is no range; the cursor `%s` takes two numbers joined by two dots", b.Key, cursor.Name).
				Hintf("Write a range such as `\"0..0.4\"`.")
		case low < 0 || high > 1 || low > 1 || high < 0:
			r("C085", b.KeySpan, "the band %q of the cursor `%s` leaves 0 to 1", b.Key, cursor.Name)
		case low > high:
			r("C085", b.KeySpan, "the band %q of the cursor `%s` runs backwards", b.Key, cursor.Name)
		default:
			list = append(list, band{low, high, b})
		}
	}
	slices.SortStableFunc(list, func(a, b band) int { return cmp.Compare(a.low, b.low) })
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if b.low > a.high {
			continue
		}
		if a.at.KeySpan.Start > b.at.KeySpan.Start {
			a, b = b, a
		}
		r("C085", b.at.KeySpan, "the bands %q and %q of the cursor `%s` overlap; both ends of a band belong to it", a.at.Key, b.at.Key, cursor.Name).
			See(cursor.Tree, a.at.KeySpan, "the other band")
		if list[i-1].high > list[i].high { // the wider one may meet the next band, too
			list[i] = list[i-1]
		}
	}
}

// bandRange reads the key of a band.
func bandRange(key string) (low, high float64, ok bool) {
	left, right, _ := strings.Cut(key, "..")
	low, okLow := number(left)
	high, okHigh := number(right)
	return low, high, okLow && okHigh
}

// number reads a decimal number with an optional sign.
func number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Trim(text, "+-.0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// checkCursorUse holds a node's settings against the cursors: C083, C084.
func checkCursorUse(c *Context, n *scope.Node) {
	if n.LLM == nil || n.LLM.Cursors == nil {
		return
	}
	for _, s := range n.LLM.Cursors.Settings {
		cursor := c.Cursors[s.Key]
		switch {
		case cursor != nil && !cursor.Tainted:
			checkSetting(c, n, s, cursor)
		case cursor == nil && !c.Incomplete:
			c.node("C083", n, s.KeySpan, "`%s` sets the cursor `%s`, which nobody declares", n.Name, s.Key).
				Near(s.Key, names(c.Cursors))
		}
	}
}

// checkSetting judges one setting. One from the environment is left to the
// run, and a cursor with both forms or neither is a fault of its own.
func checkSetting(c *Context, n *scope.Node, s ir.Binding, cursor *ir.Cursor) {
	text := s.Value.Value()
	values, bands := cursor.Values.V, cursor.Bands.V
	if len(expr.EnvRefs(text)) > 0 || (len(values) > 0) == (len(bands) > 0) {
		return
	}
	n01, isNumber := number(text)
	switch {
	case isNumber && (n01 < 0 || n01 > 1):
		c.node("C084", n, s.Span, "`%s` lies outside 0 to 1", text).See(cursor.Tree, cursor.NameSpan, "the cursor")
	case isNumber && len(bands) > 0 && !inBand(bands, n01):
		c.node("C084", n, s.Span, "`%s` lies in no band of the cursor `%s`", text, s.Key).See(cursor.Tree, cursor.NameSpan, "the cursor")
	case !isNumber && len(bands) > 0:
		c.node("C084", n, s.Span, "the cursor `%s` has bands and takes a number, not %q", s.Key, text).
			See(cursor.Tree, cursor.NameSpan, "the cursor")
	case !isNumber && !slices.ContainsFunc(values, func(v ir.Binding) bool { return v.Key == text }):
		keys := make([]string, len(values))
		for i, v := range values {
			keys[i] = v.Key
		}
		c.node("C084", n, s.Span, "the cursor `%s` has no value %q; it has %s", s.Key, text, joined(keys, "and")).
			Near(text, keys).See(cursor.Tree, cursor.NameSpan, "the cursor")
	}
}

// inBand tells whether a number lies in one of the bands. One that cannot be
// read might hold it.
func inBand(bands []ir.Binding, n float64) bool {
	return slices.ContainsFunc(bands, func(b ir.Binding) bool {
		low, high, ok := bandRange(b.Key)
		return !ok || low <= n && n <= high
	})
}
