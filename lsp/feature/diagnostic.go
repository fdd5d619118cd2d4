package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"iterion/diagnostics"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
	"iterion/workspace"
)

// found is a finding as the protocol has it, with what makes it the same as
// another one.
type found struct {
	id   string
	file string // key
	protocol.Diagnostic
}

// Diagnostics lists the findings of units by the key of the file that they stand
// in. A file that belongs to several units has what any of them finds, once.
func Diagnostics(units []*session.Unit) map[string][]protocol.Diagnostic {
	byFile := map[string][]protocol.Diagnostic{}
	said := map[string]bool{}
	type key struct{}
	for _, u := range units {
		for _, f := range session.Memo(u, key{}, findings) {
			if !said[f.id] {
				said[f.id] = true
				byFile[f.file] = append(byFile[f.file], f.Diagnostic)
			}
		}
	}
	return byFile
}

func findings(u *session.Unit) (list []found) {
	for _, d := range u.Diagnostics() {
		if at, ok := u.Range(d.Range); ok {
			list = append(list, found{fmt.Sprint(d.Range, d.Code, d.Message), filepath.FromSlash(d.Range.File), Diagnostic(u, d, at)})
		}
	}
	return list
}

// Diagnostic is a finding of a unit as the protocol has it: its message with the
// fix line below.
func Diagnostic(u *session.Unit, d diagnostics.Diagnostic, at protocol.Range) protocol.Diagnostic {
	out := protocol.Diagnostic{Range: at, Severity: severity(d.Severity), Code: string(d.Code), Source: "iterion", Message: d.Message,
		CodeDescription: &protocol.CodeDescription{Href: protocol.URI(PageURI(d.Code))}}
	if fix := d.FixLine(); fix != "" {
		out.Message += "\n" + fix
	}
	if row, _ := diagnostics.Lookup(d.Code); row.Tag != 0 {
		out.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTag(row.Tag)} // the same numbers
	}
	for _, r := range d.Related {
		if there, ok := u.Range(r.Range); ok {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: u.URI(filepath.FromSlash(r.Range.File)), Range: there}, Message: r.Label})
		}
	}
	return out
}

// PageURI names the page of a code; the command `iterion.explain` gives its
// text.
func PageURI(code diagnostics.Code) string { return "iterion:/explain/" + string(code) + ".md" }

func severity(s diagnostics.Severity) protocol.DiagnosticSeverity {
	switch s {
	case diagnostics.Error:
		return protocol.DiagnosticSeverityError
	case diagnostics.Warning:
		return protocol.DiagnosticSeverityWarning
	}
	return protocol.DiagnosticSeverityInformation
}

// DocumentDiagnostic is textDocument/diagnostic.
func DocumentDiagnostic(_ context.Context, s *session.Snapshot, p *protocol317.DocumentDiagnosticParams) (*protocol317.DocumentDiagnosticReport, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	report := reportOf(Diagnostics(s.UnitsOf(f.Key))[f.Key], p.PreviousResultID)
	return &report, nil
}

// reportOf is a full report, or says that the client has it already.
func reportOf(list []protocol.Diagnostic, previous string) protocol317.DocumentDiagnosticReport {
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	h := fnv.New64a()
	_ = json.NewEncoder(h).Encode(list) // plain values into a hash
	id := fmt.Sprintf("%x", h.Sum64())
	if id == previous {
		return protocol317.DocumentDiagnosticReport{Kind: protocol317.UnchangedReport, ResultID: id}
	}
	return protocol317.DocumentDiagnosticReport{Kind: protocol317.FullReport, ResultID: id, Items: &list}
}

// Progress hears how much of a long work is done.
type Progress func(done, total int, what string)

// WorkspaceDiagnostic is workspace/diagnostic: every unit of the folders, as
// `validate` finds them there, and what is open besides.
func WorkspaceDiagnostic(ctx context.Context, s *session.Snapshot, p *protocol317.WorkspaceDiagnosticParams, progress Progress) (*protocol317.WorkspaceDiagnosticReport, error) {
	units, err := workspaceUnits(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	byFile := Diagnostics(units)
	for _, u := range units {
		for _, key := range u.Files() {
			if byFile[key] == nil {
				byFile[key] = []protocol.Diagnostic{} // files without findings have a report too
			}
		}
	}
	previous := map[protocol.DocumentURI]string{}
	for _, id := range p.PreviousResultIDs {
		previous[id.URI] = id.Value
	}
	out := &protocol317.WorkspaceDiagnosticReport{Items: []protocol317.WorkspaceDocumentDiagnosticReport{}}
	for _, key := range slices.Sorted(maps.Keys(byFile)) {
		uri := s.URI(key)
		item := protocol317.WorkspaceDocumentDiagnosticReport{DocumentDiagnosticReport: reportOf(byFile[key], previous[uri]), URI: uri}
		if d := s.Doc(uri); d != nil {
			item.Version = &d.Version
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// workspaceUnits builds the units of all folders and those of open texts.
func workspaceUnits(ctx context.Context, s *session.Snapshot, progress Progress) ([]*session.Unit, error) {
	var mains []string
	for _, folder := range s.Folders {
		workspace.Walk(folder, func(f workspace.Folder) bool {
			paths, below := f.Mains()
			mains = append(mains, paths...)
			return below && ctx.Err() == nil
		}, func(string, error) {}) // what cannot be read has nothing to say
	}
	units := s.OpenUnits()
	known := map[string]bool{}
	for _, u := range units {
		known[u.Main] = true
	}
	for i, main := range mains {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(i, len(mains), filepath.Base(main))
		if !known[main] {
			known[main] = true
			units = append(units, s.Unit(main))
		}
	}
	return units, nil
}
