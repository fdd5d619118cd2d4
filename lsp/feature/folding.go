package feature

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/lsp/session"
)

// FoldingRanges is textDocument/foldingRange: declarations, blocks, values of
// several lines, and runs of comments.
func FoldingRanges(_ context.Context, s *session.Snapshot, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.FoldingRange{}
	tree := treeOf(f)
	if tree == nil {
		return list, nil
	}
	fold := folder{f, &list, map[uint32]bool{}}
	for i, d := range tree.Decls {
		base := int(tree.Bases[i])
		fold.comments(d.Comments, base)
		for _, n := range d.Nodes {
			switch n.Kind {
			case ast.Decl, ast.Use, ast.Prop, ast.Entry, ast.Edge, ast.List, ast.Map, ast.With, ast.Scalar:
				fold.add(base+int(n.Start), base+int(n.End), "")
			}
		}
	}
	fold.comments(tree.Tail, 0)
	return list, nil
}

type folder struct {
	*session.File
	list  *[]protocol.FoldingRange
	taken map[uint32]bool // lines at which a fold begins: the outer one is enough
}

// add folds what goes over several lines, without the blank ones at its end.
func (f folder) add(start, end int, kind protocol.FoldingRangeKind) {
	end = start + len(strings.TrimRight(f.Text[start:end], " \t\n"))
	first, last := f.Position(start).Line, f.Position(end).Line
	if last > first && !f.taken[first] {
		f.taken[first] = true
		*f.list = append(*f.list, protocol.FoldingRange{StartLine: first, EndLine: last, Kind: kind})
	}
}

// comments folds runs of lines that hold nothing else.
func (f folder) comments(list []ast.Comment, base int) {
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && !list[i].Trailing && !list[j].Trailing && f.follows(base+int(list[j-1].End), base+int(list[j].Start)) {
			j++
		}
		f.add(base+int(list[i].Start), base+int(list[j-1].End), protocol.CommentFoldingRange)
		i = j
	}
}

// follows tells whether two comments stand on lines that follow each other.
func (f folder) follows(end, start int) bool {
	return strings.Count(f.Text[end:start], "\n") == 1 && strings.TrimSpace(f.Text[end:start]) == ""
}
