package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"iterion/diagnostics/shown"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/trace"
)

// mostText is how many code points of a text are shown.
const mostText = 20_000

// Money is a cost for people. What is not known is never shown as nothing.
func Money(u trace.Usage) string {
	switch {
	case u.Priced == 0 && u.Unpriced == 0:
		return "–"
	case u.Priced == 0:
		return "unknown"
	case u.Unpriced == 0:
		return dollars(u.CostUSD)
	}
	return dollars(u.CostUSD) + " + unknown"
}

func dollars(cost float64) string {
	if cost != 0 && cost < 0.1 {
		return fmt.Sprintf("$%.4f", cost)
	}
	return fmt.Sprintf("$%.2f", cost)
}

// Took is a duration for people.
func Took(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%d days %d h", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Number groups the digits of a number.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is a number with what it counts.
func Count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return Number(n) + " " + what
}

// Status is a run's status in words.
func Status(s outcome.Status) string {
	switch s {
	case outcome.PausedHuman:
		return "waits for a person"
	case outcome.PausedOperator:
		return "paused by its budget"
	case outcome.FailedResumable:
		return "failed, can go on"
	}
	return string(s)
}

// Axis is one cap with what is used of it, in words.
func Axis(b runtime.BudgetUse) string {
	show := func(n float64) string { return Number(int64(n)) }
	switch b.Axis {
	case "cost_usd":
		show = dollars
	case "duration":
		show = func(n float64) string { return Took(time.Duration(n * float64(time.Second))) }
	}
	return show(b.Used) + " of " + show(b.Limit)
}

// Text is a value as a text of several lines: a text as it is, else JSON.
func Text(value any) string {
	if s, ok := value.(string); ok {
		return cut(shown.Block(s))
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return shown.Block(fmt.Sprint(value))
	}
	return cut(shown.Block(strings.TrimSuffix(b.String(), "\n")))
}

// input is a call's input, laid out when it is JSON.
func input(raw string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(raw), "", "  ") != nil {
		return Text(raw)
	}
	return Text(b.String())
}

func cut(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= mostText {
		return s
	}
	return string([]rune(s)[:mostText]) + fmt.Sprintf("\n… and %s more", Count(int64(n-mostText), "character"))
}

// pairs sorts a mapping by its names. What is no mapping has no name.
func pairs(value any) []Pair {
	m, ok := value.(map[string]any)
	if !ok {
		if value == nil {
			return nil
		}
		return []Pair{{"", value}}
	}
	var out []Pair
	for name, v := range m {
		out = append(out, Pair{name, v})
	}
	slices.SortFunc(out, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// compact is a value as JSON on one line.
func compact(value any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
