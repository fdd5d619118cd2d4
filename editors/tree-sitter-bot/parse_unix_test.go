//go:build unix

package treesitter

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/parser"
	"iterion/grammar/reference"
	"iterion/grammar/reference/sample"
)

// harness is the grammar in a program of its own, with the checks of memory
// and of undefined behaviour that the compiler has.
var harness = sync.OnceValues(func() (string, error) {
	program := filepath.Join(scratch, "harness")
	object := filepath.Join(scratch, "scanner.o")
	flags := []string{"-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-Isrc"}
	scanner := append(flags, "-Dtree_sitter_bot_external_scanner_scan=counted_scan", "-c", "-o", object, "src/scanner.c")
	all := append(flags, "-o", program, "test/harness.c", "src/parser.c", object, "-ltree-sitter")
	for _, args := range [][]string{scanner, all} {
		if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("cc: %w (it needs Debian's packages gcc and libtree-sitter-dev)\n%s", err, out)
		}
	}
	return program, nil
})

// summary is what the harness says of a text.
type summary struct {
	fault   string   // place of the first fault, "" for none
	outline []string // declarations, then the counts of nodes; of a text without a fault
	edited  string   // how the tree of the text as an edit differs
	steps   int      // characters that the scanner passed
}

// parse hands the texts to one process of the harness.
func parse(t testing.TB, texts []string) []summary {
	t.Helper()
	program, err := harness()
	if err != nil {
		t.Fatal(err)
	}
	var frames bytes.Buffer
	for _, text := range texts {
		fmt.Fprintf(&frames, "%d\n%s", len(text), text)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = &frames
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	lines := bufio.NewReader(bytes.NewReader(out))
	list := make([]summary, len(texts))
	for i := range list {
		list[i] = readSummary(t, lines)
	}
	return list
}

func readSummary(t testing.TB, lines *bufio.Reader) (s summary) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the harness ended early: %v", err)
		}
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case ".":
			return s
		case "fault":
			s.fault = rest
		case "steps":
			s.steps, _ = strconv.Atoi(rest)
		case "edited", "fresh":
			s.edited += line + "\n"
		default:
			s.outline = append(s.outline, line)
		}
	}
}

// named is a text of the corpus.
type named struct{ name, text string }

// corpus returns all texts of the corpus, those inside archives too.
func corpus(t testing.TB) (all []named) {
	t.Helper()
	add := func(name string, raw []byte) {
		all = append(all, named{name, source.Load(name, raw).Text})
	}
	for _, f := range sample.Files(t) {
		add(f.Name, f.Raw)
	}
	for _, archive := range archives(t) {
		for _, f := range txtar.Parse(archive.Raw).Files {
			if strings.HasSuffix(strings.Fields(f.Name)[0], ".bot") {
				add(archive.Name+"/"+f.Name, f.Data)
			}
		}
	}
	return all
}

// clean tells whether the parser finds no fault in a text.
func clean(text string) bool {
	f := parser.File(source.New("a.bot", text))
	return len(f.Problems) == 0 && !slices.ContainsFunc(f.Decls, func(d *ast.Declaration) bool { return len(d.Problems) > 0 })
}

// Every valid text is read without a fault, and as the written grammar reads it:
// the same declarations, edges and properties.
func TestCorpus(t *testing.T) {
	all := corpus(t)
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.text
	}
	read := 0
	for i, got := range parse(t, texts) {
		decls, err := reference.Parse(all[i].text)
		if err != nil || !clean(all[i].text) {
			continue
		}
		read++
		check(t, all[i], got, decls)
	}
	if read < 1000 {
		t.Errorf("only %d of %d texts were read", read, len(all))
	}
}

func check(t testing.TB, c named, got summary, decls []*reference.Declaration) {
	t.Helper()
	if got.fault != "" {
		t.Errorf("%s:%s: a fault where the grammar sees none", c.name, got.fault)
		return
	}
	if want := outlineOf(decls); strings.Join(got.outline, "\n") != want {
		t.Errorf("%s: it sees\n%s\nthe grammar sees\n%s", c.name, strings.Join(got.outline, "\n"), want)
	}
}

// A file as it lies on disk, with its byte order mark and its ends of lines, is
// read as the folded one.
func TestFilesAsTheyLie(t *testing.T) {
	var texts []string
	files := sample.Files(t)
	for _, f := range files {
		texts = append(texts, string(f.Raw), strings.ReplaceAll(source.Load(f.Name, f.Raw).Text, "\n", "\r\n"))
	}
	got := parse(t, texts)
	for i := range got {
		text := source.Load(files[i/2].Name, files[i/2].Raw).Text
		if decls, err := reference.Parse(text); err == nil {
			check(t, named{files[i/2].Name, text}, got[i], decls)
		}
	}
}

func TestGeneratedPrograms(t *testing.T) {
	var texts []string
	for i := range 300 {
		texts = append(texts, sample.Program().Example(i))
	}
	for i, got := range parse(t, texts) {
		decls, err := reference.Parse(texts[i])
		if err != nil {
			t.Fatal(err)
		}
		check(t, named{fmt.Sprintf("program %d:\n%s", i, texts[i]), texts[i]}, got, decls)
	}
}

// Every beginning of a file is parsed, from nothing and as an edit of the
// beginning that is a byte shorter.
func TestPrefixes(t *testing.T) {
	chosen := []string{
		"syntax/templates.bot", "syntax/edges_with_margin.bot", "syntax/loose_comments.bot", "syntax/loose_prompts.bot", "syntax/expressions.bot",
		"syntax/string_raw.bot", "syntax/contracts.bot", "syntax/bom_crlf.bot", "syntax/edges_keyword_nodes.bot", "examples/",
	}
	for _, f := range sample.Files(t) {
		for i, name := range chosen {
			if !strings.HasPrefix(f.Name, name) {
				continue
			}
			chosen[i] = "done: " + name
			var texts []string
			for end := range len(f.Raw) + 1 {
				texts = append(texts, string(f.Raw[:end]))
			}
			noDifference(t, f.Name, texts)
		}
	}
	for _, name := range chosen {
		if !strings.HasPrefix(name, "done: ") {
			t.Errorf("the corpus has no %s", name)
		}
	}
}

func noDifference(t *testing.T, name string, texts []string) {
	t.Helper()
	for i, got := range parse(t, texts) {
		if got.edited != "" {
			t.Errorf("%s, text %d: an edit gives another tree\n%s\n%s", name, i, texts[i], got.edited)
			return
		}
	}
}

// pieces are what the fuzz puts into texts: what opens, closes and indents.
var pieces = []string{
	"\n", "\n  ", "\n        ", "\t", "\r\n", "\x00", "\xff", "`", "\"", "\\", "{{", "}}", "{{vars.x}}", "{{include \"a\"}}", "with {", "}", "[", "]", "(", ")",
	"|\n", "prompt p:\n  text\n", "#", "\n# c\n", " when \"", " as foreach x(", "->", ":", "-", "é", "\uFEFF", strings.Repeat(" ", 70000),
}

// Damaged files are parsed by the scanner under the memory checks.
func TestDamagedFiles(t *testing.T) {
	files := sample.Files(t)
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for range 1500 {
		raw := string(files[random.IntN(len(files))].Raw)
		texts = append(texts, raw)
		for range 1 + random.IntN(4) {
			at := random.IntN(len(raw) + 1)
			drop := random.IntN(min(20, len(raw)-at) + 1)
			raw = raw[:at] + pieces[random.IntN(len(pieces))] + raw[at+drop:]
		}
		texts = append(texts, raw)
	}
	parse(t, texts)
}

// Random edits of a program give the tree of the text that they lead to.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := sample.Program().Draw(r, "program")
		at := rapid.IntRange(0, len(text)).Draw(r, "at")
		drop := rapid.IntRange(0, min(8, len(text)-at)).Draw(r, "drop")
		damaged := text[:at] + rapid.SampledFrom(pieces).Draw(r, "piece") + text[at+drop:]
		for _, got := range parse(t, []string{text, damaged, text}) {
			if got.edited != "" {
				r.Fatalf("of\n%s\n%s", damaged, got.edited)
			}
		}
	})
}

// The scanner's work grows with the text and not with its square, whatever
// makes it look ahead.
func TestWorkIsLinear(t *testing.T) {
	const head = "workflow w:\n  entry: a\n"
	for name, text := range map[string]func(n int) string{
		"comments at the margin of a block": func(n int) string { return head + strings.Repeat("# c\n", n) + "  a -> b\n" },
		"comments behind a block":           func(n int) string { return head + strings.Repeat("# c\n", n) + "tool t:\n  command: \"x\"\n" },
		"comments inside a block":           func(n int) string { return head + strings.Repeat("  # c\n", n) + "  a -> b\n" },
		"comments behind deep blocks":       func(n int) string { return deep(90) + strings.Repeat("# c\n", n) },
		"entries at the margin":             func(n int) string { return head + "  a -> b with {\n" + strings.Repeat("x: 1\n", n) + "}\n" },
		"comments between entries":          func(n int) string { return head + "  a -> b with {\n" + strings.Repeat("# c\n", n) + "}\n" },
		"a with that is never closed":       func(n int) string { return head + "  a -> b with {\n" + strings.Repeat("x: 1\n", n) },
		"braces in a text":                  func(n int) string { return head + "  x: \"" + strings.Repeat("{{", n) + "\"\n" },
		"open templates":                    func(n int) string { return "prompt p:\n  " + strings.Repeat("{{a.", n) + "\n" },
		"blank lines in a text":             func(n int) string { return "prompt p:\n  a\n" + strings.Repeat("\n", n) + "  b\n" },
		"blank lines in a block":            func(n int) string { return head + strings.Repeat("\n", n) + "  a -> b\n" },
		"an open list":                      func(n int) string { return head + "  x: [\n" + strings.Repeat("    a,\n", n) },
		"noise":                             func(n int) string { return strings.Repeat("@ ( \n  { \"\n", n) },
	} {
		t.Run(name, func(t *testing.T) {
			got := parse(t, []string{text(2000), text(4000)})
			if got[1].steps > 3*got[0].steps {
				t.Errorf("%d steps for one text, %d for twice as much", got[0].steps, got[1].steps)
			}
		})
	}
}

// deep is a text of n nested blocks.
func deep(n int) string {
	var b strings.Builder
	b.WriteString("vars:\n")
	for i := range n {
		fmt.Fprintf(&b, "%*sx:\n", i+1, "")
	}
	return b.String()
}

// Of more levels than may be open the further ones are read as one.
func TestDepth(t *testing.T) {
	for _, got := range parse(t, []string{deep(99), deep(100), deep(101), deep(5000) + "tool t:\n  command: \"x\"\n"}) {
		if got.fault != "" {
			t.Errorf("a fault at %s", got.fault)
		}
	}
}
