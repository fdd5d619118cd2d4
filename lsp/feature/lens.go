package feature

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/diagnostics"
	"iterion/ir/compile"
	"iterion/ir/effective"
	"iterion/ir/facts"
	"iterion/lsp/session"
)

// CodeLens is textDocument/codeLens: on a workflow its findings, a run and the
// graph; on a gated node its mode and how many rules it has.
func CodeLens(_ context.Context, s *session.Snapshot, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.CodeLens{}
	u := f.Unit()
	built := f.Parsed(u)
	if built == nil {
		return list, nil
	}
	add := func(at *compile.Part, tree *ast.Declaration, name func() (title, command string, more []any)) {
		base := built.AST.Bases[indexOf(built.AST, tree)]
		title, command, more := name()
		list = append(list, protocol.CodeLens{Range: f.Range(at.Decl.NameSpan.Shift(base)),
			Command: &protocol.Command{Title: title, Command: command, Arguments: append([]any{f.URI}, more...)}})
	}
	permissions := effective.NewPermissions(facts.Workflow(u.Result().Scope))
	for _, part := range built.Parts {
		switch {
		case part.Workflow != nil:
			add(part, part.Tree, func() (string, string, []any) { return counted(u.Diagnostics()), ValidateCommand, nil })
			add(part, part.Tree, func() (string, string, []any) { return "run", RunCommand, nil })
			add(part, part.Tree, func() (string, string, []any) { return "diagram", DiagramCommand, nil })
		case part.Node != nil && effective.Reader(part.Node.Node):
			if own := permissions.Of(part.Node.Node); own.Gated() {
				title := fmt.Sprintf("permission: %s, %d %s", own.Mode, ruleCount(own), plural(ruleCount(own), "rule"))
				add(part, part.Tree, func() (string, string, []any) { return title, PermissionCommand, []any{part.Node.ID} })
			}
		}
	}
	return list, nil
}

func indexOf(f *ast.File, tree *ast.Declaration) int {
	for i, d := range f.Decls {
		if d == tree {
			return i
		}
	}
	return 0
}

// counted is how many findings there are, in words.
func counted(list []diagnostics.Diagnostic) string {
	numbers := map[diagnostics.Severity]int{}
	for _, d := range list {
		numbers[d.Severity]++
	}
	var parts []string
	for _, s := range []diagnostics.Severity{diagnostics.Error, diagnostics.Warning} {
		if n := numbers[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, plural(n, s.String())))
		}
	}
	if len(parts) == 0 {
		return "valid"
	}
	return strings.Join(parts, ", ")
}
