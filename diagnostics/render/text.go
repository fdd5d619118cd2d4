package render

import (
	"bufio"
	"io"

	"iterion/ast/source"
	"iterion/diagnostics"
)

// TextOptions says what the text form holds beyond errors and warnings.
type TextOptions struct {
	Color      bool // ANSI colours
	Info       bool // findings of severity info too
	Suppressed bool // list suppressed findings, not only their number

	// Snippet returns a file's text; with it every finding shows its line.
	Snippet func(file string) (text string, ok bool)
}

// Text prints one block per finding and the result line.
func Text(w io.Writer, r Report, opt TextOptions) error {
	p := &printer{out: bufio.NewWriter(w), opt: opt, report: &r, files: map[string]*source.File{}}
	if r.Failure != "" {
		p.line(escape(r.File) + ": " + p.paint(red, "error") + ": " + escape(r.Failure))
	}
	for i := range r.Diagnostics {
		d := &r.Diagnostics[i]
		if d.Severity != diagnostics.Info || opt.Info {
			p.finding(d, d.Severity.String())
		}
	}
	if opt.Suppressed {
		for i := range r.Suppressed {
			p.finding(&r.Suppressed[i], "suppressed")
		}
	}
	p.facts(&r.Facts)
	p.line(r.result())
	return p.out.Flush()
}

type printer struct {
	out    *bufio.Writer
	opt    TextOptions
	report *Report
	files  map[string]*source.File // by name; nil for a file without text
}

func (p *printer) finding(d *diagnostics.Diagnostic, label string) {
	color := colorOf[label]
	p.line(place(d.Range, p.report.File) + ": " + p.paint(color, label) + " " + subject(d))
	p.snippet(d.Range, color)
	if fix := d.FixLine(); fix != "" {
		p.line("    " + p.paint(green, "fix:") + " " + escape(fix))
	}
	for _, rel := range d.Related {
		p.line("    " + p.paint(cyan, "note:") + " " + place(rel.Range, p.report.File) +
			": " + escape(rel.Label))
	}
	if d.Reason != "" {
		p.line("    " + p.paint(cyan, "reason:") + " " + escape(d.Reason))
	}
}

func (p *printer) snippet(r diagnostics.Range, color string) {
	f := p.file(r.File)
	if f == nil || r.Start.Line < 1 || r.Start.Line > f.Lines() {
		return
	}
	start, end := f.LineSpan(r.Start.Line - 1)
	s := draw(f.Text[start:end], r)
	p.line(p.paint(dim, s.gutter) + s.code)
	p.line(p.paint(dim, s.margin) + s.indent + p.paint(color, s.marks))
}

// file returns the text of a file, read once per report.
func (p *printer) file(name string) *source.File {
	if p.opt.Snippet == nil {
		return nil
	}
	if name == "" {
		name = p.report.File
	}
	f, seen := p.files[name]
	if !seen {
		if text, ok := p.opt.Snippet(name); ok {
			f = source.New(name, text)
		}
		p.files[name] = f
	}
	return f
}

func (p *printer) line(s string) {
	p.out.WriteString(s)
	p.out.WriteByte('\n')
}

const (
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	green  = "32"
	cyan   = "36"
	dim    = "2"
)

var colorOf = map[string]string{
	"error": red, "warning": yellow, "info": blue, "suppressed": dim,
}

func (p *printer) paint(color, s string) string {
	if !p.opt.Color || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}
