package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// git itself says what it ignores.
func TestIgnoredAgreesWithGit(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		".gitignore":      "# c\n\\#x.bot\n*.gen.bot\n!keep.gen.bot\n/top.bot\nout/\na/**/z.bot\nd/*/y.bot\n[ab]?.bot\n{b}.bot\ntrail.bot   \n\\!bang.bot\n**/deep/\nonly/dir/\n",
		"sub/.gitignore":  "!*.gen.bot\n/here.bot\n*\n!*.bot\n",
		"sub2/.gitignore": "inner/*.bot\n",
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	paths := strings.Fields(`#x.bot x.gen.bot keep.gen.bot top.bot p/top.bot out/q.bot p/out/q.bot a/z.bot a/1/2/z.bot d/1/y.bot
		d/1/2/y.bot a1.bot c1.bot {b}.bot b.bot trail.bot !bang.bot bang.bot deep/u.bot p/deep/u.bot only/dir/v.bot p/only/dir/v.bot
		sub/x.gen.bot sub/here.bot sub/more/here.bot sub/note.txt sub2/inner/i.bot sub2/i.bot`)
	for _, p := range paths {
		write(t, filepath.Join(dir, p), "")
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
		if strings.HasSuffix(name, ext) {
			want[name] = true
		}
	}
	got := map[string]bool{}
	walk(dir, func(f folder) bool {
		for _, name := range f.files {
			rel, _ := filepath.Rel(dir, filepath.Join(f.path, name))
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
