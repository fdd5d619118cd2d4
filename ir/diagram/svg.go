package diagram

import (
	"fmt"
	"html"
	"strings"

	"iterion/diagnostics/shown"
	"iterion/ir"
)

// Marks are what a run did with a program.
type Marks struct {
	Nodes map[string]Mark
	Edges map[int]int // how often an edge was followed, by index in the program
}

// Mark is what a run did with a node.
type Mark struct {
	Visits int
	State  string // running, waiting, finished, failed, stopped: of the last visit
}

// Style dresses a drawing. It is part of what SVG returns; Draw leaves it to the
// page.
const Style = `.graph{--ink:#1c2733;--paper:#fff;--line:#8a97a6;--faint:#5d6b7a;--good:#1a7f4b;--bad:#c0392f;--busy:#1f6fd1;--wait:#9a6200}
@media (prefers-color-scheme:dark){.graph{--ink:#e7edf4;--paper:#1b232d;--line:#64727f;--faint:#9fadbb;--good:#4cc38a;--bad:#ff7b72;--busy:#6cb0ff;--wait:#e3b341}}
.graph text{font:12px system-ui,sans-serif;fill:var(--faint);text-anchor:middle}
.graph .name{font:600 13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink)}
.graph .shape{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.graph .edge{fill:none;stroke:var(--line);stroke-width:1.4}
.graph .back{stroke-dasharray:5 4}
.graph .tip{fill:var(--line)}
.graph .halo{fill:var(--paper)}
.graph .count{font-weight:600;fill:var(--paper)}
.graph .badge{fill:var(--faint)}
.graph .unused{opacity:.75}
.graph .taken .edge{stroke:var(--ink);stroke-width:2.2}
.graph .taken .tip{fill:var(--ink)}
.graph .taken text{fill:var(--ink)}
.graph .finished .shape{stroke:var(--good);stroke-width:2.2}.graph .finished .badge{fill:var(--good)}
.graph .failed .shape{stroke:var(--bad);stroke-width:2.6}.graph .failed .badge{fill:var(--bad)}
.graph .running .shape{stroke:var(--busy);stroke-width:2.2}.graph .running .badge{fill:var(--busy)}
.graph .waiting .shape,.graph .stopped .shape{stroke:var(--wait);stroke-width:2.2;stroke-dasharray:6 3}
.graph .waiting .badge,.graph .stopped .badge{fill:var(--wait)}`

// SVG returns the program as a picture.
func SVG(p *ir.Program) string { return draw(p, nil, "<style>\n"+Style+"\n</style>\n") }

// Draw returns the picture for a page that holds Style, with what a run did
// marked in it.
func Draw(p *ir.Program, m Marks) string { return draw(p, &m, "") }

func draw(p *ir.Program, m *Marks, style string) string {
	g := graphOf(p)
	l := layoutOf(g)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-label="%s" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`+"\n",
		svgText("Graph of "+g.name), l.w, l.h, l.w, l.h)
	b.WriteString(style)
	for i := range l.routes {
		l.drawEdge(&b, g.edges[i], i, m)
	}
	for i := range l.nodes {
		l.drawNode(&b, i, m, l.nodes[i].id == g.entry)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (l *layout) drawEdge(b *strings.Builder, e edge, i int, m *Marks) {
	r := &l.routes[i]
	class, title := "way", fmt.Sprintf("%s to %s", e.from, e.to)
	if e.label != "" {
		title += ": " + e.label
	}
	if m != nil {
		title += fmt.Sprintf(" (taken %d×)", m.Edges[i])
		if class += " unused"; m.Edges[i] > 0 {
			class = "way taken"
		}
	}
	back := ""
	if e.back {
		back = " back"
	}
	path, x, y, up := l.path(r)
	fmt.Fprintf(b, `<g class="%s"><title>%s</title><path class="edge%s" d="%s"/><path class="tip" d="M%.1f %.1fl-4.5 %dh9z"/>`,
		class, svgText(title), back, path, x, y, map[bool]int{false: -8, true: 8}[up])
	l.drawLabel(b, r)
	if m != nil && m.Edges[i] > 1 {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%d×</text>`, x-15, y+map[bool]float64{false: -5, true: 14}[up], m.Edges[i])
	}
	b.WriteString("</g>\n")
}

func (l *layout) drawLabel(b *strings.Builder, r *route) {
	x, y, w := 0.0, 0.0, 0.0
	switch {
	case r.lines == nil:
		return
	case r.self:
		s := l.spots[r.from]
		w = room(r.lines) - 34
		x, y = s.x+s.body/2+30+w/2, s.y-lineHigh*float64(len(r.lines))/2
	default:
		s := l.spots[r.label]
		x, y, w = s.x, s.y-s.h/2, s.w
	}
	fmt.Fprintf(b, `<rect class="halo" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`, x-w/2, y, w, lineHigh*float64(len(r.lines)))
	for k, line := range r.lines {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, x, y+lineHigh*float64(k)+11, svgText(line))
	}
}

// path is an edge's line with its end and whether that points up.
func (l *layout) path(r *route) (d string, x, y float64, up bool) {
	from, to := l.spots[r.from], l.spots[r.to]
	if r.self {
		x := from.x + from.body/2
		return fmt.Sprintf("M%.1f %.1fc34 -14 34 46 -14 %.1f", x, from.y-8, from.h/2+15), x - 14, from.y + from.h/2, true
	}
	side := 1.0 // of the layer below
	if r.turned {
		side = -1
	}
	x0, y0 := from.x+l.shift(r, r.from, to.x), from.y+side*from.h/2
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f %.1f", x0, y0)
	for _, i := range r.bends {
		s := l.spots[i]
		y1 := s.y - side*s.h/2
		curve(&b, y0, s.x, y1, x0)
		if s.h > 0 {
			fmt.Fprintf(&b, "L%.1f %.1f", s.x, s.y+side*s.h/2)
		}
		x0, y0 = s.x, s.y+side*s.h/2
	}
	x, y = to.x+l.shift(r, r.to, x0), to.y-side*to.h/2
	curve(&b, y0, x, y-side*7, x0)
	return b.String(), x, y, r.turned
}

// shift lets an edge leave or enter a node beside its middle, on the side to
// which it goes, so that edges both ways between two nodes do not lie on each
// other.
func (l *layout) shift(r *route, at int, towards float64) float64 {
	if len(r.bends) > 0 {
		towards = l.spots[r.bends[0]].x
		if at == r.to {
			towards = l.spots[r.bends[len(r.bends)-1]].x
		}
	}
	s := l.spots[at]
	return max(-s.body*0.3, min(s.body*0.3, (towards-s.x)*0.3))
}

func curve(b *strings.Builder, y0, x1, y1, x0 float64) {
	mid := (y0 + y1) / 2
	fmt.Fprintf(b, "C%.1f %.1f %.1f %.1f %.1f %.1f", x0, mid, x1, mid, x1, y1)
}

func (l *layout) drawNode(b *strings.Builder, i int, m *Marks, entry bool) {
	n, s := l.nodes[i], l.spots[i]
	class, title, visits := "node", n.id, 0
	if m != nil {
		mark := m.Nodes[n.id]
		visits = mark.Visits
		class += " " + map[bool]string{true: mark.State, false: "unused"}[visits > 0]
		title += fmt.Sprintf(": %d visits", visits)
		if visits > 0 {
			title += ", the last one " + mark.State
		}
	}
	fmt.Fprintf(b, `<g class="%s"><title>%s</title>%s`, svgText(class), svgText(title), n.shape.outline(s))
	lines := strings.Split(n.label, "\n")[1:]
	top := s.y + 4.5
	if len(lines) > 0 {
		top = s.y - 3
	}
	fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f">%s</text>`, s.x, top, svgText(n.id))
	if len(lines) > 0 {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, s.x, s.y+13, svgText(strings.Join(lines, " ")))
	}
	if visits > 0 {
		count := fmt.Sprintf("%d×", visits)
		w := 12 + 7*float64(len([]rune(count)))
		fmt.Fprintf(b, `<rect class="badge" x="%.1f" y="%.1f" width="%.1f" height="17" rx="8.5"/><text class="count" x="%.1f" y="%.1f">%s</text>`,
			s.x+s.body/2-w+8, s.y-s.h/2-9, w, s.x+s.body/2-w/2+8, s.y-s.h/2+4, count)
	}
	if entry {
		fmt.Fprintf(b, `<path class="edge" d="M%.1f %.1fv-16"/><path class="tip" d="M%.1f %.1fl-4.5 -8h9z"/>`, s.x, s.y-s.h/2-6, s.x, s.y-s.h/2)
	}
	b.WriteString("</g>\n")
}

// outline is the shape of a family of nodes.
func (f shape) outline(s spot) string {
	x, y, w, h := s.x-s.body/2, s.y-s.h/2, s.body, s.h
	points := func(list ...float64) string {
		var b strings.Builder
		b.WriteString(`<path class="shape" d="M`)
		for i := 0; i < len(list); i += 2 {
			fmt.Fprintf(&b, "%.1f %.1f ", x+list[i], y+list[i+1])
		}
		return b.String() + `z"/>`
	}
	const cut = 12
	switch f {
	case branch:
		return points(cut, 0, w-cut, 0, w, h/2, w-cut, h, cut, h, 0, h/2)
	case person:
		return points(cut, 0, w, 0, w-cut, h, 0, h)
	case signal:
		return points(0, 0, w-cut, 0, w, h/2, w-cut, h, 0, h)
	case failure:
		return points(cut, 0, w-cut, 0, w, cut, w, h-cut, w-cut, h, cut, h, 0, h-cut, 0, cut)
	}
	round := map[shape]float64{model: 10, work: 2, end: h / 2}[f]
	return fmt.Sprintf(`<rect class="shape" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.0f"/>`, x, y, w, h, round)
}

func svgText(s string) string { return html.EscapeString(shown.Line(s)) }
