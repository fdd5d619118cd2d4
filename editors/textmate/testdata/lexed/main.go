// Command lexed prints the tokens of the named `.bot` files as the toolchain
// reads them, one JSON object a file. The tests of the TextMate grammar hold
// its colours against them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/token"
)

// file is one line of the output. Offsets count bytes of the text that an
// editor shows: no byte order mark, lines end in LF.
type file struct {
	Name         string `json:"name"`
	Tokens       []span `json:"tokens"`
	Declarations []int  `json:"declarations"` // where each begins
}

type span struct {
	Type  string `json:"type"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

func main() {
	if err := printAll(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lexed:", err)
		os.Exit(1)
	}
}

func printAll(w io.Writer, names []string) error {
	out := json.NewEncoder(w)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f := lexed(source.Load(name, text).Text)
		f.Name = name
		if err := out.Encode(f); err != nil {
			return err
		}
	}
	return nil
}

// lexed cuts a text into its tokens, comments among them, layout left out.
func lexed(text string) file {
	var f file
	l := lexer.New()
	for at, more := 0, true; more; {
		var size int
		size, more = l.Next(text[at:])
		for _, c := range l.Comments {
			f.Tokens = append(f.Tokens, span{"Comment", at + int(c.Start), at + int(c.End)})
		}
		for i, t := range l.Tokens() {
			start := at + t.Pos.Offset
			if i == 0 && more {
				f.Declarations = append(f.Declarations, start)
			}
			if t.Type != token.EOF && t.Value != "" {
				f.Tokens = append(f.Tokens, span{token.Name(t.Type), start, start + len(t.Value)})
			}
		}
		at += size
	}
	return f
}
