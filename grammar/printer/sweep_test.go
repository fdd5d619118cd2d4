package printer

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/lexer"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
)

// samples returns every text of the corpus that parses on its own.
func samples(t testing.TB) []*source.File {
	t.Helper()
	var files []*source.File
	for _, f := range corpus.Files() {
		files = append(files, source.Load(f.Name, f.Data))
	}
	if len(files) < 100 {
		t.Fatalf("only %d corpus files", len(files))
	}
	return files
}

// check formats a file and verifies what must hold for every file that
// parses: no refusal but for a directive that would move out of its reach, one newline at the end, a second run that changes
// nothing, and nothing of the content lost. It returns nil for a file that
// is not formatted.
func check(src *source.File) ([]byte, error) {
	out, err := Format(src)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		if out != nil || len(syntax.Problems) == 0 {
			return nil, errors.New("text, or no problem, with a syntax error")
		}
		return nil, nil
	}
	var unsafe *UnsafeError
	if errors.As(err, &unsafe) && unsafe.Reason == profileChanges {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(out) > 0 && (!bytes.HasSuffix(out, []byte("\n")) || bytes.HasSuffix(out, []byte("\n\n"))) {
		return nil, errors.New("the text does not end with one newline")
	}
	after := source.Load(src.Name, out)
	twice, err := Format(after)
	if err != nil {
		return nil, fmt.Errorf("second run: %w", err)
	}
	if !bytes.Equal(out, twice) {
		return nil, fmt.Errorf("the second run changed the text:\n%s", firstDifference(out, twice))
	}
	for _, of := range []func(*source.File) []string{comments, values} {
		if a, b := of(src), of(after); !slices.Equal(a, b) {
			return nil, fmt.Errorf("comments or values differ:\n%q\n%q", a, b)
		}
	}
	return out, nil
}

// comments lists the texts of all comments without hashes and space, sorted.
// It reads tokens, not the tree.
func comments(src *source.File) []string {
	var list []string
	lex := lexer.New()
	for text := src.Text; ; {
		end, ok := lex.Next(text)
		for _, c := range lex.Comments {
			list = append(list, strings.TrimPrefix(strings.TrimLeft(text[c.Start:c.End], "#"), " "))
		}
		if !ok {
			break
		}
		text = text[end:]
	}
	slices.Sort(list)
	return list
}

// values lists what every leaf of a file's trees says, sorted.
func values(src *source.File) []string {
	var list []string
	f := parser.File(src)
	for _, d := range f.Decls {
		for i, n := range d.Nodes {
			if n.Kind >= ast.Key && int(n.Next) == i+1 && n.Kind != ast.List && n.Kind != ast.Map {
				value := literal.Value(n.Kind, d.Slice(i), literal.ModeOf(f))
				if n.Kind == ast.Type {
					value = unspaced(value)
				}
				list = append(list, value)
			}
		}
	}
	slices.Sort(list)
	return list
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d\n%q\n%q", i+1, strings.Join(x[i:min(i+3, len(x))], "\n"), strings.Join(y[min(i, len(y)):min(i+3, len(y))], "\n"))
		}
	}
	return ""
}

func TestCorpus(t *testing.T) {
	for _, src := range samples(t) {
		out, err := check(src)
		if err != nil || out == nil {
			t.Errorf("%s: formatted %v, %v", src.Name, out != nil, err)
			continue
		}
		crlf := strings.ReplaceAll(src.Text, "\n", "\r\n")
		again, err := Format(source.Load(src.Name, []byte(source.BOM+crlf)))
		if err != nil || !bytes.Equal(out, again) {
			t.Errorf("%s: the CRLF spelling formats otherwise: %v", src.Name, err)
		}
	}
}

// TestMutations formats corpus files with random damage that still parse.
func TestMutations(t *testing.T) {
	const want, limit = 1000, 20000
	files := samples(t)
	parsed := 0
	for seed := uint64(0); seed < limit && parsed < want; seed++ {
		rng := rand.New(rand.NewPCG(seed, 1))
		text := mutate(rng, files[rng.IntN(len(files))].Text)
		out, err := check(source.New("mutant.bot", text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if out != nil {
			parsed++
		}
	}
	if parsed < want {
		t.Fatalf("only %d mutants parse", parsed)
	}
}

// mutate changes a few lines of a text.
func mutate(rng *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(lines))
		line := lines[at]
		switch rng.IntN(12) {
		case 0:
			lines = slices.Delete(lines, at, at+1)
			if len(lines) == 0 {
				return ""
			}
		case 1:
			lines = slices.Insert(lines, at, line)
		case 2:
			lines[at] = strings.Repeat(" ", 1+rng.IntN(4)) + line
		case 3:
			lines[at] = strings.TrimPrefix(line, "  ")
		case 4:
			lines = slices.Insert(lines, at, make([]string, 1+rng.IntN(3))...)
		case 5, 6:
			hashes := strings.Repeat("#", 1+rng.IntN(3))
			lines = slices.Insert(lines, at, strings.Repeat(" ", rng.IntN(9))+hashes+[]string{"", " x", "y", " ---"}[rng.IntN(4)])
		case 7:
			lines[at] = line + strings.Repeat(" ", rng.IntN(3)) + "# behind"
		case 8:
			other := rng.IntN(len(lines))
			lines[at], lines[other] = lines[other], line
		case 9:
			lines[at] = line + "\r"
		case 10:
			if i := strings.IndexAny(line, ",{}[] :"); i >= 0 {
				lines[at] = line[:i+1] + []string{" ", "\t", "\n", "# in\n", ","}[rng.IntN(5)] + line[i+1:]
			}
		case 11:
			if i := strings.LastIndexAny(line, "{},[]:("); i >= 0 {
				lines[at] = line[:i] + []string{" ", "\n", " # in\n", " # in\n   # more\n"}[rng.IntN(4)] + line[i:]
			}
		}
	}
	return strings.Join(lines, "\n")
}

func FuzzFormat(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := check(source.Load("fuzz.bot", []byte(text))); err != nil {
			t.Fatal(err)
		}
	})
}
