package render_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/render"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const program = `dsl: 2

agent écrire:
  model: "claude-sonnet-5"
	user: "日本 tab"
  permission: strict

workflow w:
  entry: écrire
`

func at(line, column, endLine, endColumn int) diagnostics.Range {
	return diagnostics.Range{File: "main.bot",
		Start: source.Position{Line: line, Column: column},
		End:   source.Position{Line: endLine, Column: endColumn}}
}

// samples are the reports that every output is shown with.
func samples() map[string]render.Report {
	ref := diagnostics.Fix{ID: "unquote-ref", Kind: diagnostics.Safe, Title: "Remove the quotes",
		Edits: []diagnostics.Edit{{Range: at(5, 8, 5, 16), New: "{{input.x}}"}}}
	rename := diagnostics.Fix{ID: "rename-name", Kind: diagnostics.Suggested,
		Edits: []diagnostics.Edit{{Range: at(9, 10, 9, 16), New: "a"}, {Range: at(3, 7, 3, 13), New: "a"}}}
	all := []diagnostics.Diagnostic{
		{Code: "E003", Severity: diagnostics.Error, Stage: diagnostics.Parse,
			Message: "a tab indents this line", Range: at(5, 1, 5, 2)},
		{Code: "C001", Severity: diagnostics.Error, Stage: diagnostics.Compile,
			Message: "no node is called \"x\u202e\ngpj\"", NodeID: "x", EdgeID: "écrire->x",
			Range: at(5, 9, 5, 11), Fixes: []diagnostics.Fix{ref, rename}},
		{Code: "C037", Severity: diagnostics.Warning, Stage: diagnostics.Compile,
			Message: "<9000> & more", Hint: "Lower it to 8000.", Range: at(3, 7, 6, 3),
			Related: []diagnostics.Related{{Range: at(8, 10, 8, 11), Label: "budget set here"}}},
		{Code: "L105", Severity: diagnostics.Info, Stage: diagnostics.Compile,
			Message: "a row is dropped", Range: at(6, 15, 6, 21)},
		{Code: "C006", Severity: diagnostics.Error, Stage: diagnostics.Compile, Message: "nothing to run"},
		{Code: "C200", Severity: diagnostics.Warning, Stage: diagnostics.Bundle, Message: "no such variable",
			Field: "dispatch_vars.x", Range: diagnostics.Range{File: "manifest.yaml",
				Start: source.Position{Line: 2, Column: 3}, End: source.Position{Line: 2, Column: 4}}},
	}
	allowed := all[2]
	allowed.Reason = "the host is\nneeded"
	allowed.Related = append(slices.Clip(allowed.Related), diagnostics.Related{Range: at(2, 1, 2, 30), Label: "allowed here"})
	return map[string]render.Report{
		"clean": {File: "main.bot", WorkflowName: "w", NodeCount: 1, EdgeCount: 2,
			BundleName: "b", BundleVersion: "1.0.0"},
		"all":     {File: "main.bot", Diagnostics: all, Suppressed: []diagnostics.Diagnostic{allowed}},
		"warning": {File: "main.bot", WorkflowName: "w", NodeCount: 1, Diagnostics: all[2:4]},
		"failure": {File: "gone\x1b[2J.bot", Failure: "no such file"},
	}
}

func text(t *testing.T, r render.Report, opt render.TextOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := render.Text(&b, r, opt); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func snippet(file string) (string, bool) { return program, file == "main.bot" }

func TestText(t *testing.T) {
	for name, r := range samples() {
		golden(t, name+".txt", text(t, r, render.TextOptions{}))
	}
	r := samples()["all"]
	golden(t, "all.full.txt", text(t, r, render.TextOptions{Info: true, Suppressed: true, Snippet: snippet}))
	golden(t, "all.color.txt", text(t, r, render.TextOptions{Color: true, Info: true, Snippet: snippet}))
}

func TestJSON(t *testing.T) {
	schema := compileSchema(t)
	var list []render.Report
	for name, r := range samples() {
		var b bytes.Buffer
		if err := render.JSON(&b, r); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", b.Bytes())
		checkJSON(t, schema, b.Bytes())
	}
	for _, name := range []string{"clean", "failure"} {
		list = append(list, samples()[name])
	}
	var b bytes.Buffer
	if err := render.JSONAll(&b, list); err != nil {
		t.Fatal(err)
	}
	golden(t, "several.json", b.Bytes())
	checkJSON(t, schema, b.Bytes())
}

func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	for _, bad := range []string{
		`{}`,
		`{"valid":true}`,
		`{"diagnostics":[],"valid":true,"extra":1}`,
		`{"diagnostics":[{"code":"X1","message":"","severity":"error","source":"parse"}],"valid":false}`,
		`{"diagnostics":[{"code":"C001","message":"","severity":"fatal","source":"parse"}],"valid":false}`,
		`{"results":[{"valid":true}],"valid":true}`,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(v) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema { return compiled(t, render.Schema) }

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkJSON holds an output against the schema and asks for sorted keys.
func checkJSON(t *testing.T, schema *jsonschema.Schema, out []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	checkSorted(t, json.NewDecoder(bytes.NewReader(out)))
}

func checkSorted(t *testing.T, dec *json.Decoder) {
	t.Helper()
	open, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	if _, nested := open.(json.Delim); !nested {
		return
	}
	var keys []string
	for dec.More() {
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key.(string))
		}
		checkSorted(t, dec)
	}
	if !slices.IsSorted(keys) {
		t.Errorf("keys are not sorted: %v", keys)
	}
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs\n--- got\n%s--- want\n%s", path, got, want)
	}
}
