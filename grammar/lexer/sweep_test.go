package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	plex "github.com/alecthomas/participle/v2/lexer"
	"pgregory.net/rapid"

	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/reference/sample"
	"iterion/grammar/token"
)

// check lexes a text declaration by declaration and holds every one against
// what the lexer promises, whatever the text: tokens and comments are slices of
// it, in order; and, without a fault, nothing but white space is between them.
func check(text string) error {
	l := lexer.New()
	for base := 0; ; {
		rest := text[base:]
		end, ok := l.Next(rest)
		if end <= 0 && ok || end > len(rest) {
			return fmt.Errorf("the declaration at %d ends at %d of %d", base, end, len(rest))
		}
		tokens := l.Tokens()
		if err := rebuild(rest[:end], tokens, l.Comments); err != nil {
			return fmt.Errorf("the declaration at %d: %w", base, err)
		}
		if err := layout(tokens); err != nil {
			return fmt.Errorf("the declaration at %d: %w", base, err)
		}
		if !ok {
			if end != len(rest) || len(tokens) != 1 {
				return fmt.Errorf("%d tokens and %d bytes are left", len(tokens), len(rest)-end)
			}
			return nil
		}
		base += end
	}
}

// rebuild puts a declaration's text together from its tokens and comments.
func rebuild(text string, tokens []plex.Token, comments []lexer.Comment) error {
	at, faulty := 0, false
	piece := func(start, end int) error {
		if start < at || end > len(text) {
			return fmt.Errorf("bytes %d to %d follow byte %d of %d", start, end, at, len(text))
		}
		if gap := text[at:start]; strings.Trim(gap, " \t\n") != "" && !faulty {
			return fmt.Errorf("%q is neither token nor comment", gap)
		}
		at = end
		return nil
	}
	for i, t := range tokens {
		for len(comments) > 0 && int(comments[0].Token) <= i {
			c := comments[0]
			if err := piece(int(c.Start), int(c.End)); err != nil {
				return fmt.Errorf("comment: %w", err)
			}
			if !strings.HasPrefix(text[c.Start:c.End], "#") {
				return fmt.Errorf("comment %q", text[c.Start:c.End])
			}
			comments = comments[1:]
		}
		faulty = faulty || token.Bad(t.Type)
		if t.Type == token.EOF || t.Type <= token.Dedent || t.Type == token.BadDedent || t.Type == token.BadScalar {
			continue // without a text, or pointing at one that a neighbour holds
		}
		start := t.Pos.Offset
		if err := piece(start, start+len(t.Value)); err != nil {
			return fmt.Errorf("%s %q: %w", token.Name(t.Type), t.Value, err)
		}
		if text[start:start+len(t.Value)] != t.Value {
			return fmt.Errorf("%s %q stands for %q", token.Name(t.Type), t.Value, text[start:start+len(t.Value)])
		}
	}
	if len(comments) > 0 {
		return fmt.Errorf("%d comments stand behind the last token", len(comments))
	}
	faulty = faulty || at < len(text) && len(tokens) > 1 && token.Bad(tokens[len(tokens)-2].Type)
	return piece(len(text), len(text))
}

// layout wants a Dedent for each Indent and one EOF, last.
func layout(tokens []plex.Token) error {
	depth := 0
	for i, t := range tokens {
		switch t.Type {
		case token.Indent:
			if depth++; depth > lexer.MaxDepth {
				return fmt.Errorf("%d levels are open", depth)
			}
		case token.Dedent:
			if depth--; depth < 0 {
				return fmt.Errorf("token %d closes a level too many", i)
			}
		case token.EOF:
			if i != len(tokens)-1 {
				return fmt.Errorf("EOF is token %d of %d", i, len(tokens))
			}
		}
	}
	if depth != 0 || tokens[len(tokens)-1].Type != token.EOF {
		return fmt.Errorf("%d levels are left open", depth)
	}
	return nil
}

func TestCorpus(t *testing.T) {
	for _, file := range sample.Files(t) {
		if err := check(source.Load(file.Name, file.Raw).Text); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
}

func TestPrefixes(t *testing.T) {
	const every = 41 // bytes; where a file starts depends on its place in the list
	for i, file := range sample.Files(t) {
		text := source.Load(file.Name, file.Raw).Text
		for end := i % every; end < len(text); end += every {
			if err := check(text[:end]); err != nil {
				t.Fatalf("%s, %d bytes of it: %v", file.Name, end, err)
			}
		}
	}
}

func TestGeneratedPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := sample.Program().Draw(t, "program")
		if err := check(text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		drop := rapid.IntRange(0, min(9, len(text)-at)).Draw(t, "drop")
		put := rapid.SampledFrom([]string{"", "\n", "\t", " ", "`", "\"", "[", "}", "|", "- ", "#", "é"}).Draw(t, "put")
		text = text[:at] + put + text[at+drop:]
		if err := check(text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	})
}

// TestReuse: what a lexer read before leaves no trace.
func TestReuse(t *testing.T) {
	used := lexer.New()
	for _, file := range sample.Files(t) {
		text := source.Load(file.Name, file.Raw).Text
		end, _ := used.Next(text)
		fresh := lexer.New()
		end2, _ := fresh.Next(text)
		if end != end2 || fmt.Sprint(used.Tokens()) != fmt.Sprint(fresh.Tokens()) || fmt.Sprint(used.Comments) != fmt.Sprint(fresh.Comments) {
			t.Errorf("%s: a used lexer reads it differently", file.Name)
		}
	}
}

func FuzzLex(f *testing.F) {
	for _, file := range sample.Files(f) {
		f.Add(source.Load(file.Name, file.Raw).Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := check(text); err != nil {
			t.Fatal(err)
		}
	})
}
