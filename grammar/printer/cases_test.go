package printer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/ir/build"
)

// program identifies what a text means and what is found in it, places left
// out.
func program(name, text string) string {
	r := build.Text(name, text)
	list := []string{}
	for _, d := range r.Diagnostics {
		list = append(list, string(d.Code)+" "+d.Message)
	}
	slices.Sort(list)
	return r.Program().Hash() + "\n" + strings.Join(list, "\n")
}

// Whatever untidy spelling a file has, once is enough and the program stays.
func TestUntidySpellings(t *testing.T) {
	files := samples(t)
	changed := 0
	for seed := uint64(0); changed < 1000; seed++ {
		rng := rand.New(rand.NewPCG(seed, 7))
		f := files[rng.IntN(len(files))]
		text := untidy(rng, f.Text)
		if text != f.Text {
			changed++
		}
		out, err := check(source.New(f.Name, text))
		if err != nil || out == nil {
			t.Fatalf("%s, seed %d: %v\n%s", f.Name, seed, err, text)
		}
		if a, b := program(f.Name, text), program(f.Name, string(out)); a != b {
			t.Fatalf("%s, seed %d: the program changed\n%s\n%s\n%s", f.Name, seed, a, b, text)
		}
	}
}

// untidy adds blank lines and comments of any indent between declarations,
// and comments behind edges and properties: places where neither is text.
func untidy(rng *rand.Rand, text string) string {
	comment := func(indent int) string {
		return strings.Repeat(" ", indent) + strings.Repeat("#", 1+rng.IntN(3)) + []string{"", " x", "y", "   deep"}[rng.IntN(4)]
	}
	var out []string
	body := false // inside a text, or where one may go on
	code := strings.Split(strings.TrimRight(text, "\n"), "\n")
	fence := 0 // the last line of the head
	for i, line := range code {
		if strings.HasPrefix(line, "## ---") || strings.HasPrefix(line, "dsl:") || strings.HasPrefix(line, "import ") {
			fence = i
		}
	}
	for i, line := range code {
		margin := line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#")
		keyword, _, _ := strings.Cut(line, " ")
		if margin {
			body = keyword == "prompt" || schema.Lookup(strings.TrimSuffix(keyword, ":")) == nil
		}
		if margin && !body && !strings.Contains(text, "strict-escape") && i > fence {
			for range rng.IntN(6) {
				out = append(out, "")
			}
			for range rng.IntN(3) {
				out = append(out, comment(rng.IntN(7)))
			}
		}
		if keyword == "" && !body && strings.Contains(line, " -> ") && !strings.ContainsAny(line, "{#\"`") && rng.IntN(3) == 0 {
			line += strings.Repeat(" ", rng.IntN(4)) + comment(0)
		}
		if strings.ContainsAny(line, "`|") {
			body = true
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + strings.Repeat("\n", rng.IntN(4))
}

// Long inline lists of every length are cut once.
func TestLongLists(t *testing.T) {
	for n := range 60 {
		items := strings.TrimSuffix(strings.Repeat("\"item\", ", n), ", ")
		for _, text := range []string{"agent a:\n  skills: [" + items + "]\n", "workflow w:\n  allow:   [ " + items + " ]  # why\n  a -> done\n"} {
			if out, err := check(source.New("x.bot", text)); err != nil || out == nil {
				t.Errorf("%d items: %v", n, err)
			}
		}
	}
}

// commandOf is the command of the first node of a text.
func commandOf(t *testing.T, text string) string {
	t.Helper()
	r := build.Text("x.bot", text+"\nworkflow w:\n  entry: t\n\n  t -> done\n")
	if !r.Valid() {
		t.Fatalf("%v\n%s", r.Diagnostics, text)
	}
	return r.Program().Nodes[0].Tool.Command.V.Value()
}

// The value of a literal is the same bytes after formatting, in both profiles.
func TestValuesKeepTheirBytes(t *testing.T) {
	tests := []struct{ name, literal, loose, strict string }{
		{"raw over two lines", "`echo \"a\"\nprintf '\\n'`", "echo \"a\"\nprintf '\\n'", "echo \"a\"\nprintf '\\n'"},
		{"raw with spaces at line ends", "`a  \n\n b\t\n`", "a  \n\n b\t\n", "a  \n\n b\t\n"},
		{"a pattern", `"\d+"`, `\d+`, ""},
		{"a pattern, escaped", `"\\d+"`, `\\d+`, `\d+`},
		{"a backslash at the end", `"a\\"`, `a\\`, `a\`},
		{"an escaped quote", `"a\"b"`, `a\"b`, `a"b`},
		{"an escaped newline", `"a\nb"`, `a\nb`, "a\nb"},
		{"a hash", `"a # b"`, "a # b", "a # b"},
		{"a tab", "\"a\tb\"", "a\tb", "a\tb"},
		{"a block", "|\n    echo \"a\"\n      printf '\\n'\n\n    c", "echo \"a\"\n  printf '\\n'\n\nc\n", "echo \"a\"\n  printf '\\n'\n\nc\n"},
		{"a block at another indent", "|\n          a\n           b", "a\n b\n", "a\n b\n"},
		{"a bare word", "true", "true", "true"},
	}
	for _, test := range tests {
		for header, want := range map[string]string{"dsl: 1": test.loose, "dsl: 2": test.strict, "## strict-escape: on": test.strict} {
			text := header + "\n\ntool t:\n  command:   " + test.literal + "\n"
			out, err := check(source.New("x.bot", text))
			if want == "" { // an escape that the profile does not know
				if out != nil || err != nil {
					t.Errorf("%s in %s: %q, %v", test.name, header, out, err)
				}
				continue
			}
			if err != nil || out == nil {
				t.Errorf("%s in %s: %v", test.name, header, err)
				continue
			}
			if before, after := commandOf(t, text), commandOf(t, string(out)); before != want || after != want {
				t.Errorf("%s in %s: %q became %q, want %q", test.name, header, before, after, want)
			}
		}
	}
}

// Every short text of troublesome characters is written so that it reads back,
// or not at all. The second profile can write them all.
func TestLiteralsReadBack(t *testing.T) {
	alphabet := []string{"\"", "`", "\\", "\n", "\r", "\t", " ", "#", "n", "{{"}
	texts := []string{""}
	for range 3 {
		for _, text := range texts[:len(texts):len(texts)] {
			for _, c := range alphabet {
				texts = append(texts, text+c)
			}
		}
		slices.Sort(texts)
		texts = slices.Compact(texts)
	}
	for _, profile := range []int{1, 2} {
		for _, value := range texts {
			written, ok := literal.Spell(value, profile == 2, 1)
			if !ok {
				if profile == 2 {
					t.Errorf("%q cannot be written", value)
				}
				continue
			}
			text := fmt.Sprintf("dsl: %d\n\ntool t:\n  command: %s\n\nworkflow w:\n  entry: t\n\n  t -> done\n", profile, written)
			tools := build.Text("x.bot", text).Program().Nodes
			if len(tools) != 1 || tools[0].Tool.Command.V.Value() != value {
				t.Errorf("%q in profile %d: %s", value, profile, written)
			}
		}
	}
}

// A bot that misses one bracket or quote is not formatted, not even in part.
func TestUnclosedIsLeftAlone(t *testing.T) {
	refused := 0
	for _, f := range corpus.Bots() {
		text := source.Load(f.Name, f.Data).Text
		for at := range len(text) {
			if !strings.ContainsRune("[{(\"`", rune(text[at])) || at%5 != 0 {
				continue
			}
			out, err := Format(source.New(f.Name, text[:at]+text[at+1:]))
			if (out == nil) != (err != nil) {
				t.Fatalf("%s without byte %d: %d bytes, %v", f.Name, at, len(out), err)
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused < 150 {
		t.Errorf("only %d were refused", refused)
	}
	const middle = "dsl: 2\n\nagent a:\n  model:   \"m\"\n  tools: [grep\n\nworkflow w:\n  a   -> done\n"
	out, err := Format(source.New("x.bot", middle))
	var syntax *SyntaxError
	if out != nil || !errors.As(err, &syntax) || syntax.Source.Position(int(syntax.Problems[0].Span.Start)).Line != 5 {
		t.Errorf("%q, %v", out, err)
	}
}

// An empty list is a declaration: its line stays, in every list of the
// language.
func TestEmptyListsStay(t *testing.T) {
	lists := []schema.Form{schema.NameList, schema.StrList, schema.ToolList, schema.StrOrNameList, schema.NameOrNameList}
	count := 0
	for _, k := range schema.Kinds() {
		for _, p := range k.Props {
			if !slices.Contains(lists, p.Form) {
				continue
			}
			count++
			line := "  " + p.Name + ": []\n"
			for _, spelled := range []string{line, "  " + p.Name + ":   [ ]\n", "  " + p.Name + ":[]  # none\n"} {
				out, err := check(source.New("x.bot", k.Name+" x:\n"+spelled))
				if err != nil || !strings.Contains(string(out), strings.TrimSuffix(line, "\n")) {
					t.Errorf("%s: %q became %q, %v", k.Name, spelled, out, err)
				}
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d lists", count)
	}
}
