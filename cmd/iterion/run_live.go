package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"iterion/ir/outcome"
	"iterion/runtime"
)

const (
	redraw    = 100 * time.Millisecond
	mostAlive = 10 // nodes listed at once
)

// live prints each node as it ends and keeps the list of those at work below.
type live struct {
	mu     sync.Mutex
	out    io.Writer
	look   look
	width  int
	now    func() time.Time
	began  time.Time
	alive  []atWork
	ended  []string // lines to print above the list
	drawn  int      // lines of the list on the screen
	held   int      // who keeps the list off the screen
	stop   chan struct{}
	ticker sync.WaitGroup
}

// atWork is a node that runs.
type atWork struct {
	place string
	since time.Time
}

func newLive(out io.Writer, dress look) *live {
	l := &live{out: out, look: dress, width: widthOf(out), now: time.Now, stop: make(chan struct{})}
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

// event takes note of an event; the next tick shows it.
func (l *live) event(e runtime.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	place := visible(placeOf(e))
	switch e.Type {
	case outcome.RunStarted:
		l.began = e.Time
	case outcome.RunFinished:
		l.line(green, "✓", "finished", seconds(e.Time.Sub(l.began)))
	case outcome.NodeStarted:
		l.alive = append(l.alive, atWork{place, e.Time})
	case outcome.NodeFinished:
		text := ""
		if output := e.Data["output"]; !empty(output) {
			text = jsonText(output)
		}
		l.end(green, "✓", place, e.Time, text)
	case outcome.BranchFinished, outcome.RunFailed:
		if failed(e) {
			l.end(red, "✗", place, e.Time, fmt.Sprintf("%v: %v", e.Data["failure_code"], e.Data["error"]))
		}
	case outcome.BudgetWarning, outcome.BudgetReached, outcome.BudgetExitGrace, outcome.LLMRetry, outcome.ModelFallback:
		l.line(yellow, "!", place, string(e.Type)+" "+strings.Join(dataOf(e.Data), " "))
	}
}

// end takes a node off the list and says how it ended.
func (l *live) end(style, mark, place string, at time.Time, text string) {
	took := text
	if i := slices.IndexFunc(l.alive, func(a atWork) bool { return a.place == place }); i >= 0 {
		took = strings.TrimSpace(seconds(at.Sub(l.alive[i].since)) + "  " + text)
		l.alive = slices.Delete(l.alive, i, i+1)
	}
	l.line(style, mark, place, took)
}

func (l *live) line(style, mark, place, text string) {
	plain := shorten(strings.ReplaceAll(visible(text), "\n", " "), max(20, l.width-len(place)-5))
	l.ended = append(l.ended, paint(l.look.color, style, mark)+" "+place+"  "+paint(l.look.color, faint, plain))
}

// draw replaces the list on the screen.
func (l *live) draw() {
	if l.held > 0 {
		return
	}
	var b strings.Builder
	l.erase(&b)
	for _, line := range l.ended {
		b.WriteString(line + "\n")
	}
	l.ended = nil
	for i, a := range l.alive {
		if i == mostAlive {
			fmt.Fprintf(&b, "  … and %d more\n", len(l.alive)-i)
			l.drawn++
			break
		}
		fmt.Fprintf(&b, "%s %s  %s\n", paint(l.look.color, cyan, "•"), shorten(a.place, l.width-12), seconds(l.now().Sub(a.since)))
		l.drawn++
	}
	io.WriteString(l.out, b.String())
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
	l.alive = nil
	l.draw()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", max(0, d.Seconds())) }
