package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// A file of a bundle leads to its main file, a fragment to the folder that holds
// both; other files lead nowhere.
func TestWhatBelongsTogether(t *testing.T) {
	dir := t.TempDir()
	files := fstest.MapFS{}
	for _, name := range []string{"b/main.bot", "b/manifest.yaml", "b/skills/s.md", "b/skills/t/SKILL.md", "b/skills/t/notes.md", "b/prompts/p.md", "b/README.md",
		"b/lib/deep/part.bot", "alone/lib/part.bot", "alone/manifest.yml"} {
		files[name] = &fstest.MapFile{Mode: 0o644}
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"b/manifest.yaml": true, "b/skills/s.md": true, "b/skills/t/SKILL.md": true, "b/prompts/p.md": true,
		"b/skills/t/notes.md": false, "b/README.md": false, "alone/manifest.yml": false,
	} {
		main, ok := BundleOf(filepath.Join(dir, name))
		if ok != want || ok && main != filepath.Join(dir, "b", Main) {
			t.Errorf("%s belongs to %s, %v", name, main, ok)
		}
	}
	for name, want := range map[string]string{"b/lib/deep/part.bot": "lib/deep/part.bot", "alone/lib/part.bot": "", "b/main.bot": ""} {
		root, rel, ok := Fragment(filepath.Join(dir, name))
		if ok != (want != "") || ok && (filepath.ToSlash(rel) != want || root != filepath.Join(dir, "b")) {
			t.Errorf("%s: %s in %s, %v", name, rel, root, ok)
		}
	}
}
