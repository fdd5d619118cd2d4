package parser

import (
	"slices"

	"iterion/ast"
	"iterion/grammar/lexer"
)

// trees collects the declarations of a file in buffers that are used again for
// the next one. They are copied out when all are known, or as many as a batch
// holds: one allocation of the right size for each type.
type trees struct {
	start    int // of the text of what is collected
	list     []tree
	nodes    []ast.Node
	comments []ast.Comment
	problems []ast.Problem
}

// tree is one declaration. Its text and everything of it end here, where those
// of the next one begin. It holds no pointer, which makes it cheap to write.
type tree struct {
	text, nodes, comments, problems int
	escapes, removed                bool
}

// batch is how many nodes are collected at most before they are copied out.
const batch = 1 << 13

func (t *trees) reset(start int) {
	t.start = start
	t.list, t.nodes, t.comments, t.problems = t.list[:0], t.nodes[:0], t.comments[:0], t.problems[:0]
}

// add takes over what was parsed of one declaration, whose text ends at end.
func (t *trees) add(s *state, comments []lexer.Comment, end int) {
	t.nodes = append(t.nodes, s.nodes...)
	for _, c := range comments {
		t.comments = append(t.comments, ast.Comment{Start: c.Start, End: c.End, Trailing: c.Trailing})
	}
	t.problems = append(t.problems, s.problems...)
	t.list = append(t.list, tree{end, len(t.nodes), len(t.comments), len(t.problems), s.escapes, s.removed})
	s.toks = nil // they belong to the lexer
}

// full tells whether a batch is complete.
func (t *trees) full() bool { return len(t.nodes) >= batch }

// into moves the declarations of a text to the file.
func (t *trees) into(f *ast.File, text string) {
	decls := make([]ast.Declaration, len(t.list))
	nodes := append(make([]ast.Node, 0, len(t.nodes)), t.nodes...) // not cleared twice
	comments, problems := slices.Clone(t.comments), slices.Clone(t.problems)
	f.Decls, f.Bases = slices.Grow(f.Decls, len(t.list)), slices.Grow(f.Bases, len(t.list))
	from := tree{text: t.start} // where the declaration begins
	for i, to := range t.list {
		d := &decls[i]
		d.Text, d.Escapes, d.Removed = text[from.text:to.text], to.escapes, to.removed
		d.Nodes = nodes[from.nodes:to.nodes:to.nodes]
		if from.comments < to.comments {
			d.Comments = comments[from.comments:to.comments:to.comments]
		}
		if from.problems < to.problems {
			d.Problems = problems[from.problems:to.problems:to.problems]
		}
		f.Decls, f.Bases = append(f.Decls, d), append(f.Bases, uint32(from.text))
		from = to
	}
	clear(t.problems) // their texts are the file's
	t.reset(from.text)
}

// tail are the comments behind the last declaration.
func tail(from []lexer.Comment, base uint32) []ast.Comment {
	if len(from) == 0 {
		return nil
	}
	list := make([]ast.Comment, len(from))
	for i, c := range from {
		list[i] = ast.Comment{Start: base + c.Start, End: base + c.End, Trailing: c.Trailing}
	}
	return list
}
