package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/lsp/lsptest"
)

// What an editor makes of all safe fixes, file by file, is what `fix` makes of
// the folder.
func TestFixAllAgreesWithFix(t *testing.T) {
	fixed := 0
	for _, c := range corpus.CheckCases() {
		if !c.Editor {
			fixed += agreeOnFixes(t, c.Name, c.Files)
		}
	}
	for _, c := range corpus.Fragments() {
		if !c.Editor {
			fixed += agreeOnFixes(t, c.Name, c.Files)
		}
	}
	for _, c := range corpus.Cases() {
		fixed += agreeOnFixes(t, c.Name, c.Files)
	}
	for _, f := range corpus.Files() {
		f.Name = filepath.Base(f.Name)
		crlf := corpus.File{Name: f.Name, Data: []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))}
		fixed += agreeOnFixes(t, f.Name, []corpus.File{f}) + agreeOnFixes(t, f.Name, []corpus.File{crlf})
	}
	if fixed < 15 {
		t.Errorf("only %d files were fixed", fixed)
	}
}

func agreeOnFixes(t *testing.T, name string, files []corpus.File) (fixed int) {
	t.Helper()
	dir, texts := t.TempDir(), map[string]string{}
	for _, f := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		texts[f.Name] = string(f.Data)
	}
	fixedBy(t, dir)
	e := &fixEditor{Client: lsptest.Start(t, texts, map[string]any{"textDocument": map[string]any{"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{}}}})}
	bots := slices.DeleteFunc(slices.Clone(files), func(f corpus.File) bool { return filepath.Ext(f.Name) != ".bot" })
	for _, fragments := range []bool{true, false} { // what is imported comes first
		for _, f := range bots {
			if strings.HasPrefix(f.Name, "lib/") == fragments {
				texts[f.Name] = e.fixAll(t, f.Name, texts[f.Name])
			}
		}
	}
	for _, f := range bots {
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil {
			t.Fatal(err)
		}
		if texts[f.Name] != string(want) {
			t.Errorf("%s: %s: the editor has\n%s\nfix makes\n%s", name, f.Name, texts[f.Name], want)
		}
		if texts[f.Name] != string(f.Data) {
			fixed++
		}
	}
	return fixed
}

type fixEditor struct{ *lsptest.Client }

// fixAll opens a text and returns it with all its fixes.
func (e *fixEditor) fixAll(t *testing.T, name, text string) string {
	t.Helper()
	e.Open(name, text)
	params := e.Document(name)
	params["range"] = map[string]any{"start": map[string]int{"line": 0, "character": 0}, "end": map[string]int{"line": 0, "character": 0}}
	params["context"] = map[string]any{"diagnostics": []any{}, "only": []string{"source.fixAll"}}
	type place struct{ Line, Character int }
	var actions []struct {
		Edit struct {
			Changes map[string][]struct {
				Range   struct{ Start, End place }
				NewText string
			}
		}
	}
	if err := json.Unmarshal(e.Must("textDocument/codeAction", params), &actions); err != nil {
		t.Fatal(err)
	}
	after := source.NewBuffer(name, text)
	for _, a := range actions {
		for _, edits := range a.Edit.Changes {
			for _, edit := range slices.Backward(edits) {
				after, _, _, _ = after.Replace(source.UTF16, source.Place(edit.Range.Start), source.Place(edit.Range.End), edit.NewText)
			}
		}
	}
	e.Open(name, after.Raw)
	return after.Raw
}
