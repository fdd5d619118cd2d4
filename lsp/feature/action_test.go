package feature

import (
	"encoding/json"
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
	"iterion/diagnostics"
	"iterion/grammar/migrate"
	"iterion/ir"
	"iterion/ir/directive"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// actor is a client that takes actions with their edits, in a folder of files.
type actor struct {
	testing.TB
	*session.Snapshot
	dir string
}

func actorOn(t testing.TB, files []corpus.File) *actor {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &actor{t, session.New(actingClient(), nil).Snapshot(), dir}
}

func actingClient() *protocol317.ClientCapabilities {
	client := &protocol317.ClientCapabilities{}
	client.TextDocument.CodeAction.CodeActionLiteralSupport = &struct{}{}
	return client
}

// on is the URI of a file.
func (a *actor) on(name string) protocol.DocumentURI {
	return uri.File(filepath.Join(a.dir, filepath.FromSlash(name)))
}

func (a *actor) actions(at protocol.DocumentURI, r protocol.Range, only ...protocol.CodeActionKind) []protocol.CodeAction {
	a.Helper()
	p := &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: at}, Range: r}
	p.Context.Only = only
	list, err := CodeAction(a.Context(), a.Snapshot, p)
	if err != nil {
		a.Fatal(err)
	}
	return list
}

// taken is the state in which an action has been taken: its edits lie inside of
// the texts, and do not overlap.
func (a *actor) taken(action protocol.CodeAction) *session.Snapshot {
	a.Helper()
	texts := map[string]string{}
	for at, edits := range action.Edit.Changes {
		f, err := a.File(at)
		if err != nil {
			a.Fatal(err)
		}
		var list []source.Edit
		for _, e := range edits {
			if f.Range(f.Span(e.Range)) != e.Range {
				a.Fatalf("%s: %v is no range of the text", action.Title, e.Range)
			}
			list = append(list, source.Edit{Span: f.Span(e.Range), New: strings.ReplaceAll(e.NewText, "\r\n", "\n")})
		}
		for i := 1; i < len(list); i++ {
			if list[i-1].End > list[i].Start {
				a.Fatalf("%s: edits overlap: %v", action.Title, list)
			}
		}
		texts[f.Key] = source.Rewrite(f.Raw, list)
		if faults(f.Key, texts[f.Key]) > faults(f.Key, f.Raw) {
			a.Fatalf("%s: the result does not parse:\n%s", action.Title, texts[f.Key])
		}
	}
	return a.Supposing(texts)
}

// everyProgram calls f with every program of the corpus whose findings are told.
func everyProgram(t *testing.T, f func(name string, a *actor, main string)) {
	for _, c := range corpus.CheckCases() {
		f(c.Name, actorOn(t, c.Files), c.Files[0].Name)
	}
	for _, c := range corpus.Fragments() {
		f(c.Name, actorOn(t, c.Files), c.Files[0].Name)
	}
	for _, c := range corpus.Cases() {
		f(c.Name, actorOn(t, c.Files), c.Files[0].Name)
	}
}

func (a *actor) findings(main string) []diagnostics.Diagnostic {
	return a.Unit(session.KeyOf(a.on(main))).Diagnostics()
}

func titled(list []protocol.CodeAction, title string) (protocol.CodeAction, bool) {
	i := slices.IndexFunc(list, func(a protocol.CodeAction) bool { return a.Title == title })
	if i < 0 {
		return protocol.CodeAction{}, false
	}
	return list[i], true
}

// Every warning can be allowed where it stands; then it is gone, and nothing new
// is there.
func TestAllowEveryWarning(t *testing.T) {
	allowed := 0
	everyProgram(t, func(name string, a *actor, main string) {
		before := a.findings(main)
		for _, d := range before {
			at := uri.File(filepath.FromSlash(d.Range.File))
			if d.Severity == diagnostics.Error || d.Range.File == "" || !canBeAllowed(d, before) {
				continue
			}
			f, err := a.File(at)
			if err != nil {
				t.Fatal(name, err)
			}
			list := a.actions(at, f.Range(d.Range.Offsets), protocol.QuickFix)
			action, ok := titled(list, "Allow "+string(d.Code)+" here")
			if !ok {
				action, ok = titled(list, "Allow "+string(d.Code)+" in this file")
			}
			if !ok {
				t.Errorf("%s:%d: %s cannot be allowed", name, d.Range.Start.Line, d.Code)
				continue
			}
			allowed++
			after := a.taken(action).Unit(session.KeyOf(a.on(main))).Diagnostics()
			if n, m := alike(before, &finding{Diagnostic: d}), alike(after, &finding{Diagnostic: d}); m >= n {
				t.Errorf("%s:%d: %s stays: %v", name, d.Range.Start.Line, d.Code, action.Edit)
			}
			for _, x := range after {
				if alike(before, &finding{Diagnostic: x}) == 0 {
					t.Errorf("%s:%d: allowing %s brings %s: %s", name, d.Range.Start.Line, d.Code, x.Code, x.Message)
				}
			}
		}
	})
	if allowed < 300 {
		t.Errorf("only %d warnings were allowed", allowed)
	}
}

// canBeAllowed tells whether a `lint:` comment may speak of a finding: none is read
// in prose or in the manifest of something else, none allows what is wrong with
// comments themselves, or an error on the same line.
func canBeAllowed(d diagnostics.Diagnostic, all []diagnostics.Diagnostic) bool {
	if filepath.Ext(d.Range.File) == ".md" || d.Code == "C223" || directive.Own(d.Code) {
		return false
	}
	return !slices.ContainsFunc(all, func(e diagnostics.Diagnostic) bool {
		return e.Severity == diagnostics.Error && e.Code == d.Code && e.Range.File == d.Range.File && e.Range.Start.Line == d.Range.Start.Line
	})
}

// Every fix of the catalogue is offered at its finding, and taken it remedies it;
// safe ones are preferred.
func TestFixEveryFinding(t *testing.T) {
	taken := map[string]int{}
	everyProgram(t, func(name string, a *actor, main string) {
		before := a.findings(main)
		for _, d := range before {
			for _, fix := range d.Fixes {
				at := uri.File(filepath.FromSlash(d.Range.File))
				f, err := a.File(at)
				if err != nil {
					t.Fatal(name, err)
				}
				action, ok := titled(a.actions(at, f.Range(d.Range.Offsets), protocol.QuickFix), titleOf(fix))
				if !ok {
					if fix.ID != diagnostics.MigrateProfile2 { // which may find something against it
						t.Errorf("%s:%d: %s is not offered", name, d.Range.Start.Line, fix.ID)
					}
					continue
				}
				if action.IsPreferred != (fix.Kind == diagnostics.Safe) || len(action.Diagnostics) == 0 {
					t.Errorf("%s: %s: preferred %v, of %v", name, fix.ID, action.IsPreferred, action.Diagnostics)
				}
				taken[fix.ID]++
				a.taken(action)
			}
		}
	})
	for _, row := range diagnostics.Fixes() {
		if taken[row.ID] == 0 {
			t.Errorf("%s was never offered", row.ID)
		}
	}
}

// A declaration that is created takes its finding away.
func TestCreateEveryMissingDeclaration(t *testing.T) {
	made := map[string]int{}
	everyProgram(t, func(name string, a *actor, main string) {
		before := a.findings(main)
		for _, d := range before {
			at := uri.File(filepath.FromSlash(d.Range.File))
			f, err := a.File(at)
			if err != nil {
				continue // a finding without a place
			}
			for _, action := range a.actions(at, f.Range(d.Range.Offsets), protocol.QuickFix) {
				if !strings.HasPrefix(action.Title, "Declare ") {
					continue
				}
				made[strings.Split(action.Title, " `")[0]]++
				after := a.taken(action).Unit(session.KeyOf(a.on(main))).Diagnostics()
				for _, x := range action.Diagnostics {
					same := func(d diagnostics.Diagnostic) bool {
						return x.Code == string(d.Code) && strings.HasPrefix(x.Message, d.Message)
					}
					if slices.ContainsFunc(after, same) {
						t.Errorf("%s: %s leaves %v: %s", name, action.Title, x.Code, x.Message)
					}
				}
			}
		}
	})
	for _, r := range remedies() {
		if made["Declare "+r.noun] == 0 {
			t.Errorf("no %s was ever declared", r.noun)
		}
	}
}

// A text that becomes a prompt says the same: nothing of the program changes but
// the prompt's name.
func TestExtractEveryInlinePrompt(t *testing.T) {
	extracted := 0
	for _, file := range corpus.Files() {
		f := openTextBy(t, actingClient(), string(file.Data))
		a := &actor{TB: t, Snapshot: f.Snapshot}
		unit := f.Unit()
		tree := f.Parsed(unit).AST
		for i, d := range tree.Decls {
			for _, n := range d.Nodes {
				if n.Kind != ast.String && n.Kind != ast.Raw && n.Kind != ast.Scalar {
					continue
				}
				for _, action := range a.actions(f.URI, f.Range(n.Span().Shift(tree.Bases[i])), protocol.RefactorExtract) {
					extracted++
					sameButPrompt(t, file.Name, unit, a.taken(action).Unit(f.Key), action.Title)
				}
			}
		}
	}
	if extracted < 50 {
		t.Errorf("only %d texts were extracted", extracted)
	}
}

func sameButPrompt(t *testing.T, name string, before, after *session.Unit, title string) {
	t.Helper()
	newline := ""
	if strings.HasSuffix(title, "without its final newline") {
		newline = "\n"
	}
	was, is := before.Result().Program(), after.Result().Program()
	inlined := 0
	check := func(use, old *ir.PromptUse) {
		if use.Name == old.Name {
			return
		}
		inlined++
		if got, want := is.Prompt(use.Name).Text.Value()+newline, was.Prompt(old.Name).Text.Value(); got != want {
			t.Errorf("%s: %s: %q, was %q", name, title, got, want)
		}
		*use = *old // of a program that nobody else has
	}
	for i, n := range is.Nodes {
		for k, use := range promptUses(n) {
			check(use, promptUses(was.Nodes[i])[k])
		}
	}
	for i, s := range is.Supervisors {
		check(&s.System.V, &was.Supervisors[i].System.V)
	}
	if inlined == 0 {
		t.Errorf("%s: %s: nobody uses another prompt", name, title)
	}
	changes := ir.Changes(was, is)
	changes = slices.DeleteFunc(changes, func(c string) bool { return strings.HasPrefix(c, "prompt ") })
	if len(changes) > 0 {
		t.Errorf("%s: %s: %v", name, title, changes)
	}
}

// The policy of a node whose workflow's rules are restated stays what it was, and
// the node then says all of it.
func TestRestateEveryPermission(t *testing.T) {
	restated := 0
	for _, file := range corpus.Files() {
		f := openTextBy(t, actingClient(), string(file.Data))
		a := &actor{TB: t, Snapshot: f.Snapshot}
		r := f.Unit().Result()
		before := effective.NewPermissions(r.Scope.Program.Workflow)
		for _, n := range r.Scope.Nodes {
			i := slices.Index(f.Parsed(f.Unit()).AST.Decls, n.Tree)
			for _, action := range a.actions(f.URI, f.Range(n.NameSpan.Shift(f.Parsed(f.Unit()).AST.Bases[i]))) {
				if !strings.HasPrefix(action.Title, "Restate ") {
					continue
				}
				restated++
				next := a.taken(action).Unit(f.Key).Result().Scope
				after := effective.NewPermissions(next.Program.Workflow)
				was, _ := gate.Resolve(before.Levels(n.Node))
				is, _ := gate.Resolve(after.Levels(next.Node(n.ID).Node))
				alone, _ := gate.Resolve(gate.Levels{Node: after.Levels(next.Node(n.ID).Node).Node})
				if policyText(t, was) != policyText(t, is) || policyText(t, is) != policyText(t, alone) {
					t.Errorf("%s: %s: %s, was %s, alone %s", file.Name, n.ID, policyText(t, is), policyText(t, was), policyText(t, alone))
				}
			}
		}
	}
	if restated < 15 {
		t.Errorf("only %d nodes were restated", restated)
	}
}

// policyText is a policy without its origins.
func policyText(t *testing.T, p gate.Policy) string {
	t.Helper()
	text := string(p.Mode)
	for _, rows := range p.Rows {
		for _, row := range rows {
			text += "\n" + row.Text
		}
		text += "\n--"
	}
	return text
}

// A migrated file is the text of `migrate`.
func TestMigrateEveryFile(t *testing.T) {
	migrated := 0
	for _, file := range corpus.Files() {
		f := openTextBy(t, actingClient(), string(file.Data))
		a := &actor{TB: t, Snapshot: f.Snapshot}
		want, err := migrate.Text(f.Key, f.Raw)
		list := a.actions(f.URI, protocol.Range{}, protocol.RefactorRewrite)
		action, ok := titled(list, "Migrate the file to `dsl: 2`")
		if ok != (err == nil && want != f.Raw) {
			t.Errorf("%s: offered is %v, migrate says %v", file.Name, ok, err)
			continue
		}
		if ok {
			migrated++
			if got := a.taken(action).Doc(f.URI).Raw; got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", file.Name, got, want)
			}
		}
	}
	if migrated < 8 {
		t.Errorf("only %d files were migrated", migrated)
	}
}

// Whatever the text is, asking for actions anywhere gives edits inside of it that
// leave it no worse.
func TestActionsInBrokenTexts(t *testing.T) {
	for _, c := range corpus.Cases() {
		text := string(c.Files[0].Data)
		for _, raw := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), text[:len(text)/2]} {
			f := openTextBy(t, actingClient(), raw)
			a := &actor{TB: t, Snapshot: f.Snapshot}
			for at := 0; at <= len(f.Text); at += 11 {
				r := protocol.Range{Start: f.Position(at), End: f.Position(min(at+3, len(f.Text)))}
				for _, action := range a.actions(f.URI, r) {
					a.taken(action)
				}
			}
		}
	}
}

// What was offered for one text is not made of another one.
func TestResolveOnlyOfTheSameText(t *testing.T) {
	client := actingClient()
	client.TextDocument.CodeAction.DataSupport = true
	client.TextDocument.CodeAction.ResolveSupport.Properties = []string{"edit"}
	f := openTextBy(t, client, "tool t:\n  command: \"x\"\n\nworkflow w:\n  entry: t\n  t -> done\n")
	a := &actor{TB: t, Snapshot: f.Snapshot}
	action, ok := titled(a.actions(f.URI, protocol.Range{}), "Migrate the file to `dsl: 2`")
	if !ok || action.Edit != nil || action.Data == nil {
		t.Fatalf("offered %v: %v", ok, action)
	}
	wire, err := json.Marshal(action)
	if err != nil {
		t.Fatal(err)
	}
	back := func() *protocol.CodeAction {
		var sent protocol.CodeAction
		if err := json.Unmarshal(wire, &sent); err != nil {
			t.Fatal(err)
		}
		return &sent
	}
	if made, err := ResolveCodeAction(t.Context(), f.Snapshot, back()); err != nil || made.Edit == nil {
		t.Errorf("%v: %v", made, err)
	}
	other := f.Snapshot.Supposing(map[string]string{f.Key: f.Raw + "\n"})
	if made, err := ResolveCodeAction(t.Context(), other, back()); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("of another text: %v, %v", made, err)
	}
	if made, err := ResolveCodeAction(t.Context(), f.Snapshot, &protocol.CodeAction{Title: "x", Data: "nonsense"}); err != nil || made.Edit != nil {
		t.Errorf("of nonsense: %v, %v", made, err)
	}
}
