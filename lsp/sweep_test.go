package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// every is how far apart the cuts of a text are. One of 1 takes an hour and finds
// the same; it is prime, so that cuts fall everywhere in a line.
const every = 397

// Whatever part of a file is there, every request is answered without a defect,
// and with places that the text has.
func TestEveryRequestOfEveryText(t *testing.T) {
	for i, f := range corpus.Files() {
		text := string(f.Data)
		for end := i % every; ; end += every {
			end = min(end, len(text))
			asks(t, f.Name, text[:end])
			if end == len(text) {
				break
			}
		}
	}
}

// Nor does a line that is missing harm.
func TestEveryRequestWithoutALine(t *testing.T) {
	for i, f := range corpus.Files() {
		lines := strings.SplitAfter(string(f.Data), "\n")
		for n := i % 61; n < len(lines); n += 61 {
			asks(t, f.Name, strings.Join(lines[:n], "")+strings.Join(lines[n+1:], ""))
		}
	}
}

// asks sends every request at some places of a text.
func asks(t *testing.T, name, text string) {
	t.Helper()
	const uri = "file:///nowhere/at/all.bot"
	s := session.New(&protocol317.ClientCapabilities{}, nil)
	s.Open(protocol.TextDocumentItem{URI: uri, Version: 1, Text: text})
	b := source.NewBuffer("", text)
	for _, offset := range []int{len(b.Text), len(b.Text) / 20 * 10, max(len(b.Text)-10, 0)} {
		at := b.Place(source.UTF16, offset)
		position := map[string]any{"line": at.Line, "character": at.Character}
		whole := map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": position}
		params, err := json.Marshal(map[string]any{
			"textDocument": map[string]any{"uri": uri}, "position": position, "positions": []any{position}, "range": whole,
			"context": map[string]any{"diagnostics": []any{}, "includeDeclaration": true}, "newName": "fresh_name", "ch": "\n", "query": "a",
			"options": map[string]any{}, "command": "iterion.permission.show", "arguments": []any{uri}, "previousResultId": "1",
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range methods() {
			answer := asked(t, m, s.Snapshot(), params, fmt.Sprintf("%s, %d bytes, at %d", name, len(text), offset))
			places(t, answer, b, fmt.Sprintf("%s, %d bytes, %s at %d", name, len(text), m.name, offset))
		}
	}
}

// asked answers a request; an error is an answer too.
func asked(t *testing.T, m method, s *session.Snapshot, params json.RawMessage, where string) any {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			t.Errorf("%s: %s: %v", where, m.name, cause)
			panic(cause)
		}
	}()
	result, err := m.answer(context.Background(), &server{}, s, params)
	if err != nil {
		return nil
	}
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatalf("%s: %s: %v", where, m.name, err)
	}
	var answer any
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// places holds every place of an answer against the text.
func places(t *testing.T, v any, b *source.Buffer, where string) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			places(t, e, b, where)
		}
	case map[string]any:
		line, ok1 := v["line"].(float64)
		character, ok2 := v["character"].(float64)
		if at := (source.Place{Line: int(line), Character: int(character)}); ok1 && ok2 && b.Place(source.UTF16, b.Offset(source.UTF16, at)) != at {
			t.Errorf("%s: the text has no place %v", where, at)
		}
		for _, e := range v {
			places(t, e, b, where)
		}
	}
}

// What is closed is let go: the heap after a thousand texts is what it was.
func TestClosedTextsAreFreed(t *testing.T) {
	s := session.New(&protocol317.ClientCapabilities{}, nil)
	text := string(corpus.Bots()[0].Data)
	cycle := func(from, to int) {
		for i := from; i < to; i++ {
			uri := protocol.DocumentURI(fmt.Sprintf("file:///nowhere/%d.bot", i))
			s.Open(protocol.TextDocumentItem{URI: uri, Version: 1, Text: text})
			for _, u := range s.Snapshot().OpenUnits() {
				u.Diagnostics()
			}
			if err := s.Close(uri); err != nil {
				t.Fatal(err)
			}
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	cycle(0, 100)
	before := heap()
	cycle(100, 1100)
	if after := heap(); after > before+before/10 {
		t.Errorf("%d bytes before a thousand texts were opened and closed, %d after", before, after)
	}
	runtime.KeepAlive(s)
}
