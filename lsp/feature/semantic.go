package feature

import (
	"context"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/lsp/session"
)

// SemanticTokensFull is textDocument/semanticTokens/full.
func SemanticTokensFull(_ context.Context, s *session.Snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	data := tokens(f, source.Span{End: uint32(len(f.Text))})
	return &protocol.SemanticTokens{ResultID: s.Tokens.Keep(f.Key, data), Data: data}, nil
}

// SemanticTokensRange is textDocument/semanticTokens/range.
func SemanticTokensRange(_ context.Context, s *session.Snapshot, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return &protocol.SemanticTokens{Data: tokens(f, f.Span(p.Range))}, nil
}

// SemanticTokensDelta is textDocument/semanticTokens/full/delta: one edit of what
// the client has, or everything when that is no longer known.
func SemanticTokensDelta(_ context.Context, s *session.Snapshot, p *protocol.SemanticTokensDeltaParams) (any, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	before, known := s.Tokens.Last(f.Key, p.PreviousResultID)
	data := tokens(f, source.Span{End: uint32(len(f.Text))})
	id := s.Tokens.Keep(f.Key, data)
	if !known {
		return &protocol.SemanticTokens{ResultID: id, Data: data}, nil
	}
	head := 0
	for head < len(before) && head < len(data) && before[head] == data[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(data)-head && before[len(before)-1-tail] == data[len(data)-1-tail] {
		tail++
	}
	delta := &protocol.SemanticTokensDelta{ResultID: id, Edits: []protocol.SemanticTokensEdit{}}
	if head+tail < max(len(before), len(data)) {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{
			Start: uint32(head), DeleteCount: uint32(len(before) - tail - head), Data: data[head : len(data)-tail]})
	}
	return delta, nil
}

// tokens encodes the tokens that begin in a range, five numbers each: line and
// character from the token before, length, type, modifiers.
func tokens(f *session.File, within source.Span) []uint32 {
	data := []uint32{}
	unit := f.Unit()
	built := f.Parsed(unit)
	if built == nil {
		return data
	}
	roles := rolesOf(built, Names(unit))
	var last protocol.Position
	for i := within.Start; i < within.End; {
		r, start := roles[i], i
		for i++; i < within.End && roles[i] == r && f.Text[i-1] != '\n'; i++ {
		}
		end := i
		if f.Text[end-1] == '\n' {
			end--
		}
		if r == plain || end == start {
			continue
		}
		at := f.Range(source.Span{Start: start, End: end})
		if at.Start.Line != last.Line {
			last = protocol.Position{Line: last.Line}
		}
		modifiers := uint32(0)
		if r&declares != 0 {
			modifiers = 1
		}
		data = append(data, at.Start.Line-last.Line, at.Start.Character-last.Character, at.End.Character-at.Start.Character, uint32(r&^declares)-1, modifiers)
		last = at.Start
	}
	return data
}
