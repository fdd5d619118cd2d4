package feature

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/grammar/template"
	"iterion/lsp/session"
)

// SelectionRanges is textDocument/selectionRange: from the word to the value,
// the property, the block, the declaration and the file.
func SelectionRanges(_ context.Context, s *session.Snapshot, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := make([]protocol.SelectionRange, len(p.Positions))
	for i, at := range p.Positions {
		list[i] = selection(f, uint32(f.Offset(at)))
	}
	return list, nil
}

// selection chains the spans around an offset, each inside the next.
func selection(f *session.File, offset uint32) protocol.SelectionRange {
	spans := around(f, offset)
	slices.SortStableFunc(spans, func(a, b source.Span) int { return int(a.End-a.Start) - int(b.End-b.Start) })
	spans = slices.Compact(spans)
	var outer *protocol.SelectionRange
	for i := len(spans) - 1; i >= 0; i-- {
		if outer != nil && (spans[i].Start < spans[i+1].Start || spans[i].End > spans[i+1].End) {
			spans[i] = spans[i+1] // two that only overlap make no chain
			continue
		}
		outer = &protocol.SelectionRange{Range: f.Range(spans[i]), Parent: outer}
	}
	return *outer
}

// around lists the spans that hold an offset: the file, the nodes of its
// declaration, the reference, and the word.
func around(f *session.File, offset uint32) []source.Span {
	spans := []source.Span{{Start: 0, End: uint32(len(f.Text))}, wordAt(f.Text, offset)}
	tree := treeOf(f)
	if tree == nil {
		return spans
	}
	d, base := session.DeclarationAt(tree, int(offset))
	if d == nil {
		return spans
	}
	refs, _ := template.Parse(d.Text)
	for _, r := range refs {
		spans = append(spans, r.Span.Shift(uint32(base)), r.PathSpan.Shift(uint32(base)))
	}
	for _, n := range d.Nodes {
		span := n.Span()
		span.End = span.Start + uint32(len(strings.TrimRight(d.Text[span.Start:span.End], " \t\n")))
		spans = append(spans, span.Shift(uint32(base)))
	}
	return slices.DeleteFunc(spans, func(s source.Span) bool { return !s.Contains(offset) })
}

// wordAt is the word around an offset; an empty span where there is none.
func wordAt(text string, offset uint32) source.Span {
	start, end := int(offset), int(offset)
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return source.Span{Start: uint32(start), End: uint32(end)}
}

// isWord tells whether a byte belongs to a name.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
