package feature

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/parser"
	"iterion/grammar/schema"
	"iterion/ir/build"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// openText is a text in a session of its own, as a client with snippets has it.
func openText(t testing.TB, text string) *session.File {
	t.Helper()
	client := &protocol317.ClientCapabilities{}
	client.TextDocument.Completion.CompletionItem.SnippetSupport = true
	return openTextBy(t, client, text)
}

func openTextBy(t testing.TB, client *protocol317.ClientCapabilities, text string) *session.File {
	t.Helper()
	s := session.New(client, nil)
	uri := protocol.DocumentURI("untitled:a.bot")
	s.Open(protocol.TextDocumentItem{URI: uri, Version: 1, Text: text})
	f, err := s.Snapshot().File(uri)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// holds demands that what an item replaces lies on the cursor's line, around it.
func holds(t *testing.T, name string, f *session.File, at int) []protocol.CompletionItem {
	t.Helper()
	cursor := f.Position(at)
	list := complete(f, at).Items
	for _, item := range list {
		switch r := item.TextEdit.Range; {
		case r.Start.Line != cursor.Line || r.End.Line != cursor.Line, r.Start.Character > cursor.Character || r.End.Character < cursor.Character:
			t.Fatalf("%s: at %d %q replaces %v, the cursor is at %v", name, at, item.Label, r, cursor)
		case int(r.End.Character) > lineLength(f, at):
			t.Fatalf("%s: at %d %q replaces %v behind the line", name, at, item.Label, r)
		}
	}
	return list
}

func lineLength(f *session.File, at int) int {
	end := at
	for end < len(f.Text) && f.Text[end] != '\n' && f.Text[end] != '\r' {
		end++
	}
	return int(f.Position(end).Character)
}

func TestCompletionEverywhere(t *testing.T) {
	for _, file := range corpus.Files() {
		f := openText(t, string(file.Data))
		for at := 0; at <= len(f.Text); at += 7 {
			holds(t, file.Name, f, at)
			SignatureHelp(t.Context(), f.Snapshot, &protocol.SignatureHelpParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: f.URI}, Position: f.Position(at)}})
		}
	}
}

func TestCompletionInBrokenTexts(t *testing.T) {
	for _, c := range corpus.Cases() {
		f := openText(t, string(c.Files[0].Data))
		for at := 0; at <= len(f.Text); at++ {
			holds(t, c.Name, f, at)
		}
	}
}

func TestCompletionBehindEveryPrefix(t *testing.T) {
	files := slices.DeleteFunc(corpus.Files(), func(f corpus.File) bool { return len(f.Data) > 1200 || len(f.Data) < 400 })
	for i := range 10 {
		file := files[i*len(files)/10]
		for n := range len(file.Data) + 1 {
			f := openText(t, string(file.Data[:n]))
			holds(t, file.Name, f, len(f.Text))
			tabs := openText(t, strings.ReplaceAll(string(file.Data[:n]), "  ", "\t"))
			holds(t, file.Name+" with tabs", tabs, len(tabs.Text))
		}
	}
}

// accepted is the text in which an item has been taken, its stops replaced by
// what stands in them.
func accepted(f *session.File, item protocol.CompletionItem) string {
	span := f.Span(item.TextEdit.Range)
	return f.Text[:span.Start] + item.TextEdit.NewText + f.Text[span.End:]
}

// Every property and every word of its list, completed where it may stand, is
// known to the parser.
func TestCompletedPropertiesAreKnown(t *testing.T) {
	for _, k := range schema.Kinds() {
		for i := range k.Props {
			head := k.Name
			if k.Named {
				head += " x"
			}
			knownIn(t, head+":\n  ", k, &k.Props[i])
		}
	}
}

// knownIn completes a property below an opening, then its values.
func knownIn(t *testing.T, above string, k *schema.Kind, p *schema.Property) {
	f := openText(t, above)
	offered := slices.ContainsFunc(complete(f, len(f.Text)).Items, func(i protocol.CompletionItem) bool { return i.Label == p.Name })
	if !offered && p.Replace == "" {
		t.Errorf("%q does not offer %s", above, p.Name)
	}
	indent := strings.Repeat(" ", len(above)-strings.LastIndex(above, "\n")-1)
	switch {
	case p.Form == schema.Block:
		inner := above + p.Name + ":\n" + indent + "  "
		if e := p.Block.Entry; e != nil && e.Block != nil && e.Typed == nil {
			inner += "x:\n" + indent + "    "
			for i := range e.Block.Props {
				knownIn(t, inner, e.Block, &e.Block.Props[i])
			}
		}
		for i := range p.Block.Props {
			knownIn(t, inner, p.Block, &p.Block.Props[i])
		}
	case len(p.Values) > 0:
		valuesIn(t, above+p.Name+": ", "", p)
		if p.Form == schema.NameList || p.Form == schema.ToolList {
			valuesIn(t, above+p.Name+": [", "]", p)
		}
	}
}

func valuesIn(t *testing.T, before, behind string, p *schema.Property) {
	f := openText(t, before+behind)
	for _, v := range p.Values {
		items := complete(f, len(before)).Items
		i := slices.IndexFunc(items, func(i protocol.CompletionItem) bool { return i.Label == v.Word })
		if i < 0 {
			t.Errorf("%q does not offer %s", before, v.Word)
			continue
		}
		if behind == "" && (p.Form == schema.NameList || p.Form == schema.ToolList) {
			continue
		}
		text := accepted(f, items[i]) + "\n"
		for _, d := range build.Text("a.bot", text).Diagnostics {
			if strings.HasPrefix(string(d.Code), "E") {
				t.Errorf("%q: %s %s", text, d.Code, d.Message)
			}
		}
	}
}

// What is completed in the corpus's bots can be taken: the key has a colon, the
// value a form that the parser reads.
func TestCompletedValuesInBots(t *testing.T) {
	for _, file := range corpus.Bots() {
		f := openText(t, string(file.Data))
		for at := range len(f.Text) {
			if !strings.HasPrefix(f.Text[at:], ": ") {
				continue
			}
			for _, item := range complete(f, at+2).Items {
				if item.InsertTextFormat == protocol.InsertTextFormatSnippet || item.Kind != protocol.CompletionItemKindEnumMember {
					continue
				}
				for _, d := range build.Text(file.Name, accepted(f, item)).Diagnostics {
					if d.Code == "E012" || d.Code == "E020" {
						t.Fatalf("%s: %q at %d: %s %s", file.Name, item.TextEdit.NewText, at, d.Code, d.Message)
					}
				}
			}
		}
	}
}

// A property completed on a line of its own, anywhere in the corpus's bots, is
// one that the block there knows.
func TestCompletedPropertiesInBots(t *testing.T) {
	for _, file := range corpus.Bots() {
		text := string(file.Data)
		for n, line := range strings.SplitAfter(text, "\n") {
			at := len(line) - len(strings.TrimLeft(line, " "))
			if n%11 != 0 || at == 0 {
				continue
			}
			start := strings.Index(text, line)
			f := openText(t, text[:start+at]+"\n"+text[start:])
			for _, item := range complete(f, start+at).Items {
				if item.Kind != protocol.CompletionItemKindProperty {
					continue
				}
				tree := parser.File(source.Load(file.Name, f.Text[:start+at]+item.Label+": "+f.Text[start+at:]))
				for _, d := range tree.Decls {
					if i := slices.IndexFunc(d.Problems, func(p ast.Problem) bool { return p.Code == "E012" }); i >= 0 {
						t.Fatalf("%s: %s above line %d: %s", file.Name, item.Label, n+1, d.Problems[i].Message)
					}
				}
			}
		}
	}
}

// A client without snippets gets texts without stops.
func TestPlainCompletion(t *testing.T) {
	for _, file := range corpus.Bots() {
		f := openTextBy(t, &protocol317.ClientCapabilities{}, string(file.Data))
		for at := 0; at < len(f.Text); at += 41 {
			for _, item := range complete(f, at).Items {
				if item.InsertTextFormat == protocol.InsertTextFormatSnippet || strings.Contains(item.TextEdit.NewText, "$0") {
					t.Fatalf("%s: at %d %s is a snippet", file.Name, at, item.Label)
				}
			}
		}
	}
}

func TestCompletionItemsAreDocumented(t *testing.T) {
	for _, text := range []string{"agent a:\n  ", "agent a:\n  permission: ", "workflow w:\n  budget:\n    ", "compute c:\n  expr:\n    a: \"", "prompt p:\n  {{", "agent a:\n  tools: [", ""} {
		f := openText(t, text)
		for _, item := range complete(f, len(f.Text)).Items {
			if data, ok := item.Data.(string); ok && documentation(data) == "" {
				t.Errorf("%q: %s with %q says nothing", text, item.Label, data)
			}
		}
	}
}

func TestSpacedKeepsLengths(t *testing.T) {
	const text = "a:\n\t\tb: \"x\ty\"\n  \tc: `\n\td\n`\n"
	if got := spaced(text); len(got) != len(text) || strings.Contains(strings.Split(got, "\n")[1], "\t\"") {
		t.Errorf("%q", got)
	}
}

func BenchmarkCompletion(b *testing.B) {
	text := longText(2000)
	f := openText(b, text)
	f.Unit().Result()
	for name, mark := range map[string]string{"property": "\n  output: s500", "template": "{{vars.topic}}", "value": "s500\n", "edge": "n500 -> "} {
		at := strings.Index(text, mark)
		if at < 0 {
			b.Fatal(name)
		}
		at += strings.IndexAny(mark, "o>v5")
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				complete(f, at)
			}
		})
	}
	at := strings.Index(text, "\n  output: s500") + 1
	b.Run("keystroke", func(b *testing.B) { typing(b, "untitled:a.bot", text, at) })
	dir, imports := b.TempDir(), ""
	if err := os.Mkdir(filepath.Join(dir, "lib"), 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 4 {
		name := fmt.Sprintf("lib/part%d.bot", i)
		imports += fmt.Sprintf("import %q\n", name)
		part := fmt.Sprintf("schema part%d:\n  text: string\n", i)
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(part), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	text = strings.Replace(text, "vars:", imports+"\nvars:", 1)
	at += len(imports) + 1
	b.Run("keystroke in a unit of five files", func(b *testing.B) { typing(b, uri.File(filepath.Join(dir, "main.bot")), text, at) })
}

// typing completes behind each change of a line.
func typing(b *testing.B, uri protocol.DocumentURI, text string, at int) {
	s := session.New(&protocol317.ClientCapabilities{}, nil)
	s.Open(protocol.TextDocumentItem{URI: uri, Version: 1, Text: text[:at] + "  i\n" + text[at:]})
	start := protocol.Position{Line: uint32(strings.Count(text[:at], "\n")), Character: 3}
	end := start
	change := &protocol317.DidChangeTextDocumentParams{ContentChanges: []protocol317.ContentChange{{Range: &protocol.Range{Start: start, End: start}}}}
	change.TextDocument.URI = uri
	for i := 0; b.Loop(); i++ {
		change.ContentChanges[0].Range.End = end
		change.ContentChanges[0].Text = strings.Repeat("n", 1+i%2)
		end.Character = start.Character + 1 + uint32(i%2)
		if _, err := s.Change(change); err != nil {
			b.Fatal(err)
		}
		f, err := s.Snapshot().File(uri)
		if err != nil {
			b.Fatal(err)
		}
		if len(complete(f, f.Offset(end)).Items) == 0 {
			b.Fatal("nothing")
		}
	}
}

// longText is a program of about as many lines.
func longText(lines int) string {
	var b strings.Builder
	b.WriteString("dsl: 2\n\nvars:\n  topic: string = \"tides\"\n\n")
	n := lines / 10
	name := func(kind string, i int) string { return fmt.Sprint(kind, i) }
	for i := 400; i < 400+n; i++ {
		b.WriteString("schema " + name("s", i) + ":\n  text: string\n\nagent " + name("n", i) + ":\n  model: \"x/y\"\n  output: " + name("s", i) + "\n  user: \"About {{vars.topic}}\"\n\n")
	}
	b.WriteString("workflow w:\n  entry: n400\n\n")
	for i := 400; i < 399+n; i++ {
		b.WriteString("  " + name("n", i) + " -> " + name("n", i+1) + "\n")
	}
	b.WriteString("  " + name("n", 399+n) + " -> done\n")
	return b.String()
}
