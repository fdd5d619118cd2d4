package printer

import (
	"slices"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/lexer"
)

// neighbour is a comment with the code that follows it and, behind code, that
// it stands on the same line.
type neighbour struct {
	text, next string
	behind     bool
}

// neighbours lists the comments of a text in order.
func neighbours(text string) []neighbour {
	var list []neighbour
	lex := lexer.New()
	for rest := text; ; {
		end, ok := lex.Next(rest)
		for _, c := range lex.Comments {
			code := strings.TrimLeft(rest[c.End:], " \t\n")
			for strings.HasPrefix(code, "#") {
				_, code, _ = strings.Cut(code, "\n")
				code = strings.TrimLeft(code, " \t\n")
			}
			next, _, _ := strings.Cut(code, "\n")
			list = append(list, neighbour{strings.TrimLeft(rest[c.Start:c.End], "# "), strings.TrimRight(next, ", "), c.Trailing})
		}
		if !ok {
			return list
		}
		rest = rest[end:]
	}
}

// Comments stay where a person put them.
func TestCommentsKeepTheirNeighbours(t *testing.T) {
	const text = `## head of the file
## second line

## of the first agent
agent a:
  ## first line of a
  model: "m/x"    ## behind the model
  tools: [
`
	everywhere := strings.Replace(text, "[\n", "[]  # behind an empty list\n", 1) + `  ## last line of a

# between the two, apart

## leads b
agent b:
      ## at another indent
  model:   "m/y"
  sandbox:
    image: "i"
    ## last in the block
## at the margin

workflow w:
  entry: a

  ## above an edge
  a -> b  ## why
  b -> a as l(2) with {
    ## first entry
    x: "1",  ## behind x
    ## second entry
    y: "2"
    ## last in the braces
  }
  a -> done
  ## last line of w
## after the last line`
	out, err := check(source.New("x.bot", everywhere))
	if err != nil || out == nil {
		t.Fatal(err)
	}
	before, after := neighbours(everywhere), neighbours(string(out))
	if len(before) != 20 {
		t.Errorf("%d comments", len(before))
	}
	// The one difference is in the code: two spaces too many.
	before[slices.IndexFunc(before, func(n neighbour) bool { return n.text == "at another indent" })].next = `model: "m/y"`
	for i := range before {
		before[i].next, after[i].next = loose(before[i].next), loose(after[i].next)
	}
	if !slices.Equal(before, after) {
		t.Errorf("before %+v\nafter  %+v\n%s", before, after, out)
	}
}

// loose drops what a formatter may change behind the code.
func loose(code string) string {
	code, _, _ = strings.Cut(code, "#")
	return strings.TrimRight(code, ", ")
}

// A comment before any line of a canonical file keeps its neighbour, whatever
// its own indent.
func TestCommentAnywhere(t *testing.T) {
	count := 0
	for i, f := range corpus.Bots() {
		formatted, err := Format(source.Load(f.Name, f.Data))
		if err != nil {
			t.Fatal(err)
		}
		list := strings.Split(string(formatted), "\n")
		for at := i % 7; at < len(list); at += 7 {
			indent := list[at][:len(list[at])-len(strings.TrimLeft(list[at], " "))]
			text := strings.Join(slices.Insert(slices.Clone(list), at, indent+"## inserted"), "\n")
			out, err := check(source.New(f.Name, text))
			if err != nil {
				t.Fatalf("%s, line %d: %v", f.Name, at+1, err)
			}
			if out == nil {
				continue // at the margin of a prompt's text, which it ends
			}
			count++
			if a, b := neighbours(text), neighbours(string(out)); !slices.Equal(a, b) {
				t.Errorf("%s, line %d: the comments differ", f.Name, at+1)
			}
		}
	}
	if count < 400 {
		t.Errorf("only %d comments", count)
	}
}
