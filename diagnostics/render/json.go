package render

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"iterion/diagnostics"
	"iterion/diagnostics/shown"
)

// Schema is the JSON Schema (2020-12) of what JSON and JSONAll print.
//
//go:embed validate.schema.json
var Schema string

// JSON prints one report as one object.
func JSON(w io.Writer, r Report) error {
	return Encode(w, resultOf(&r))
}

// JSONAll prints the reports of one request over several paths as one object
// with the key `results`.
func JSONAll(w io.Writer, reports []Report) error {
	all := resultsJSON{Results: make([]resultJSON, len(reports)), Valid: true}
	for i := range reports {
		all.Results[i] = resultOf(&reports[i])
		all.Valid = all.Valid && all.Results[i].Valid
	}
	return Encode(w, all)
}

// The fields of these structs stand in the order of their keys, which is how
// the keys come out sorted.
type resultsJSON struct {
	Results []resultJSON `json:"results"`
	Valid   bool         `json:"valid"`
}

type resultJSON struct {
	BundleDiagnostics  []string      `json:"bundle_diagnostics,omitempty"`
	BundleName         string        `json:"bundle_name,omitempty"`
	BundleVersion      string        `json:"bundle_version,omitempty"`
	CompileDiagnostics []string      `json:"compile_diagnostics,omitempty"`
	Diagnostics        []findingJSON `json:"diagnostics"`
	EdgeCount          int           `json:"edge_count,omitempty"`
	Exec               []RouterFacts `json:"exec,omitzero"`
	Explain            []NodeFacts   `json:"explain,omitzero"`
	Failure            string        `json:"failure,omitempty"`
	File               string        `json:"file,omitempty"`
	NodeCount          int           `json:"node_count,omitempty"`
	ParseDiagnostics   []string      `json:"parse_diagnostics,omitempty"`
	Suppressed         []findingJSON `json:"suppressed,omitempty"`
	Valid              bool          `json:"valid"`
	WorkflowName       string        `json:"workflow_name,omitempty"`
}

type findingJSON struct {
	Code      string        `json:"code"`
	Column    int           `json:"column,omitempty"`
	EdgeID    string        `json:"edge_id,omitempty"`
	Edit      *editJSON     `json:"edit,omitempty"`
	EndColumn int           `json:"end_column,omitempty"`
	EndLine   int           `json:"end_line,omitempty"`
	Field     string        `json:"field,omitempty"`
	File      string        `json:"file,omitempty"`
	Fixes     []fixJSON     `json:"fixes,omitempty"`
	Hint      string        `json:"hint,omitempty"`
	Line      int           `json:"line,omitempty"`
	Message   string        `json:"message"`
	Name      string        `json:"name,omitempty"`
	NodeID    string        `json:"node_id,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	Related   []relatedJSON `json:"related,omitempty"`
	Severity  string        `json:"severity"`
	Source    string        `json:"source"`
}

type fixJSON struct {
	Edits []editJSON `json:"edits"`
	ID    string     `json:"id"`
	Kind  string     `json:"kind"`
	Title string     `json:"title,omitempty"`
}

type editJSON struct {
	Column    int    `json:"column"`
	EndColumn int    `json:"end_column"`
	EndLine   int    `json:"end_line"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line"`
	NewText   string `json:"new_text"`
}

type relatedJSON struct {
	Column    int    `json:"column,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	File      string `json:"file,omitempty"`
	Label     string `json:"label"`
	Line      int    `json:"line,omitempty"`
}

func resultOf(r *Report) resultJSON {
	return resultJSON{
		BundleDiagnostics:  r.lines(diagnostics.Bundle),
		BundleName:         r.BundleName,
		BundleVersion:      r.BundleVersion,
		CompileDiagnostics: r.lines(diagnostics.Compile),
		Diagnostics:        findingsOf(r.Diagnostics),
		EdgeCount:          r.EdgeCount,
		Exec:               r.Routers,
		Explain:            r.Nodes,
		Failure:            r.Failure,
		File:               r.File,
		NodeCount:          r.NodeCount,
		ParseDiagnostics:   r.lines(diagnostics.Parse),
		Suppressed:         findingsOf(r.Suppressed),
		Valid:              r.Valid(),
		WorkflowName:       r.WorkflowName,
	}
}

// lines are the findings of one stage, each as the first line of its text form.
func (r *Report) lines(stage diagnostics.Stage) []string {
	var out []string
	for i := range r.Diagnostics {
		if d := &r.Diagnostics[i]; d.Stage == stage {
			out = append(out, headline(d, r.File))
		}
	}
	return out
}

func findingsOf(list []diagnostics.Diagnostic) []findingJSON {
	out := make([]findingJSON, len(list))
	for i := range list {
		out[i] = findingOf(&list[i])
	}
	return out
}

func findingOf(d *diagnostics.Diagnostic) findingJSON {
	row, _ := diagnostics.Lookup(d.Code)
	f := findingJSON{
		Code: string(d.Code), Name: row.Name, Severity: d.Severity.String(), Source: d.Stage.String(),
		File: d.Range.File,
		Line: d.Range.Start.Line, Column: d.Range.Start.Column,
		EndLine: d.Range.End.Line, EndColumn: d.Range.End.Column,
		Message: d.Message, Hint: d.FixLine(),
		NodeID: d.NodeID, EdgeID: d.EdgeID, Field: d.Field, Reason: d.Reason,
		Edit: mechanical(d.Fixes),
	}
	for _, rel := range d.Related {
		f.Related = append(f.Related, relatedJSON{
			File: rel.Range.File, Label: rel.Label,
			Line: rel.Range.Start.Line, Column: rel.Range.Start.Column,
			EndLine: rel.Range.End.Line, EndColumn: rel.Range.End.Column,
		})
	}
	for _, fix := range d.Fixes {
		f.Fixes = append(f.Fixes, fixJSON{
			ID: fix.ID, Kind: fix.Kind.String(), Title: fix.Title, Edits: editsOf(fix.Edits),
		})
	}
	return f
}

func editsOf(edits []diagnostics.Edit) []editJSON {
	out := make([]editJSON, len(edits))
	for i, e := range edits {
		out[i] = editJSON{
			File: e.Range.File, NewText: e.New,
			Line: e.Range.Start.Line, Column: e.Range.Start.Column,
			EndLine: e.Range.End.Line, EndColumn: e.Range.End.Column,
		}
	}
	return out
}

// mechanical is the one edit that may be applied without asking: the first
// safe fix, when a single edit is all of it.
func mechanical(fixes []diagnostics.Fix) *editJSON {
	for _, fix := range fixes {
		if fix.Kind == diagnostics.Safe {
			if len(fix.Edits) != 1 {
				return nil
			}
			return &editsOf(fix.Edits)[0]
		}
	}
	return nil
}

// Encode writes v as JSON with two spaces of indentation. Markup characters stay as
// they are; hidden characters, which stand in strings only, are escaped.
func Encode(w io.Writer, v any) error { return encode(w, v, "  ") }

// EncodeLine is Encode on one line.
func EncodeLine(w io.Writer, v any) error { return encode(w, v, "") }

func encode(w io.Writer, v any, indent string) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(raw.Bytes()))
	return err
}

func escapeJSON(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == '\n' || !shown.Hidden(r) {
			out = append(out, raw[i:i+n]...)
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		i += n
	}
	return out
}
