//go:build unix

package toolrun

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{
		"b.go": "", "a.go": "", "sub/c.go": "", "sub/deep/d.go": "", "sub/x.txt": "", ".git/config.go": "", ".iterion/runs.go": "", ".hidden/e.go": "",
		"new\nline.go": "",
	})
	put(t, w.out+"/o.go", "")
	link(t, w.out, w.dir+"/out")
	link(t, "a.go", w.dir+"/z.go")
	for _, c := range []struct {
		in   fields
		want string
	}{
		{fields{"pattern": "*.go"}, "a.go\nb.go\n\"new\\nline.go\"\n"},
		{fields{"pattern": "sub/**/*.go"}, "sub/c.go\nsub/deep/d.go\n"},
		{fields{"pattern": "**/*.{txt,md}"}, "sub/x.txt\n"},
		{fields{"pattern": "**/{c,d,e}.go"}, ".hidden/e.go\nsub/c.go\nsub/deep/d.go\n"},
		{fields{"pattern": "*", "path": "sub"}, "sub/c.go\nsub/x.txt\n"},
		{fields{"pattern": "*", "path": w.dir + "/sub/"}, "sub/c.go\nsub/x.txt\n"},
		{fields{"pattern": "*", "path": "out"}, w.out + "/o.go\n"},
		{fields{"pattern": "*", "path": ".git"}, ".git/config.go\n"},
		{fields{"pattern": "*.rs"}, "(no file matches)\n"},
	} {
		if got := w.works(t, "glob", c.in); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
	for pattern, want := range map[string]string{"../*": "relative to the folder", "/etc/*": "relative to the folder", "~/x": "relative to the folder", "{a,../b}/*": "relative to the folder", "[a": "malformed"} {
		w.fails(t, "glob", fields{"pattern": pattern}, want)
	}
	w.fails(t, "glob", fields{"pattern": "*", "path": "none"}, "no such file")
	w.fails(t, "glob", fields{"pattern": "*", "path": "a.go"}, "not a directory")
}

func TestGrep(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{
		"a.go": "one\ntwo\nthree\nfour\nfive\nsix\nTwo\n", "b.txt": "two\r\nx two\r\n", "sub/c.go": "two", "bin": "two\x00", ".git/c": "two",
		"wide": strings.Repeat("é", 500) + "two" + strings.Repeat("y", 1000),
	})
	link(t, "a.go", w.dir+"/link.go")
	for _, c := range []struct {
		in   fields
		want string
	}{
		{fields{"pattern": "two"}, "a.go\nb.txt\nsub/c.go\nwide\n"},
		{fields{"pattern": "two", "glob": "*.go"}, "a.go\nsub/c.go\n"},
		{fields{"pattern": "two", "glob": "sub/*.go"}, "sub/c.go\n"},
		{fields{"pattern": "TWO", "-i": true, "output_mode": "count"}, "a.go:2\nb.txt:2\nsub/c.go:1\nwide:1\n"},
		{fields{"pattern": "^two$", "output_mode": "content"}, "a.go:2:two\nb.txt:1:two\nsub/c.go:1:two\n"},
		{fields{"pattern": `\Atwo\z`, "output_mode": "content", "glob": "*.go"}, "a.go:2:two\nsub/c.go:1:two\n"},
		{fields{"pattern": "e\\s+t", "output_mode": "content"}, "(no line matches)\n"},
		{fields{"pattern": "two|six", "output_mode": "content", "-C": 1, "path": "a.go"}, "a.go-1-one\na.go:2:two\na.go-3-three\n--\na.go-5-five\na.go:6:six\na.go-7-Two\n"},
		{fields{"pattern": "two", "output_mode": "content", "-A": 1, "glob": "{a,c}.go"}, "a.go:2:two\na.go-3-three\n--\nsub/c.go:1:two\n"},
		{fields{"pattern": "three|four", "output_mode": "content", "-B": 1, "path": "a.go"}, "a.go-2-two\na.go:3:three\na.go:4:four\n"},
		{fields{"pattern": "two", "output_mode": "content", "path": "wide"},
			"wide:1:…" + strings.Repeat("é", 50) + "two" + strings.Repeat("y", 297) + "… (2003 bytes)\n"},
		{fields{"pattern": "two", "head_limit": 2}, "a.go\nb.txt\n(there is more than these 2 lines: narrow the search)\n"},
		{fields{"pattern": "two", "path": "link.go"}, "a.go\n"},
		{fields{"pattern": "two", "path": w.dir + "/sub"}, "sub/c.go\n"},
	} {
		for _, tool := range []string{"grep", "workspace_grep"} {
			if got := w.works(t, tool, c.in); got != c.want {
				t.Errorf("%s %v:\n%s\nwant\n%s", tool, c.in, got, c.want)
			}
		}
	}
	for pattern, want := range map[string]string{"a)(?:b": "RE2", "(": "RE2", `\1`: "RE2", "(?<!x)y": "RE2"} {
		w.fails(t, "grep", fields{"pattern": pattern}, want)
	}
	w.fails(t, "grep", fields{"pattern": "x", "glob": "[a"}, "malformed")
	w.fails(t, "grep", fields{"pattern": "x", "output_mode": "lines"}, "output_mode")
	put(t, w.out+"/f", "two")
	if got := w.works(t, "grep", fields{"pattern": "two", "path": "../o"}); got != w.out+"/f\n" {
		t.Error(got)
	}
	w.fails(t, "workspace_grep", fields{"pattern": "two", "path": "../o"}, "out of the workspace")
	link(t, w.out, w.dir+"/sub/out")
	w.fails(t, "workspace_grep", fields{"pattern": "two", "path": "sub/out"}, "out of the workspace")
}

// A search leaves out what the policy closes to reading, whichever tool it is,
// and says by which rule.
func TestSearchLeavesOut(t *testing.T) {
	w := newWorld(t, "deny", "allow Grep", "allow Glob", "allow Workspace_Grep", "deny Read(.env*)", "deny Read(vault/**)", "ask Read(*.pem)")
	w.lay(t, map[string]string{
		".env": "KEY=1", "sub/.env.local": "KEY=2", "vault/a/b": "KEY=3", "x.pem": "KEY=4", "open": "KEY=5", "VAULT/c": "KEY=6",
	})
	left := "(left out: 2 files; the deny rule `Read(.env*)` of the node matches)\n" +
		"(left out: 2 folders; the deny rule `Read(vault/**)` of the node matches)\n" +
		"(left out: 1 file; the ask rule `Read(*.pem)` of the node matches)\n"
	for _, c := range []struct {
		tool string
		in   fields
		want string
	}{
		{"grep", fields{"pattern": "KEY", "output_mode": "content"}, "open:1:KEY=5\n"},
		{"workspace_grep", fields{"pattern": "KEY", "output_mode": "content"}, "open:1:KEY=5\n"},
		{"glob", fields{"pattern": "**"}, "open\n"},
	} {
		got := w.works(t, c.tool, c.in)
		body, notes, _ := strings.Cut(got, "(")
		if body != c.want || len(notes)+1 != len(left) {
			t.Errorf("%s:\n%s\nwant\n%s%s", c.tool, got, c.want, left)
		}
	}
	one := "(no line matches)\n(left out: 1 file; the deny rule `Read(.env*)` of the node matches)\n"
	if got := w.works(t, "grep", fields{"pattern": "KEY", "path": ".env"}); got != one {
		t.Error(got)
	}
	secret := newWorld(t, "deny", "allow Grep")
	put(t, secret.root+"/secrets/token", "KEY")
	if got, allowed := secret.call("grep", fields{"pattern": "KEY", "path": secret.root + "/secrets"}); allowed {
		t.Error(got.Text)
	}
}

// A folder that cannot be listed is told, and the rest is searched.
func TestSearchGoesOn(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a/b": "x", "z": "x"})
	mode(t, w.dir+"/a", 0)
	t.Cleanup(func() { os.Chmod(w.dir+"/a", 0o700) })
	got := w.works(t, "grep", fields{"pattern": "x"})
	if want := "z\n(left out: 1 folder; it cannot be opened: permission denied)\n"; got != want && os.Getuid() != 0 || !strings.Contains(got, "z\n") {
		t.Error(got)
	}
}

// A walk that is stopped between two files ends.
func TestWalkIsStopped(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a": "", "b": ""})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	seen := 0
	walk := walk{ctx: ctx, gate: w.gate, start: w.dir, wants: func(string) bool { return true }}
	walk.visit = func(*os.Root, string, string) error { seen++; stop(); return nil }
	if err := walk.run(); err != context.Canceled || seen != 1 {
		t.Errorf("%v after %d files", err, seen)
	}
}

// What the walk meets is exchanged while it goes: nothing outside is opened.
func TestWalkMeetsASwap(t *testing.T) {
	for victim, moment := range map[string]string{"sub": "a", "sub/f": "sub/f"} {
		w := newWorld(t, "off")
		w.lay(t, map[string]string{"a": "", "sub/f": "x"})
		put(t, w.out+"/f", "SECRET")
		target := map[string]string{"sub": w.out, "sub/f": w.out + "/f"}[victim]
		s, err := (query{Pattern: ".", Mode: "content", Most: 9}).search()
		if err != nil {
			t.Fatal(err)
		}
		s.walk = walk{ctx: context.Background(), gate: w.gate, start: w.dir, visit: s.file}
		s.wants = func(rel string) bool { // the folder above has been listed
			if rel != moment {
				return true
			}
			if err := os.RemoveAll(w.dir + "/" + victim); err != nil {
				t.Fatal(err)
			}
			link(t, target, w.dir+"/"+victim)
			return true
		}
		if err := s.run(); err != nil || strings.Contains(s.out.String(), "SECRET") || !strings.Contains(s.notes(), "changed since it was judged") {
			t.Errorf("%s: %v\n%s%s", victim, err, s.out.String(), s.notes())
		}
	}
}

// A glob whose braces multiply is refused before it is tried.
func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string]int{
		"a": 1, "a,b": 1, "*.{a,b}": 2, "{a,b}{c,d,e}": 6, "{a,{b,c},d}": 4, "{a,b": 2, "}{a,b}": 2, "{a,{b,c}{d,e}}": 5, "{}": 1,
		strings.Repeat("{a,b}", 40): mostAlternatives + 1, strings.Repeat("{", 100) + "a,b": 2,
	} {
		if got := alternatives(pattern); got != want {
			t.Errorf("%s stands for %d, want %d", pattern, got, want)
		}
	}
	w := newWorld(t, "off")
	w.fails(t, "glob", fields{"pattern": strings.Repeat("{*,*a}", 30)}, "braces")
	w.fails(t, "grep", fields{"pattern": "x", "glob": strings.Repeat("{*,*a}", 30)}, "braces")
}

// Globs that tempt a matcher to try everything end.
func TestGlobsEnd(t *testing.T) {
	w := newWorld(t, "off")
	deep := strings.Repeat("a/", 60) + strings.Repeat("a", 200)
	w.lay(t, map[string]string{deep: ""})
	for _, pattern := range []string{strings.Repeat("**/a/", 30) + "b", strings.Repeat("*a", 60) + "b", "**/" + strings.Repeat("*a", 60) + "b", strings.Repeat("{*,*a}", 8) + "b"} {
		if got := w.works(t, "glob", fields{"pattern": pattern}); got != "(no file matches)\n" {
			t.Errorf("%s: %s", pattern, got)
		}
	}
}

// Of a line that is too long the beginning is searched, and the answer says so.
func TestLongLines(t *testing.T) {
	w := newWorld(t, "off")
	long := strings.Repeat("y", longestPart)
	w.lay(t, map[string]string{"a": "two\n" + long + "two\nx\ntwo\n", "b": long + "\n" + long[:longestPart-3] + "two"})
	want := "a:1:two\na:4:two\nb:2:…" + strings.Repeat("y", 100) + "two\n(left out: 1 place; the rest of a line behind 512 KiB)\n"
	if got := w.works(t, "grep", fields{"pattern": "two", "output_mode": "content"}); got != want {
		t.Errorf("%.300s", got)
	}
}
