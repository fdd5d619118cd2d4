package shell

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text that is read without the parser comes to the same as with it.
func TestPlainScript(t *testing.T) {
	words := rapid.SampledFrom([]string{
		"git", "Git", "./git", "push", "-f", "--x=y", "a=b", "HEAD~1", "~", "~/x", "a:~b", "x#y", "#x", "./...", "%1", "@", "^", "if", "done", "time", "let", "export",
		"cd", "env", "sudo", "echo", "true", "cat", "printf", ".", "-", "2", "[", "!", "é", "a,b", "", "bats", "@test", "in", "exit", "+x", "x+=1",
	})
	plain := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words, 1, 5).Draw(rt, "words"), " ")
		fast := new(Plain).Read(text)
		if fast == nil {
			return
		}
		plain++
		if slow := read(text, ""); !reflect.DeepEqual(fast, slow) {
			rt.Fatalf("%q: %+v, with the parser %+v", text, fast, slow)
		}
	})
	if plain == 0 {
		t.Error("no text was plain")
	}
}

var plainTexts = map[string]bool{
	"go test ./...": true, "git push origin main": true, "ls": true, "git diff HEAD~1 --stat": true, "make a=b": true, "rm -rf build/x": true,
	"": false, " ls": false, "ls ": false, "ls  -l": false, "ls\t-l": false, "ls\n": false, "ls;": false, "ls *": false, "ls $X": false, "ls ~": false, "ls #x": false, "ls 'x'": false,
	"a=b c": false, "./ls": false, "LS": false, "ls a=~": false, "echo x": false, "env x": false, "if x": false, "2>x": false, "ls {a,b}": false, "ls \\x": false, "ls (": false, "é": false, "ls \x00": false, "ls \r": false,
}

func TestPlainTexts(t *testing.T) {
	for text, want := range plainTexts {
		if got := new(Plain).Read(text) != nil; got != want {
			t.Errorf("%q is plain: %v", text, got)
		}
	}
}
