package feature

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/printer"
	"iterion/lsp/session"
)

// Formatting is textDocument/formatting: the text of `fmt`, as the least edits
// of whole lines. A file that does not parse is left alone.
func Formatting(_ context.Context, s *session.Snapshot, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	return formatted(s, p.TextDocument.URI, func(hunk) bool { return true })
}

// RangeFormatting is textDocument/rangeFormatting: the edits of Formatting that
// touch the lines of a range.
func RangeFormatting(_ context.Context, s *session.Snapshot, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	first, last := int(p.Range.Start.Line), int(p.Range.End.Line)
	return formatted(s, p.TextDocument.URI, func(h hunk) bool { return h.start <= last && h.end >= first })
}

// OnTypeFormatting is textDocument/onTypeFormatting, behind a new line: the line
// that was left is formatted, the one with the cursor is not.
func OnTypeFormatting(_ context.Context, s *session.Snapshot, p *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	left := int(p.Position.Line) - 1
	return formatted(s, p.TextDocument.URI, func(h hunk) bool { return h.start == left && h.end == left+1 })
}

func formatted(s *session.Snapshot, uri protocol.DocumentURI, wanted func(hunk) bool) ([]protocol.TextEdit, error) {
	f, err := s.File(uri)
	if err != nil {
		return nil, err
	}
	edits := []protocol.TextEdit{}
	tree := treeOf(f)
	if tree == nil {
		return edits, nil
	}
	after, err := printer.Tree(tree)
	if err != nil {
		return edits, nil // the findings say why
	}
	for _, h := range hunks(f.Text, string(after)) {
		if wanted(h) {
			edits = append(edits, editOf(f, h))
		}
	}
	return edits, nil
}

// treeOf is the tree of a `.bot` file, the one of its unit when that is built.
func treeOf(f *session.File) *ast.File {
	if built := f.Parsed(f.Unit()); built != nil {
		return built.AST
	}
	return nil
}

// editOf is a hunk in the client's places, with the ends of lines of the file.
func editOf(f *session.File, h hunk) protocol.TextEdit {
	end, _ := f.LineSpan(h.end)
	start, _ := f.LineSpan(h.start)
	return protocol.TextEdit{Range: f.Range(source.Span{Start: uint32(start), End: uint32(end)}), NewText: withLineEnds(f, h.with)}
}

// withLineEnds spells a new text as the lines of the file are.
func withLineEnds(f *session.File, text string) string {
	if first := strings.IndexByte(f.Raw, '\n'); first > 0 && f.Raw[first-1] == '\r' {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
