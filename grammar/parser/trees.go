package parser

import (
	"iterion/ast"
	"iterion/grammar/lexer"
)

// trees collects the declarations of a file in buffers that are used again for
// the next one. Only when all are known, they are copied out: one allocation
// of the right size for each type, whatever the number of declarations.
type trees struct {
	list     []tree
	nodes    []ast.Node
	comments []ast.Comment
}

// tree is one declaration; its nodes and comments end where the next one's
// begin.
type tree struct {
	decl            ast.Declaration
	base            uint32
	nodes, comments int // behind its last one
}

func (t *trees) reset() {
	t.list, t.nodes, t.comments = t.list[:0], t.nodes[:0], t.comments[:0]
}

// add takes over what was parsed of one declaration.
func (t *trees) add(s *state, comments []lexer.Comment, text string, base int) {
	t.nodes = append(t.nodes, s.nodes...)
	for _, c := range comments {
		t.comments = append(t.comments, ast.Comment{Start: c.Start, End: c.End, Trailing: c.Trailing})
	}
	t.list = append(t.list, tree{
		decl: ast.Declaration{Text: text, Problems: s.problems, Escapes: s.escapes, Removed: s.removed},
		base: uint32(base), nodes: len(t.nodes), comments: len(t.comments),
	})
	s.toks = nil // they belong to the lexer
}

// into moves the declarations to the file.
func (t *trees) into(f *ast.File) {
	decls := make([]ast.Declaration, len(t.list))
	nodes := append(make([]ast.Node, 0, len(t.nodes)), t.nodes...) // not cleared twice
	comments := append([]ast.Comment(nil), t.comments...)
	f.Decls, f.Bases = make([]*ast.Declaration, len(t.list)), make([]uint32, len(t.list))
	node, comment := 0, 0
	for i := range t.list {
		from, d := &t.list[i], &decls[i]
		*d = from.decl
		d.Nodes = nodes[node:from.nodes:from.nodes]
		if comment < from.comments {
			d.Comments = comments[comment:from.comments:from.comments]
		}
		f.Decls[i], f.Bases[i] = d, from.base
		node, comment = from.nodes, from.comments
	}
	clear(t.list) // it keeps no text alive
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
