package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/lsp/protocol317"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.bot", ".hidden", "lib/b.bot", "lib/deep/c.bot"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := New(&protocol317.ClientCapabilities{}, nil)
	for _, name := range []string{"a.bot", "new.bot", "lib/new.bot"} {
		s.Open(protocol.TextDocumentItem{URI: uri.File(filepath.Join(dir, filepath.FromSlash(name)))})
	}
	for below, want := range map[string][]Name{
		"":        {{"a.bot", false}, {"lib", true}, {"new.bot", false}},
		"lib/":    {{"b.bot", false}, {"deep", true}, {"new.bot", false}},
		"../":     nil,
		"/etc":    nil,
		"missing": nil,
		"a.bot":   nil,
	} {
		if got, more := s.Snapshot().Folder(dir, below, 100); !slices.Equal(got, want) || more {
			t.Errorf("%q: %v, want %v", below, got, want)
		}
	}
	if got, more := s.Snapshot().Folder(dir, "lib", 1); len(got) != 1 || !more {
		t.Errorf("of two names one is asked for: %v %v", got, more)
	}
}
