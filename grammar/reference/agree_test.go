package reference

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/parser"
	"iterion/grammar/reference/sample"
)

// keeping are the codes of problems behind which the parser has still read the
// whole text, so that its tree is the one that the grammar describes.
var keeping = map[string]bool{
	"E005": true, "E010": true, "E011": true, "E014": true, "E021": true, "E030": true, "E031": true,
	"E041": true, "E042": true, "E043": true, "E044": true,
}

// wholly tells whether the parser read all of a text, and whether it found any
// problem in it.
func wholly(f *ast.File) (read, clean bool) {
	problems := f.Problems
	read = !f.Stopped
	for _, d := range f.Decls {
		problems = append(problems, d.Problems...)
		for _, n := range d.Nodes {
			read = read && n.Kind != ast.Bad
		}
	}
	for _, p := range problems {
		read = read && keeping[p.Code]
	}
	return read, len(problems) == 0
}

// agree holds the two parsers against each other:
//   - a text that the parser reads wholly, the grammar reads too, and both see
//     the same shape;
//   - in a text that the grammar refuses, the parser finds a problem.
//
// The reverse does not hold: the grammar knows no kind, no property and no
// form of value, and no gap between tokens.
func agree(text string) error {
	f := parser.File(source.New("a.bot", text))
	read, clean := wholly(f)
	decls, err := Parse(text)
	if err != nil {
		if clean {
			return fmt.Errorf("the parser finds no problem, but the grammar says: %w", err)
		}
		if read {
			return fmt.Errorf("the parser reads it all, but the grammar says: %w", err)
		}
		return nil
	}
	if !read {
		return nil
	}
	if got, want := outlineOf(decls), outlineOfAST(f); got != want {
		return fmt.Errorf("the grammar sees\n%sthe parser sees\n%s", got, want)
	}
	return nil
}

func TestAgreeOnTheCorpus(t *testing.T) {
	for _, file := range sample.Files(t) {
		text := source.Load(file.Name, file.Raw).Text
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
		if err := agree(text); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
}

func TestAgreeOnGeneratedPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := sample.Program().Draw(t, "program")
		if _, err := Parse(text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if err := agree(text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	})
}

// TestAgreeOnBrokenPrograms takes a piece out of a program and puts another in.
func TestAgreeOnBrokenPrograms(t *testing.T) {
	pieces := []string{"", ":", " ", "\n", "\n  ", "->", "[", "]", "{", "}", "(", ")", "\"", "`", ",", ".", "*", "- ", "=", "|", "#",
		" not ", " when ", " as ", "with {", "1", "x", "string[]", "enum", "x y:", "x:", "@", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		text := sample.Program().Draw(t, "program")
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			drop := rapid.IntRange(0, min(3, len(text)-at)).Draw(t, "drop")
			text = text[:at] + rapid.SampledFrom(pieces).Draw(t, "piece") + text[at+drop:]
		}
		if err := agree(text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	})
}

func FuzzAgree(f *testing.F) {
	for _, file := range sample.Files(f) {
		f.Add(source.Load(file.Name, file.Raw).Text)
	}
	for i := range 20 {
		f.Add(sample.Program().Example(i))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := agree(text); err != nil {
			t.Fatal(err)
		}
	})
}

func TestErrorTellsThePlace(t *testing.T) {
	for text, want := range map[string]int{
		"agent a:\n  model: @\n":                    18,
		"vars:\n  a: int\n\nworkflow w:\n  a -> \n": 36,
		"tool t:\n  command: \"open\n":              19,
		"agent a:\n  x: " + strings.Repeat("[", 70): 79,
	} {
		_, err := Parse(text)
		var at *Error
		if !errors.As(err, &at) {
			t.Errorf("%q: %v", text, err)
		} else if at.Offset != want {
			t.Errorf("%q: error at byte %d, want %d", text, at.Offset, want)
		}
	}
}
