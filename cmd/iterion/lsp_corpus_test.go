package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/lsp/lsptest"
)

// An editor shows the very findings of validate: over every program of the
// corpus, its fragments and its broken cases, with place, code, severity and
// message.
func TestEditorShowsWhatValidateFinds(t *testing.T) {
	compared := 0
	c := lsptest.Connect(t)
	c.Initialize(nil)
	for name, files := range programs() {
		dir := filepath.Join(c.Dir, filepath.FromSlash(name))
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
		for file := range files {
			path := filepath.Join(dir, filepath.FromSlash(file))
			if ext := filepath.Ext(file); ext == ".bot" && !strings.Contains(file, "lib/") || strings.HasSuffix(file, ".bot.yaml") {
				compareWithValidate(t, c, path, &compared)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d findings were compared", compared)
	}
}

// programs are the corpus's texts by the folder that they belong in.
func programs() map[string]fstest.MapFS {
	all := map[string]fstest.MapFS{}
	add := func(folder string, files []corpus.File) {
		if all[folder] == nil {
			all[folder] = fstest.MapFS{}
		}
		for _, f := range files {
			all[folder][f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	add("files", corpus.Files())
	for _, c := range corpus.Cases() {
		add("broken/"+c.Name, c.Files)
	}
	for _, c := range corpus.CheckCases() {
		add("check/"+c.Name, c.Files)
	}
	for _, c := range corpus.Documents() {
		add("author/"+c.Name, c.Files)
	}
	return all
}

type seen struct {
	line, character, severity int
	code, message             string
}

func compareWithValidate(t *testing.T, c *lsptest.Client, path string, compared *int) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, ok := validated(t, path, source.NewBuffer(path, string(raw)))
	if !ok || !utf8.Valid(raw) { // an editor cannot send such bytes
		return
	}
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil {
		t.Fatal(err)
	}
	c.Open(filepath.ToSlash(rel), string(raw))
	var got []seen
	for _, d := range c.Diagnostics(filepath.ToSlash(rel), 1) {
		got = append(got, seen{int(d.Range.Start.Line), int(d.Range.Start.Character), int(d.Severity), fmt.Sprint(d.Code), d.Message})
	}
	c.Close(filepath.ToSlash(rel))
	if *compared += len(want); !slices.Equal(got, want) {
		t.Errorf("%s:\nthe editor shows %+v\nvalidate finds   %+v", path, got, want)
	}
}

// validated are the findings of `validate --json` that stand in the file itself,
// as an editor counts places. It is not ok when validate refuses the request.
func validated(t *testing.T, path string, b *source.Buffer) (list []seen, ok bool) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := execute([]string{"validate", "--json", path}, streams{strings.NewReader(""), &out, &errs}); code > exitFailed {
		return nil, false // a manifest that cannot be used: in an editor the text is checked alone
	}
	var report struct {
		Diagnostics []struct {
			Code, File, Message, Hint, Severity string
			Line, Column                        int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, d := range report.Diagnostics {
		if filepath.FromSlash(d.File) != path {
			continue
		}
		start, end := b.LineSpan(d.Line - 1)
		line := []rune(b.Text[start:end])
		at := b.Place(source.UTF16, start+len(string(line[:min(d.Column-1, len(line))])))
		if d.Hint != "" {
			d.Message += "\n" + d.Hint
		}
		list = append(list, seen{at.Line, at.Character, map[string]int{"error": 1, "warning": 2, "info": 3}[d.Severity], d.Code, d.Message})
	}
	return list, true
}
