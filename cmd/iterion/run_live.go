package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/report"
	"iterion/runtime/trace"
)

const (
	redraw    = 100 * time.Millisecond
	mostAlive = 10 // nodes listed at once
)

// Lines are clipped at the terminal's edge, so that one that is wider than it
// looks (or a window made narrower) does not move the list by a line.
const (
	clipLines = "\x1b[?7l"
	wrapLines = "\x1b[?7h"
)

// live prints each node as it ends and keeps the list of those at work below,
// with a line of totals. It is drawn by hand: a library for terminal programs
// wants the keyboard too, on which questions are answered, and would add a third
// to the start of every other verb.
type live struct {
	mu      sync.Mutex
	out     io.Writer
	look    look
	width   func() int
	now     func() time.Time
	program *ir.Program
	state   *runtime.State
	trace   *trace.Trace
	done    int      // visits that ended
	ended   []string // lines to print above the list
	drawn   int      // lines of the list on the screen
	held    int      // who keeps the list off the screen
	stop    chan struct{}
	ticker  sync.WaitGroup
}

func newLive(out io.Writer, dress look) *live {
	l := &live{
		out: out, look: dress, width: func() int { return widthOf(out) }, now: time.Now,
		state: runtime.NewState(), trace: trace.New(), stop: make(chan struct{}),
	}
	l.ticker.Go(func() {
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case <-l.stop:
				return
			case <-tick.C:
				l.mu.Lock()
				l.draw()
				l.mu.Unlock()
			}
		}
	})
	return l
}

func widthOf(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 20 {
			return width
		}
	}
	return 80
}

// begin takes note of the program and of what a resumed run did before.
func (l *live) begin(p *ir.Program, before []runtime.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.program = p
	for _, e := range before {
		l.apply(e)
	}
}

func (l *live) apply(e runtime.Event) {
	l.state.Apply(e)
	l.trace.Apply(e)
	if e.Type == outcome.NodeFinished {
		l.done++
	}
}

// event takes note of an event; the next tick shows it.
func (l *live) event(e runtime.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.trace.Visit(e.BranchID)
	l.apply(e)
	place := visible(placeOf(e))
	switch e.Type {
	case outcome.RunFinished:
		l.line(green, "✓", "finished", l.totals())
	case outcome.RunPaused, outcome.RunCancelled:
		l.line(yellow, "■", string(l.state.Status), l.totals())
	case outcome.NodeFinished:
		text := ""
		if output := e.Data["output"]; !empty(output) {
			text = jsonText(output)
		}
		l.end(green, "✓", place, v, text)
	case outcome.BranchFinished, outcome.RunFailed:
		if failed(e) {
			l.end(red, "✗", place, v, fmt.Sprintf("%v: %v", e.Data["failure_code"], e.Data["error"]))
		}
		if e.Type == outcome.RunFailed {
			l.line(red, "■", string(l.state.Status), l.totals())
		}
	case outcome.ToolStarted, outcome.ToolCalled, outcome.ToolError, outcome.HumanInputRequested:
		l.verdict(e, place)
	case outcome.BudgetWarning, outcome.BudgetReached, outcome.BudgetExitGrace, outcome.LLMRetry, outcome.ModelFallback:
		l.line(yellow, "!", place, string(e.Type)+" "+strings.Join(dataOf(e.Data), " "))
	}
}

// verdict says of a call what is more than that it is allowed.
func (l *live) verdict(e runtime.Event, place string) {
	verdict, _ := e.Data["verdict"].(string)
	style, mark := yellow, "?"
	switch {
	case verdict == "" || verdict == "allow":
		return
	case e.Type == outcome.ToolCalled, e.Type == outcome.ToolError:
		style, mark = red, "⊘"
	}
	text := fmt.Sprintf("%s %v %v", verdict, e.Data["tool"], e.Data["call_input"])
	if rule, _ := e.Data["rule"].(string); rule != "" {
		text = fmt.Sprintf("%s by %s: %v %v", verdict, rule, e.Data["tool"], e.Data["call_input"])
	}
	l.bright(style, mark, place, text)
}

// end says how a visit ended.
func (l *live) end(style, mark, place string, v *trace.Visit, text string) {
	if v != nil {
		text = strings.TrimSpace(seconds(v.Length(l.trace.At)) + used(v.Usage) + "  " + text)
	}
	l.line(style, mark, place, text)
}

// line prints a line above the list, its text faint.
func (l *live) line(style, mark, place, text string) {
	l.ended = append(l.ended, paint(l.look.color, style, mark)+" "+place+"  "+paint(l.look.color, faint, l.fit(place, text)))
}

// bright prints a line above the list that stands out as a whole.
func (l *live) bright(style, mark, place, text string) {
	l.ended = append(l.ended, paint(l.look.color, style, mark+" "+place+"  "+l.fit(place, text)))
}

// fit cuts a text to the room behind a place.
func (l *live) fit(place, text string) string {
	return shorten(oneLine(text), max(20, l.width()-len(place)-5))
}

// used is what a visit has consumed, "" for nothing.
func used(u trace.Usage) string {
	if u == (trace.Usage{}) {
		return ""
	}
	return "  " + report.Number(u.Tokens()) + " tokens  " + report.Money(u)
}

// totals sums up the run.
func (l *live) totals() string {
	parts := []string{seconds(l.state.Elapsed(l.now()))}
	if n := len(l.trace.Running()); n > 0 {
		parts = append(parts, fmt.Sprintf("%d at work", n))
	}
	parts = append(parts, fmt.Sprintf("%d done", l.done))
	if u := l.trace.Usage; u != (trace.Usage{}) {
		parts = append(parts, report.Number(u.Tokens())+" tokens", report.Money(u))
	}
	for _, b := range runtime.BudgetUsed(l.program, l.state, l.now(), os.LookupEnv) {
		parts = append(parts, fmt.Sprintf("%.0f %% of %s", 100*b.Used/b.Limit, strings.TrimSuffix(b.Axis, "_usd")))
	}
	return strings.Join(parts, " · ")
}

// draw replaces the list on the screen.
func (l *live) draw() {
	if l.held > 0 {
		return
	}
	l.trace.Forget()
	alive := l.trace.Running()
	if len(alive)+len(l.ended)+l.drawn == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(clipLines)
	l.erase(&b)
	for _, line := range l.ended {
		b.WriteString(line + "\n")
	}
	l.ended = nil
	for i, v := range alive {
		if i == mostAlive {
			fmt.Fprintf(&b, "  … and %d more\n", len(alive)-i)
			l.drawn++
			break
		}
		b.WriteString(l.alive(v) + "\n")
		l.drawn++
	}
	if len(alive) > 0 {
		b.WriteString("  " + paint(l.look.color, faint, l.totals()) + "\n")
		l.drawn++
	}
	io.WriteString(l.out, b.String()+wrapLines)
}

// alive is the line of a visit at work.
func (l *live) alive(v *trace.Visit) string {
	place := visible(placed(v.Node, v.Branch))
	style, mark := cyan, "•"
	var text strings.Builder
	if v.Iteration > 0 {
		fmt.Fprintf(&text, "round %d  ", v.Iteration+1)
	}
	text.WriteString(seconds(v.Length(l.now())) + used(v.Usage))
	switch call := v.Current(); {
	case v.State == trace.Waiting:
		style, mark = yellow, "?"
		text.WriteString("  waits for a person")
	case call != nil:
		text.WriteString("  " + call.Tool + " " + call.Input)
	}
	return paint(l.look.color, style, mark) + " " + place + "  " + l.fit(place, text.String())
}

func (l *live) erase(w io.Writer) {
	if l.drawn > 0 {
		fmt.Fprintf(w, "\x1b[%dA\x1b[J", l.drawn)
		l.drawn = 0
	}
}

func (l *live) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase(l.out)
	l.held++
}

func (l *live) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held--
	l.draw()
}

// close prints what is left and takes the list away.
func (l *live) close() {
	close(l.stop)
	l.ticker.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trace = trace.New()
	l.draw()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", max(0, d.Seconds())) }
