package feature

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/build"
	"iterion/ir/fixes"
	"iterion/lsp/session"
	"iterion/workspace"
)

// spot is the range of a file that actions are asked for.
type spot struct {
	snapshot *session.Snapshot
	file     *session.File
	span     source.Span
	units    []*session.Unit // never none
	built    *build.File     // in the first of them; nil for what is no `.bot` file
	findings []*finding
	narrow   bool // the client names the kinds that it wants
}

// finding is a finding at the spot.
type finding struct {
	diagnostics.Diagnostic
	shown protocol.Diagnostic
	unit  *session.Unit
}

// mostFindings is how many findings of a range are looked at: behind each offer
// stands a text that was built and compared, and nobody reads a longer list.
const mostFindings = 25

// newSpot is nil for a file of no unit.
func newSpot(s *session.Snapshot, p *protocol.CodeActionParams) (*spot, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := &spot{snapshot: s, file: f, span: f.Span(p.Range), units: s.UnitsOf(f.Key), narrow: len(p.Context.Only) > 0}
	if len(at.units) == 0 || at.units[0].Result() == nil {
		return nil, nil
	}
	at.built = f.Parsed(at.units[0])
	for _, u := range at.units {
		at.find(u, p.Context.Diagnostics)
	}
	return at, nil
}

// find adds the findings of a unit that the client names or, when it names none,
// that touch the range.
func (at *spot) find(u *session.Unit, named []protocol.Diagnostic) {
	for _, d := range u.Diagnostics() {
		if filepath.FromSlash(d.Range.File) != at.file.Key {
			continue
		}
		shown := Diagnostic(u, d, at.file.Range(d.Range.Offsets))
		wanted := at.touches(d.Range.Offsets)
		if len(named) > 0 {
			wanted = slices.ContainsFunc(named, func(n protocol.Diagnostic) bool {
				return n.Range == shown.Range && fmt.Sprint(n.Code) == string(d.Code)
			})
		}
		known := func(f *finding) bool {
			return f.Code == d.Code && f.shown.Range == shown.Range && f.Message == d.Message
		}
		if wanted && len(at.findings) < mostFindings && !slices.ContainsFunc(at.findings, known) {
			at.findings = append(at.findings, &finding{d, shown, u})
		}
	}
}

// touches tells whether a span of the file meets the range.
func (at *spot) touches(s source.Span) bool { return s.Start <= at.span.End && at.span.Start <= s.End }

// made is the edit of an action. The error says why there is none.
func (at *spot) made(a action) (*protocol.WorkspaceEdit, error) {
	c, err := a.edit, error(nil)
	if a.make != nil {
		c, err = a.make()
	}
	if err == nil {
		err = at.refuses(c)
	}
	if err != nil {
		return nil, err
	}
	return c.edit(at.snapshot)
}

// refuses says why a change is not made: it leaves the folder of the unit, or
// something would not parse that does.
func (at *spot) refuses(c change) error {
	texts, err := c.texts(at.snapshot)
	if err != nil {
		return err
	}
	for key, after := range texts {
		if !at.holds(key) {
			return fmt.Errorf("%s is outside of the unit's folder", filepath.Base(key))
		}
		f, err := at.snapshot.File(at.snapshot.URI(key))
		if err != nil {
			return err
		}
		if filepath.Ext(key) == workspace.Ext && faults(key, after) > faults(key, f.Raw) {
			return errors.New("the result would not parse")
		}
	}
	return nil
}

// holds tells whether a file lies in the folder of the unit.
func (at *spot) holds(key string) bool {
	main := at.units[0].Main
	if key == at.file.Key || !filepath.IsAbs(main) {
		return key == at.file.Key
	}
	dir, _ := workspace.Input(main)
	rel, err := filepath.Rel(dir, key)
	return err == nil && filepath.IsLocal(rel)
}

// improves tells whether a change brings no error to any unit of the file, and
// takes these findings away from those that have them.
func (at *spot) improves(c change, gone ...*finding) bool {
	texts, err := c.texts(at.snapshot)
	if err != nil {
		return false
	}
	next := at.snapshot.Supposing(texts)
	for _, u := range at.units {
		var targets []diagnostics.Diagnostic
		for _, d := range gone {
			if has(u, d) {
				targets = append(targets, d.Diagnostic)
			}
		}
		if fixes.Worse(u.Diagnostics(), next.Unit(u.Main).Diagnostics(), targets) != "" {
			return false
		}
	}
	return true
}

// has tells whether a unit finds the same.
func has(u *session.Unit, f *finding) bool {
	return slices.ContainsFunc(u.Diagnostics(), func(d diagnostics.Diagnostic) bool {
		return d.Code == f.Code && d.Range == f.Range && d.Message == f.Message
	})
}

// lineAt is the line of an offset without its newline.
func (at *spot) lineAt(offset uint32) source.Span { return lineIn(at.file.Text, int(offset)) }

func lineIn(text string, offset int) source.Span {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if n := strings.IndexByte(text[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	return source.Span{Start: uint32(start), End: uint32(end)}
}
