package render

import (
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"iterion/diagnostics"
)

// sarifSchema is the schema of the format's current edition.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// SARIF prints the reports of one request as one run in SARIF 2.1.0. version
// is that of the program. Infos and suppressed findings are always in it.
//
// The structs are ours: the libraries for this format link a JSON Schema
// engine with an HTTP client, and every start of the program would pay for it.
func SARIF(w io.Writer, reports []Report, version string) error {
	shown, suppressed := Distinct(reports)
	run := sarifRun{ColumnKind: "unicodeCodePoints", Invocations: []sarifInvocation{invocationOf(reports)}}
	run.Tool.Driver = sarifDriver{Name: "iterion", Rules: rulesOf(shown, suppressed), Version: version}
	run.Results = make([]sarifResult, 0, len(shown)+len(suppressed))
	for i := range shown {
		run.Results = append(run.Results, run.result(&shown[i]))
	}
	for i := range suppressed {
		r := run.result(&suppressed[i])
		r.Suppressions = append(r.Suppressions, sarifSuppression{Justification: escape(suppressed[i].Reason), Kind: "inSource"})
		run.Results = append(run.Results, r)
	}
	return Encode(w, sarifLog{Schema: sarifSchema, Runs: []sarifRun{run}, Version: "2.1.0"})
}

// The fields of these structs stand in the order of their keys.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Runs    []sarifRun `json:"runs"`
	Version string     `json:"version"`
}

type sarifRun struct {
	ColumnKind  string            `json:"columnKind"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	Tool        struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Rules   []sarifRule `json:"rules"`
	Version string      `json:"version"`
}

type sarifRule struct {
	DefaultConfiguration *sarifLevel `json:"defaultConfiguration,omitempty"`
	Help                 *sarifText  `json:"help,omitempty"`
	ID                   string      `json:"id"`
	Name                 string      `json:"name,omitempty"`
	ShortDescription     *sarifText  `json:"shortDescription,omitempty"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	ExecutionSuccessful        bool                `json:"executionSuccessful"`
	ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Locations []sarifLocation `json:"locations"`
	Message   sarifText       `json:"message"`
}

type sarifResult struct {
	Fixes            []sarifFix         `json:"fixes,omitempty"`
	Level            string             `json:"level"`
	Locations        []sarifLocation    `json:"locations"`
	Message          sarifText          `json:"message"`
	Properties       *sarifProperties   `json:"properties,omitempty"`
	RelatedLocations []sarifLocation    `json:"relatedLocations,omitempty"`
	RuleID           string             `json:"ruleId"`
	RuleIndex        int                `json:"ruleIndex"`
	Suppressions     []sarifSuppression `json:"suppressions"` // all results of a run have them, or none
}

// sarifProperties is what a finding has besides, under the keys of our JSON.
type sarifProperties struct {
	EdgeID string `json:"edge_id,omitempty"`
	Field  string `json:"field,omitempty"`
	Hint   string `json:"hint,omitempty"` // a fix line sharper than the rule's
	NodeID string `json:"node_id,omitempty"`
}

type sarifSuppression struct {
	Justification string `json:"justification,omitempty"`
	Kind          string `json:"kind"`
}

type sarifLocation struct {
	Message          *sarifText    `json:"message,omitempty"`
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	EndColumn   int `json:"endColumn"`
	EndLine     int `json:"endLine"`
	StartColumn int `json:"startColumn"`
	StartLine   int `json:"startLine"`
}

type sarifFix struct {
	ArtifactChanges []sarifChange `json:"artifactChanges"`
	Description     sarifText     `json:"description"`
	Properties      sarifFixKind  `json:"properties"`
}

type sarifFixKind struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
}

type sarifChange struct {
	ArtifactLocation sarifArtifact      `json:"artifactLocation"`
	Replacements     []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	DeletedRegion   sarifRegion `json:"deletedRegion"`
	InsertedContent *sarifText  `json:"insertedContent,omitempty"`
}

// invocationOf says which paths could not be checked.
func invocationOf(reports []Report) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: true}
	for _, r := range reports {
		if r.Failure != "" {
			inv.ExecutionSuccessful = false
			inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, sarifNotification{
				Level: "error", Message: plainText(r.Failure), Locations: []sarifLocation{locationOf(diagnostics.Range{File: r.File})},
			})
		}
	}
	return inv
}

// rulesOf lists the rules of findings by their codes.
func rulesOf(lists ...[]diagnostics.Diagnostic) []sarifRule {
	rules := []sarifRule{}
	for _, d := range slices.Concat(lists...) {
		if i, found := findRule(rules, string(d.Code)); !found {
			rules = slices.Insert(rules, i, ruleOf(d.Code))
		}
	}
	return rules
}

func findRule(rules []sarifRule, id string) (int, bool) {
	return slices.BinarySearchFunc(rules, id, func(r sarifRule, id string) int { return strings.Compare(r.ID, id) })
}

func ruleOf(code diagnostics.Code) sarifRule {
	row, ok := diagnostics.Lookup(code)
	if !ok {
		return sarifRule{ID: string(code)}
	}
	return sarifRule{
		DefaultConfiguration: &sarifLevel{levelOf(row.Severity)},
		Help:                 &sarifText{row.Fix},
		ID:                   string(code),
		Name:                 row.Name,
		ShortDescription:     &sarifText{row.Summary},
	}
}

func levelOf(s diagnostics.Severity) string {
	if s == diagnostics.Info {
		return "note"
	}
	return s.String()
}

func (r *sarifRun) result(d *diagnostics.Diagnostic) sarifResult {
	rule, _ := findRule(r.Tool.Driver.Rules, string(d.Code))
	out := sarifResult{
		Level: levelOf(d.Severity), Message: plainText(d.Message), RuleID: string(d.Code), RuleIndex: rule,
		Locations: []sarifLocation{locationOf(d.Range)}, Suppressions: []sarifSuppression{},
	}
	if p := (sarifProperties{EdgeID: d.EdgeID, Field: d.Field, Hint: escape(d.Hint), NodeID: d.NodeID}); p != (sarifProperties{}) {
		out.Properties = &p
	}
	for _, rel := range d.Related {
		at, label := locationOf(rel.Range), plainText(rel.Label)
		at.Message = &label
		out.RelatedLocations = append(out.RelatedLocations, at)
	}
	for _, fix := range d.Fixes {
		out.Fixes = append(out.Fixes, sarifFixOf(fix))
	}
	return out
}

func sarifFixOf(fix diagnostics.Fix) sarifFix {
	title := fix.Title
	if title == "" {
		title = fix.ID
	}
	out := sarifFix{Description: plainText(title), Properties: sarifFixKind{fix.ID, fix.Kind.String()}}
	for _, e := range fix.Edits {
		replacement := sarifReplacement{DeletedRegion: regionOf(e.Range)}
		if e.New != "" {
			replacement.InsertedContent = &sarifText{e.New}
		}
		at := artifactOf(e.Range.File)
		i := slices.IndexFunc(out.ArtifactChanges, func(c sarifChange) bool { return c.ArtifactLocation == at })
		if i < 0 {
			i = len(out.ArtifactChanges)
			out.ArtifactChanges = append(out.ArtifactChanges, sarifChange{ArtifactLocation: at})
		}
		out.ArtifactChanges[i].Replacements = append(out.ArtifactChanges[i].Replacements, replacement)
	}
	return out
}

func locationOf(r diagnostics.Range) sarifLocation {
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifactOf(r.File)}}
	if r.Start.Line > 0 {
		region := regionOf(r)
		at.PhysicalLocation.Region = &region
	}
	return at
}

func regionOf(r diagnostics.Range) sarifRegion {
	return sarifRegion{EndColumn: r.End.Column, EndLine: r.End.Line, StartColumn: r.Start.Column, StartLine: r.Start.Line}
}

// artifactOf is a file's URI: relative as its name is, else with the scheme of
// files.
func artifactOf(name string) sarifArtifact {
	u := url.URL{Path: name}
	if len(name) > 2 && name[1] == ':' && name[2] == '/' { // a drive
		u.Path = "/" + name
	}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return sarifArtifact{URI: u.String()}
}

// plainText is a text for people. A bracket and a parenthesis would make a
// link of it.
func plainText(s string) sarifText {
	return sarifText{strings.ReplaceAll(escape(s), "](", `\](`)}
}
