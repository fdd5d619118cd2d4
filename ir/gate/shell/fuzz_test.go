package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var seeds = []string{
	"", "git push", "cd a && git diff | tail -5", "FOO=1 sudo -u b env -S 'git push' x", "bash -c \"git $X\" <<< 'a'", "cat <<E | sh\n$(git push)\nE\n",
	"for p in a b; do echo \"$p\"; done > $X", "f() { cd a; }; f", "{a,b{c,d}}{1..3} x", "x='a[$(b)]'", "$'\\x67it' push", "find . -exec git {} \\; -o -exec sh -c 'x' +", "xargs -I{} sh -c '{}'",
	"((a", "[[ a -eq 1 ]]", "a #\\\nb", "trap 'x' EXIT; alias a=b", "echo -e 'a\\nb' | bash", "`a \\`b\\``", "exec 3<x 1>&3 >/dev/stdout", "time -p ! a |& b &", "coproc x { a; }", "${a[$(b)]:-'$(c)'}",
	strings.Repeat("sudo --x ", 40) + "git", strings.Repeat("find -exec ", 30) + "{}", strings.Repeat("(", 3000), strings.Repeat("if ", 3000), strings.Repeat("a|", 3000) + "a", strings.Repeat("{a,b}", 20),
	strings.Repeat("bash -c '", 9), strings.Repeat("$(", 600) + strings.Repeat(")", 600), strings.Repeat("eval ", 100) + "a", strings.Repeat("env -S '", 20), strings.Repeat("while cd a; do ", 30) + strings.Repeat("done;", 30),
	strings.Repeat("a && ", 5000) + "a", strings.Repeat("cd a; cd b || ", 40) + "a", "printf '" + strings.Repeat("%s", 300) + "' " + strings.Repeat("a ", 900) + "| sh",
}

// No text makes the reader fail, and what it returns keeps the form that it
// promises.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "")
	}
	f.Add("git diff", "/etc")
	f.Fuzz(func(t *testing.T, command, workdir string) {
		s := read(command, workdir)
		checkForm(t, s, command)
		if fast := new(Plain).Read(command); fast != nil {
			checkForm(t, fast, command)
		}
	})
}

func checkForm(t *testing.T, s *Script, command string) {
	t.Helper()
	size := 0
	for i, text := range s.Texts {
		size += len(text)
		if i > 0 && text == "" || slices.Contains(s.Texts[:i], text) {
			t.Errorf("%q: text %d is empty, or there twice: %q", command, i, text)
		}
	}
	for i, head := range s.Heads {
		if size += len(head); slices.Contains(s.Heads[:i], head) {
			t.Errorf("%q: the head %q is there twice", command, head)
		}
	}
	if s.Texts[0] != command || size > len(command)+textLimit(command) {
		t.Errorf("%q: texts of %d bytes, the first is %q", command, size, s.Texts[0])
	}
	for _, one := range s.Simple {
		for _, form := range one.Forms {
			if form.Fixed < 0 || form.Fixed > len(form.Text) {
				t.Errorf("%q: %+v", command, form)
			}
		}
		if len(one.Forms) == 0 || (one.Neutral == ChangesFolder) != (one.Dirs != nil) {
			t.Errorf("%q: %+v", command, one)
		}
	}
	for _, w := range s.Writes {
		for _, dir := range w.Dirs {
			if !slices.Contains(s.Folders, dir) {
				t.Errorf("%q: a write from %q, which is none of %q", command, dir, s.Folders)
			}
		}
	}
}

// What follows a command adds its own texts, and takes none away.
func TestMoreText(t *testing.T) {
	commands := []string{
		"git push", "sudo git push", "a | b", "A=1 'b c' > x", "bash -c 'a; b'", "(a && b)", "if a; then b; fi", "f() { a $X; }", "for i in a; do b; done", "echo 'x y' | sh", "find . -exec a {} +", "{a,b} c", "eval \"a\"", "x=$(a)", "cat <<E\n$(a)\nE\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		pick := rapid.SampledFrom(commands)
		a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
		if strings.HasSuffix(a, "\n") {
			a += ":"
		}
		join := rapid.SampledFrom([]string{"\n", " &\n", "\n! ", "\nwhile :\ndo "}).Draw(t, "join")
		whole := a + join + b
		if strings.HasSuffix(join, "do ") {
			whole += "\ndone"
		}
		both := Parse(whole, "")
		for _, one := range []*Script{Parse(a, ""), Parse(b, "")} {
			for _, text := range one.Texts[1:] {
				if !slices.Contains(both.Texts, text) {
					t.Fatalf("%q lacks %q of its part", whole, text)
				}
			}
			for _, head := range one.Heads {
				ofWhole := len(one.Simple) > 1 && strings.HasPrefix(one.Texts[0], head)
				if !ofWhole && !slices.Contains(both.Heads, head) {
					t.Fatalf("%q lacks the head %q of its part", whole, head)
				}
			}
			if one.Opaque != "" && both.Opaque == "" || one.Plain != "" && both.Plain == "" || len(both.Simple) < len(one.Simple) {
				t.Fatalf("%q is read as less than its part", whole)
			}
		}
	})
}

// A static text in normal form is its own normal form.
func TestNormalForm(t *testing.T) {
	for _, command := range []string{"git push", "A=1 /usr/bin/GIT  push", "sudo -u b g\\it 'push' x", "bash -c 'git  push'"} {
		s := Parse(command, "")
		last := s.Texts[len(s.Texts)-1]
		if again := Parse(last, ""); len(again.Texts) != 1 || again.Opaque != "" || last[:3] != "git" {
			t.Errorf("%q ends in %q, which comes to %q", command, last, again.Texts)
		}
	}
}

func TestWrapper(t *testing.T) {
	for name, want := range map[string]bool{"sudo": true, "/usr/bin/ENV": true, "xargs": true, "bash": true, "eval": true, "find": true, "time": true, "git": false, "": false, "./tools/run": false} {
		if Wrapper(name) != want {
			t.Errorf("%q is a wrapper: %v", name, !want)
		}
	}
}
