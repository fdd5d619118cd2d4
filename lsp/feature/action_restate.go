package feature

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/ir/scope"
	"iterion/lsp/session"
)

// restatements offers what a node inherits of the workflow's permission, written
// in the node, so that it can be narrowed there.
func restatements(at *spot) []action {
	n := at.nodeHere()
	if n == nil || n.LLM == nil {
		return nil
	}
	text := restated(at.units[0].Result().Scope, n, literal.ModeOf(at.built.AST))
	edit, ok := at.insertProperties(n, text)
	if text == "" || !ok || !at.keepsPolicies(edit) {
		return nil
	}
	return []action{{title: "Restate the workflow's permission in `" + n.Name + "`", edit: change{at.file.Key: {edit}}}}
}

// nodeHere is the node whose header or permission the range touches; to a client
// that asks for refactorings, the one around it.
func (at *spot) nodeHere() *scope.Node {
	if at.built == nil {
		return nil
	}
	tree, base := session.DeclarationAt(at.built.AST, int(at.span.Start))
	for _, n := range at.units[0].Result().Scope.Nodes {
		if n.Tree != tree || tree == nil {
			continue
		}
		owner := tree.Enclosing(ast.Decl, n.NameSpan)
		around := tree.Nodes[owner].Span().Shift(uint32(base))
		if at.touches(at.lineAt(n.NameSpan.Start+uint32(base))) || at.narrow && around.Contains(at.span.Start) {
			return n
		}
	}
	return nil
}

// restated are the lines that say in a node what it inherits.
func restated(s *scope.Scope, n *scope.Node, mode literal.Mode) string {
	if s.Workflow == nil || s.Workflow.Workflow == nil {
		return ""
	}
	w := s.Workflow.Workflow
	var b strings.Builder
	if w.Permission.Set() && !n.LLM.Permission.Set() {
		b.WriteString("permission: " + w.Permission.V + "\n")
	}
	own := effective.ListsOf(n.LLM)
	lists := [3]ir.List{gate.DenyList: w.Deny, gate.AskList: w.Ask, gate.AllowList: w.Allow}
	for _, kind := range slices.Backward(gate.Kinds()) { // as the table of properties has them
		list := lists[kind]
		if len(list.V) == 0 || own[kind].Set() {
			continue
		}
		b.WriteString(kind.String() + ": [")
		for i, item := range list.V {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quotedIn(mode, item.Text))
		}
		b.WriteString("]\n")
	}
	return b.String()
}

// quotedIn spells a text of one line as a literal of a file.
func quotedIn(mode literal.Mode, text string) string {
	switch {
	case !strings.ContainsAny(text, "\"\\\n"):
		return `"` + text + `"`
	case !strings.ContainsAny(text, "`\n"):
		return "`" + text + "`"
	case mode&literal.Strict != 0:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
	}
	return `"` + text + `"` // what would not say the same is not offered
}

// insertProperties writes properties into a node, behind those that the table has
// before them.
func (at *spot) insertProperties(n *scope.Node, text string) (source.Edit, bool) {
	tree, base := session.DeclarationAt(at.built.AST, int(at.span.Start))
	owner := tree.Enclosing(ast.Decl, n.NameSpan)
	kind := schema.Lookup(tree.KeywordOf(owner))
	if kind == nil {
		return source.Edit{}, false
	}
	row, last, first := kind.Row("permission"), -1, -1
	for m := range tree.Children(owner) {
		if tree.Nodes[m].Kind != ast.Prop {
			continue
		}
		if first < 0 {
			first = m
		}
		if int(tree.Nodes[m].Aux) <= row+1 {
			last = m
		}
	}
	if first < 0 {
		return source.Edit{}, false
	}
	start := tree.Nodes[first].Start
	indent := tree.Text[lineIn(tree.Text, int(start)).Start:start]
	lines := indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent)
	if last < 0 {
		place := lineIn(tree.Text, int(start)).Start + uint32(base)
		return source.Edit{Span: source.Span{Start: place, End: place}, New: lines + "\n"}, true
	}
	end := tree.Nodes[last].Start + uint32(len(strings.TrimRight(tree.Slice(last), " \t\n")))
	place := lineIn(tree.Text, int(end)).End + uint32(base)
	return source.Edit{Span: source.Span{Start: place, End: place}, New: "\n" + lines}, true
}

// keepsPolicies tells whether the policies of all nodes are the same after an edit,
// in every unit of the file.
func (at *spot) keepsPolicies(edit source.Edit) bool {
	for _, u := range at.units {
		r := u.Result()
		next := r.Edited(func(f *build.File) []source.Edit {
			if keyOf(f) == at.file.Key {
				return []source.Edit{edit}
			}
			return nil
		})
		if !samePolicies(r.Scope, next.Scope) {
			return false
		}
	}
	return true
}

func samePolicies(before, after *scope.Scope) bool {
	was, is := permissionsIn(before), permissionsIn(after)
	for _, n := range before.Nodes {
		m := after.Node(n.ID)
		if m == nil || !samePolicy(was.Of(n.Node), is.Of(m.Node)) {
			return false
		}
	}
	return len(before.Nodes) == len(after.Nodes)
}

func permissionsIn(s *scope.Scope) *effective.Permissions {
	return effective.NewPermissions(s.Program.Workflow)
}

// samePolicy compares what two policies do, wherever it is written.
func samePolicy(p, q *effective.Permission) bool {
	if p.Mode != q.Mode || p.Unknown != q.Unknown {
		return false
	}
	for kind := range p.Rows {
		if !slices.EqualFunc(p.Rows[kind], q.Rows[kind], func(a, b gate.Row) bool { return a.Text == b.Text }) {
			return false
		}
	}
	return true
}
