package treesitter

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"iterion/grammar/schema"
)

var update = flag.Bool("update", false, "rewrite what is made from the property table")

// vocabulary is what grammar.js must know of the property table. All else it
// leaves to the server.
type vocabulary struct {
	ExpressionProperties []string `json:"expression_properties"` // whose text is an expression
	ExpressionBlocks     []string `json:"expression_blocks"`     // whose entries are expressions
}

// copies are the queries that editors read from folders of their own.
var copies = map[string][]string{
	"queries/highlights.scm": {"../nvim/queries/bot/highlights.scm", "../helix/queries/bot/highlights.scm", "../zed/languages/bot/highlights.scm"},
	"queries/injections.scm": {"../nvim/queries/bot/injections.scm", "../helix/queries/bot/injections.scm", "../zed/languages/bot/injections.scm"},
	"queries/folds.scm":      {"../nvim/queries/bot/folds.scm"},
	"queries/indents.scm":    {"../nvim/queries/bot/indents.scm"},
}

// What is made from the property table is current, and so are the copies of
// the queries. -update rewrites them; `tree-sitter generate` must follow when
// the vocabulary has changed.
func TestGenerated(t *testing.T) {
	words, err := json.MarshalIndent(expressions(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	current(t, "vocabulary.json", append(words, '\n'))
	for file, parts := range map[string]map[string]string{
		"queries/highlights.scm": {"kinds": isWord("keyword", kinds()), "types": isWord("type.builtin", types()), "words": isWord("constant.builtin", enumWords())},
		"queries/injections.scm": {"shell": isWord("_name", texts(schema.ShellText, "tool")), "prompts": isWord("_name", texts(schema.PromptText, ""))},
	} {
		current(t, file, replaceParts(t, file, parts))
	}
	for file, others := range copies {
		text := read(t, file)
		for _, other := range others {
			current(t, other, text)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	return text
}

// current holds a file against what it must be.
func current(t *testing.T, file string, want []byte) {
	t.Helper()
	switch {
	case bytes.Equal(read(t, file), want):
	case *update:
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not current: go test ./editors/tree-sitter-bot -run TestGenerated -update", file)
	}
}

// replaceParts writes the parts anew that stand between the marks of a file.
func replaceParts(t *testing.T, file string, parts map[string]string) []byte {
	t.Helper()
	text := string(read(t, file))
	for mark, part := range parts {
		before, rest, opens := strings.Cut(text, "; generated: "+mark+"\n")
		_, after, ends := strings.Cut(rest, "; end: "+mark+"\n")
		if !opens || !ends {
			t.Fatalf("%s has no place for %s", file, mark)
		}
		text = before + "; generated: " + mark + "\n" + part + "; end: " + mark + "\n" + after
	}
	return []byte(text)
}

// isWord is the predicate that a capture is one of the words, in the form that
// all editors know.
func isWord(capture string, words []string) string {
	return fmt.Sprintf("  (#match? @%s \"^(%s)$\"))\n", capture, strings.Join(words, "|"))
}

// eachBlock calls visit for every kind and every block, with the declaration
// that it stands in.
func eachBlock(visit func(declaration string, k *schema.Kind)) {
	var walk func(declaration string, k *schema.Kind)
	walk = func(declaration string, k *schema.Kind) {
		if k == nil {
			return
		}
		visit(declaration, k)
		for _, p := range k.Props {
			walk(declaration, p.Block)
		}
		if k.Entry != nil {
			walk(declaration, k.Entry.Block)
		}
	}
	for _, k := range schema.Kinds() {
		walk(k.Name, k)
	}
}

func expressions() (v vocabulary) {
	eachBlock(func(_ string, k *schema.Kind) {
		for _, p := range k.Props {
			if p.Text == schema.Expression {
				v.ExpressionProperties = append(v.ExpressionProperties, p.Name)
			}
			if p.Block != nil && p.Block.Entry != nil && p.Block.Entry.Text == schema.Expression {
				v.ExpressionBlocks = append(v.ExpressionBlocks, p.Name)
			}
		}
	})
	v.ExpressionProperties, v.ExpressionBlocks = sorted(v.ExpressionProperties), sorted(v.ExpressionBlocks)
	return v
}

func kinds() (words []string) {
	for _, k := range schema.Kinds() {
		words = append(words, k.Name)
	}
	return sorted(words)
}

// texts are the properties whose text is read in a way, of one declaration or
// of all.
func texts(text schema.Text, declaration string) (words []string) {
	eachBlock(func(d string, k *schema.Kind) {
		for _, p := range k.Props {
			if p.Text == text && p.Form != schema.Name && p.Form != schema.StrList && (declaration == "" || d == declaration) {
				words = append(words, p.Name)
			}
		}
	})
	return sorted(words)
}

func types() (words []string) {
	eachBlock(func(_ string, k *schema.Kind) {
		if k.Entry != nil && k.Entry.Typed != nil {
			for _, word := range k.Entry.Typed.Types {
				words = append(words, strings.TrimSuffix(word, "[]"))
			}
		}
	})
	return sorted(words)
}

// enumWords are the words of the closed lists.
func enumWords() []string {
	words := []string{"true", "false", "null"}
	eachBlock(func(_ string, k *schema.Kind) {
		for _, p := range k.Props {
			if p.Form == schema.Enum || p.Form == schema.EnumOrEnv || p.Form == schema.OneOf {
				words = append(words, schema.Words(p.Values)...)
			}
		}
	})
	return sorted(words)
}

func sorted(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
