package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/diagnostics/render"
	"iterion/diagnostics/shown"
	"iterion/ir/outcome"
	"iterion/runtime"
)

// show prints the events of a run in one of three forms: JSON lines, a line an
// event, or what is at work now.
type show struct {
	out  io.Writer // of events
	err  io.Writer // of warnings
	look look
	json bool  // JSON lines, else text
	live *live // nil without a terminal
	fail error // the first failed write
}

func newShow(std streams, asJSON bool, dress look) *show {
	s := &show{out: std.out, err: std.err, look: dress}
	switch {
	case asJSON:
		s.json = true
	case isTerminal(std.out):
		s.live = newLive(std.out, dress)
	}
	return s
}

func (s *show) event(e runtime.Event) {
	var err error
	switch {
	case s.json:
		err = render.EncodeLine(s.out, e)
	case s.live != nil:
		s.live.event(e)
	default:
		_, err = fmt.Fprintln(s.out, eventLine(e))
	}
	if s.fail == nil {
		s.fail = err
	}
}

func (s *show) warning(message string) { s.note("warning: " + message) }

// note says something beside the events.
func (s *show) note(message string) {
	s.hold()
	defer s.release()
	fmt.Fprintf(s.err, "iterion: run: %s\n", visible(message))
}

// begin tells the live view what is run, and what it did before it stopped.
func (s *show) begin(o runtime.Options) error {
	if s.live == nil {
		return nil
	}
	var before []runtime.Event
	if o.RunID != "" {
		var err error
		if before, err = o.Store.Events(o.RunID, 0); err != nil {
			return err
		}
	}
	s.live.begin(o.Program, before)
	return nil
}

// hold keeps the live view off the terminal until release.
func (s *show) hold() {
	if s.live != nil {
		s.live.hold()
	}
}

func (s *show) release() {
	if s.live != nil {
		s.live.release()
	}
}

// close ends the output and returns the first failed write.
func (s *show) close() error {
	if s.live != nil {
		s.live.close()
	}
	return s.fail
}

// eventLine is an event as a line of text: time, type, place, data.
func eventLine(e runtime.Event) string {
	parts := []string{e.Time.Format("15:04:05.000"), string(e.Type)}
	if place := placeOf(e); place != "" {
		parts = append(parts, place)
	}
	return strings.Join(append(parts, dataOf(e.Data)...), " ")
}

func placeOf(e runtime.Event) string {
	if e.BranchID == "" {
		return e.NodeID
	}
	return e.NodeID + "@" + e.BranchID
}

// dataOf spells an event's data as key=value, sorted, each shortened.
func dataOf(data map[string]any) []string {
	var out []string
	for key, value := range data {
		if empty(value) {
			continue
		}
		out = append(out, key+"="+shorten(jsonText(value), 160))
	}
	slices.Sort(out)
	return out
}

func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func jsonText(value any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return visible(strings.TrimSuffix(b.String(), "\n"))
}

// shorten cuts a text to a number of code points.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// visible spells out what would not show or would change the terminal.
func visible(text string) string { return shown.Block(text) }

// failed tells whether an event ends a node or branch badly.
func failed(e runtime.Event) bool {
	_, code := e.Data["failure_code"]
	return code && (e.Type == outcome.BranchFinished || e.Type == outcome.RunFailed)
}
