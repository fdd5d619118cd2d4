package main

import (
	"bytes"
	"os"
	"testing"

	"iterion/editors/textmate"
)

// The extension for VS Code carries the grammar as a file of its own.
func TestDocsTextMate(t *testing.T) {
	const file = "../../editors/vscode/syntaxes/bot.tmLanguage.json"
	want, err := textmate.Grammar()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current (%v): go test ./cmd/iterion -run TestDocs -update", file, err)
	}
}
