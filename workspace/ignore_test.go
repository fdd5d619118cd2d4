package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// git itself says what it ignores.
func TestIgnoredAgreesWithGit(t *testing.T) {
	dir := t.TempDir()
	files := fstest.MapFS{}
	add := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644} }
	add(".gitignore", "# c\n\\#x.bot\n*.gen.bot\n!keep.gen.bot\n/top.bot\nout/\na/**/z.bot\nd/*/y.bot\n[ab]?.bot\n{b}.bot\ntrail.bot   \n\\!bang.bot\n**/deep/\nonly/dir/\n")
	add("sub/.gitignore", "!*.gen.bot\n/here.bot\n*\n!*.bot\n")
	add("sub2/.gitignore", "inner/*.bot\n")
	paths := strings.Fields(`#x.bot x.gen.bot keep.gen.bot top.bot p/top.bot out/q.bot p/out/q.bot a/z.bot a/1/2/z.bot d/1/y.bot
		d/1/2/y.bot a1.bot c1.bot {b}.bot b.bot trail.bot !bang.bot bang.bot deep/u.bot p/deep/u.bot only/dir/v.bot p/only/dir/v.bot
		sub/x.gen.bot sub/here.bot sub/more/here.bot sub/note.txt sub2/inner/i.bot sub2/i.bot`)
	for _, p := range paths {
		add(p, "")
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("init", "-q")
	want := map[string]bool{}
	for name := range strings.SplitSeq(git("-c", "core.quotepath=off", "ls-files", "-z", "--others", "--exclude-standard"), "\x00") {
		if strings.HasSuffix(name, Ext) {
			want[name] = true
		}
	}
	got := map[string]bool{}
	Walk(dir, func(f Folder) bool {
		for _, name := range f.Files {
			rel, _ := filepath.Rel(dir, filepath.Join(f.Path, name))
			got[filepath.ToSlash(rel)] = true
		}
		return true
	}, func(path string, err error) { t.Errorf("%s: %v", path, err) })
	for _, p := range paths {
		if got[p] != want[p] {
			t.Errorf("%s: walked is %v, git lists it is %v", p, got[p], want[p])
		}
	}
}
