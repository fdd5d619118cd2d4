package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"iterion/runtime/trace"
)

// Measures of the time line in pixels, and what it shows at most.
const (
	labelWide = 150.0 // names of the lanes
	plotWide  = 830.0
	gapWide   = 40.0 // a time in which nothing was at work
	laneHigh  = 30.0
	barHigh   = 20.0
	axisHigh  = 26.0
	leastBar  = 3.0
	mostLanes = 60
	mostBars  = 3000
)

// Timeline is the picture of a run: a lane for the main path and one for each
// branch. Times in which nothing was at work, a person's mostly, are cut short.
type Timeline struct {
	Width, Height float64
	Lanes         []Lane
	Bars          []Bar
	Gaps          []Gap
	Ticks         []Tick
	Hidden        int // lanes that are not shown
	Dropped       int // visits in shown lanes that are not
}

// Lane is one row.
type Lane struct {
	Y     float64
	Label string
}

// Bar is one visit.
type Bar struct {
	X, Y, W float64
	State   trace.State
	Label   string // "" when it has no room
	Title   string
	Waits   []Gap // for a person
}

// Gap is a stretch of the axis.
type Gap struct {
	X, W float64
	Took time.Duration
}

// Tick is a mark on the axis: the time at work until then.
type Tick struct {
	X  float64
	At time.Duration
}

// scale maps times to the axis. Between its pieces lie the gaps.
type scale struct {
	pieces []trace.Span
	starts []float64
	rate   float64 // pixels in a nanosecond
	gap    float64
	end    time.Time
}

func timelineOf(t *trace.Trace) Timeline {
	var line Timeline
	if len(t.Visits) == 0 {
		return line
	}
	s := scaleOf(t)
	lanes := map[string]int{}
	for _, v := range t.Visits {
		lane, known := lanes[v.Branch]
		if !known && len(lanes) < mostLanes {
			lane, known = len(lanes), true
			lanes[v.Branch] = lane
			line.Lanes = append(line.Lanes, Lane{laneY(lane), v.Branch})
		}
		if !known {
			lanes[v.Branch] = -1
		}
		switch {
		case lane < 0 || !known:
		case len(line.Bars) >= mostBars:
			line.Dropped++
		default:
			line.Bars = append(line.Bars, s.bar(v, lane))
		}
	}
	line.Hidden = len(lanes) - len(line.Lanes)
	line.Width, line.Height = labelWide+plotWide+10, laneY(len(line.Lanes))+4
	line.Gaps, line.Ticks = s.gaps(), s.ticks()
	return line
}

func laneY(lane int) float64 { return axisHigh + laneHigh*float64(lane) }

// scaleOf makes the axis from the times in which a visit was at work.
func scaleOf(t *trace.Trace) *scale {
	var busy []trace.Span
	for _, v := range t.Visits {
		at := v.Start
		for _, w := range v.Waits {
			busy = append(busy, trace.Span{Start: at, End: w.Start})
			at = ending(w, t.At)
		}
		busy = append(busy, trace.Span{Start: at, End: ending(v.Span, t.At)})
	}
	s := &scale{pieces: union(busy), end: t.At}
	var all time.Duration
	for _, p := range s.pieces {
		all += p.Length(t.At)
	}
	s.gap = min(gapWide, plotWide*0.4/float64(len(s.pieces)))
	s.rate = (plotWide - s.gap*float64(len(s.pieces)-1)) / float64(max(1, all))
	x := labelWide
	for _, p := range s.pieces {
		s.starts = append(s.starts, x)
		x += float64(p.Length(t.At))*s.rate + s.gap
	}
	return s
}

func ending(s trace.Span, now time.Time) time.Time {
	if s.End.IsZero() {
		return now
	}
	return s.End
}

// union joins spans that touch or nearly do.
func union(spans []trace.Span) []trace.Span {
	slices.SortStableFunc(spans, func(a, b trace.Span) int { return a.Start.Compare(b.Start) })
	var all time.Duration
	var out []trace.Span
	for _, s := range spans {
		all += max(0, s.End.Sub(s.Start))
	}
	near := max(2*time.Second, all/8)
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && s.Start.Sub(out[n].End) <= near {
			if s.End.After(out[n].End) {
				out[n].End = s.End
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// x is the place of a time on the axis.
func (s *scale) x(at time.Time) float64 {
	i, found := slices.BinarySearchFunc(s.pieces, at, func(p trace.Span, at time.Time) int { return p.Start.Compare(at) })
	if !found {
		i--
	}
	if i < 0 {
		return labelWide
	}
	p := s.pieces[i]
	if at.After(p.End) { // in the gap behind it
		x := s.starts[i] + float64(p.End.Sub(p.Start))*s.rate
		if i+1 < len(s.pieces) {
			share := float64(at.Sub(p.End)) / float64(s.pieces[i+1].Start.Sub(p.End))
			x += share * s.gap
		}
		return x
	}
	return s.starts[i] + float64(at.Sub(p.Start))*s.rate
}

func (s *scale) bar(v *trace.Visit, lane int) Bar {
	from, to := s.x(v.Start), s.x(ending(v.Span, s.end))
	b := Bar{X: from, Y: laneY(lane) + (laneHigh-barHigh)/2, W: max(leastBar, to-from), State: v.State}
	b.Title = fmt.Sprintf("%s, %s, %s", place(v.Node, v.Branch), v.State, Took(v.Length(s.end)))
	if v.Number > 1 {
		b.Title += fmt.Sprintf(", visit %d", v.Number)
	}
	if v.Attempt > 1 {
		b.Title += fmt.Sprintf(", attempt %d", v.Attempt)
	}
	if float64(len(v.Node))*6.6+8 < b.W {
		b.Label = v.Node
	}
	for _, w := range v.Waits {
		x := s.x(w.Start)
		b.Waits = append(b.Waits, Gap{x, max(1, s.x(ending(w, s.end))-x), w.Length(s.end)})
		b.Title += ", waited " + Took(w.Length(s.end)) + " for a person"
	}
	return b
}

func (s *scale) gaps() []Gap {
	var out []Gap
	for i := 1; i < len(s.pieces); i++ {
		out = append(out, Gap{s.starts[i] - s.gap, s.gap, s.pieces[i].Start.Sub(s.pieces[i-1].End)})
	}
	return out
}

// ticks marks round times at work, four to nine of them.
func (s *scale) ticks() []Tick {
	var all time.Duration
	for _, p := range s.pieces {
		all += p.Length(s.end)
	}
	step := stepOf(all)
	ticks := []Tick{{labelWide, 0}}
	var before time.Duration
	for i, p := range s.pieces {
		took := p.Length(s.end)
		for at := ticks[len(ticks)-1].At + step; at <= before+took; at += step {
			ticks = append(ticks, Tick{s.starts[i] + float64(at-before)*s.rate, at})
		}
		before += took
	}
	return ticks
}

// stepOf is the least round step that cuts a time into eight parts at most.
func stepOf(all time.Duration) time.Duration {
	rounds := []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400}
	for unit := time.Millisecond; unit <= 100*time.Millisecond; unit *= 10 {
		for _, r := range rounds[:3] {
			if all <= 8*r*unit {
				return r * unit
			}
		}
	}
	i, _ := slices.BinarySearchFunc(rounds, all, func(r, all time.Duration) int { return cmp.Compare(8*r*time.Second, all) })
	if i < len(rounds) {
		return rounds[i] * time.Second
	}
	return (all/8/86400/time.Second + 1) * 86400 * time.Second
}
