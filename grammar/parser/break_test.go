package parser

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/reference/sample"
	"iterion/grammar/token"
)

// fault is a small mistake in a sound text, where its finding must stand.
type fault struct {
	what        string
	at          int    // byte
	drop        int    // bytes
	put         string // in their place
	decl        int
	line        int   // logical line, counted through the file
	headers     []int // the logical lines under which it is indented
	first, last int   // lines, from 1, on which a finding names it
}

// faults returns every mistake of the five sorts that a text offers.
func faults(src *source.File) []fault {
	lex := lexer.New()
	var list []fault
	line := 0
	for base, decl := 0, 0; ; decl++ {
		end, ok := lex.Next(src.Text[base:])
		if !ok {
			return list
		}
		m := &mistakes{src: src, base: base, decl: decl, line: line}
		m.declaration(lex)
		list = append(list, m.list...)
		line, base = m.line, base+end
	}
}

// mistakes collects the faults of one declaration.
type mistakes struct {
	src        *source.File
	base, decl int
	line       int
	headers    []int // of the open blocks
	brackets   []int // offsets of the open ones
	list       []fault
}

func (m *mistakes) declaration(lex *lexer.Lexer) {
	tokens := lex.Tokens()
	if tokens[0].Type == token.Key && strings.HasPrefix(tokens[0].Value, "dsl") {
		return // a wrong header stops the file
	}
	for _, t := range tokens {
		start, end := m.base+t.Pos.Offset, m.base+t.Pos.Offset+len(t.Value)
		switch t.Type {
		case token.Newline:
			m.line++
			continue
		case token.Indent:
			m.headers = append(slices.Clone(m.headers), m.line-1)
			continue
		case token.Dedent:
			m.headers = m.headers[:len(m.headers)-1]
			continue
		case token.EOF, token.Pipe, token.Scalar, token.Body:
			continue
		case token.Key, token.Head, token.Colon:
			m.add("lost colon", end-1, 1, "", end-1)
		case token.Src, token.Arrow:
			m.add("lost arrow", end-2, 2, "", end-2)
		case token.String:
			m.add("open string", end-1, 1, "", end-1)
		case token.LBrack, token.LBrace, token.LParen:
			m.brackets = append(m.brackets, start)
		case token.RBrack, token.RBrace, token.RParen:
			opener := m.brackets[len(m.brackets)-1]
			m.brackets = m.brackets[:len(m.brackets)-1]
			m.add("open bracket", start, 1, "", opener)
		}
		m.add("stray character", start, 0, string("@$?!;&^~"[start%8]), start)
		m.add("stray closer", end, 0, string("]})"[start%3]), end)
	}
}

func (m *mistakes) add(what string, at, drop int, put string, from int) {
	m.list = append(m.list, fault{what, at, drop, put, m.decl, m.line, m.headers,
		m.src.Position(from).Line, m.src.Position(at).Line})
}

// spread draws five faults that do not touch each other: in declarations of
// their own, or in one declaration with a sound line between them and none
// under another's.
func spread(r *rand.Rand, all []fault, oneDeclaration bool) []fault {
	var chosen []fault
	for range 200 {
		f := all[r.IntN(len(all))]
		close := func(g fault) bool {
			if oneDeclaration {
				return near(f.line, g.line) || slices.Contains(f.headers, g.line) || slices.Contains(g.headers, f.line)
			}
			return f.decl == g.decl
		}
		if oneDeclaration && len(f.headers) == 0 || slices.ContainsFunc(chosen, close) {
			continue
		}
		if chosen = append(chosen, f); len(chosen) == 5 {
			return chosen
		}
	}
	return nil
}

func near(a, b int) bool { return a-b < 2 && b-a < 2 }

// broken applies faults to a text; they keep the numbers of lines.
func broken(text string, faults []fault) string {
	sorted := slices.SortedFunc(slices.Values(faults), func(a, b fault) int { return b.at - a.at })
	for _, f := range sorted {
		text = text[:f.at] + f.put + text[f.at+f.drop:]
	}
	return text
}

// tally counts what was found of the faults.
type tally struct {
	faults, hits, extras int
	misses               map[string]int
	examples             []string
}

func (c *tally) run(src *source.File, faults []fault) {
	text := broken(src.Text, faults)
	f := parseText(text)
	left := len(faults)
	var lines []int
	for i, d := range f.Decls {
		for _, p := range d.Problems {
			lines = append(lines, f.Source.Position(int(p.Span.Start+f.Bases[i])).Line)
		}
	}
	for _, g := range faults {
		c.faults++
		if slices.ContainsFunc(lines, func(n int) bool { return g.first <= n && n <= g.last }) {
			c.hits++
			left--
		} else {
			c.misses[g.what]++
		}
	}
	extras := len(lines) - (len(faults) - left)
	c.extras += extras
	if left > 0 || extras > 0 {
		c.example(src, text, faults, problems(f))
	}
}

func (c *tally) example(src *source.File, text string, faults []fault, found []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", src.Name)
	lines := strings.Split(text, "\n")
	for _, g := range faults {
		fmt.Fprintf(&b, "  %s in line %d: %s\n", g.what, g.last, lines[g.last-1])
	}
	fmt.Fprintf(&b, "  found:\n    %s\n", strings.Join(found, "\n    "))
	c.examples = append(c.examples, b.String())
}

// TestFiveBreaks: of five mistakes in a file each gives one finding, on its
// line.
func TestFiveBreaks(t *testing.T) {
	for _, oneDeclaration := range []bool{false, true} {
		t.Run(fmt.Sprintf("one declaration %v", oneDeclaration), func(t *testing.T) {
			c := &tally{misses: map[string]int{}}
			r := rand.New(rand.NewPCG(5, 5))
			for _, file := range sample.Files(t) {
				src := source.Load(file.Name, file.Raw)
				all := faults(src)
				if oneDeclaration {
					all = largest(all)
				}
				for range 30 {
					if chosen := spread(r, all, oneDeclaration); chosen != nil {
						c.run(src, chosen)
					}
				}
			}
			t.Logf("%d of %d faults found, %d extra findings, missed %v", c.hits, c.faults, c.extras, c.misses)
			if c.faults < 1000 || c.hits*100 < c.faults*99 || c.extras*100 > c.faults {
				t.Errorf("too many missed or extra:\n%s", strings.Join(c.examples[:min(len(c.examples), 40)], ""))
			}
		})
	}
}

// largest keeps the faults of the declaration that has most of them.
func largest(all []fault) []fault {
	byDecl := map[int][]fault{}
	best := 0
	for _, f := range all {
		byDecl[f.decl] = append(byDecl[f.decl], f)
		if len(byDecl[f.decl]) > len(byDecl[best]) {
			best = f.decl
		}
	}
	return byDecl[best]
}
