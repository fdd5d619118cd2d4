package feature

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"iterion/ir/check"
	"iterion/ir/compile"
	"iterion/ir/effective"
	"iterion/ir/facts"
	"iterion/ir/scope"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// InlayHints is textDocument/inlayHint: what holds for a node without being
// written in it, and the bound of a loop that a variable gives.
func InlayHints(_ context.Context, s *session.Snapshot, p *protocol317.InlayHintParams) ([]protocol317.InlayHint, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol317.InlayHint{}
	u := f.Unit()
	built := f.Parsed(u)
	if built == nil {
		return list, nil
	}
	h := hinter{scope: u.Result().Scope, collectors: collectorsOf(u)}
	h.permissions = effective.NewPermissions(facts.Workflow(h.scope))
	within := f.Span(p.Range)
	for i, part := range built.Parts {
		base := built.AST.Bases[i]
		h.part(part, func(at uint32, label string) {
			if at += base; within.Contains(at) {
				list = append(list, protocol317.InlayHint{Position: f.Position(int(at)), Label: label, PaddingLeft: true})
			}
		})
	}
	return list, nil
}

type hinter struct {
	scope       *scope.Scope
	permissions *effective.Permissions
	collectors  map[string]string // the router whose branches end at a node
}

// part adds the hints of a declaration, at places in it.
func (h *hinter) part(p *compile.Part, add func(at uint32, label string)) {
	switch {
	case p.Node != nil:
		if label := h.node(p.Node); label != "" {
			add(lineEnd(p.Tree.Text, p.Decl.NameSpan.End), label)
		}
	case p.Workflow != nil:
		for i := range p.Edges {
			h.edge(&p.Edges[i], add)
		}
	}
}

func lineEnd(text string, at uint32) uint32 {
	if n := strings.IndexAny(text[at:], "#\n"); n >= 0 {
		return at + uint32(len(strings.TrimRight(text[at:at+uint32(n)], " \t")))
	}
	return uint32(len(text))
}

// node tells what a node has of the workflow: its backend and its permission.
func (h *hinter) node(n *compile.NodePart) string {
	var parts []string
	w := facts.Workflow(h.scope)
	if b := effective.BackendOf(w, n.Node); n.LLM != nil && b.Name != "" && b.Tree != n.Tree {
		parts = append(parts, "backend: "+b.Name)
	}
	if effective.Reader(n.Node) && (n.LLM == nil || !n.LLM.Permission.Set()) {
		if p := h.permissions.Of(n.Node); p.Gated() {
			parts = append(parts, fmt.Sprintf("permission: %s (%s)", p.Mode, p.ModeFrom))
		}
	}
	if router := h.collectors[n.ID]; router != "" && !n.Join.Set() {
		parts = append(parts, "collects the branches of "+router)
	}
	return strings.Join(parts, ", ")
}

// edge tells the bound of a loop that a variable gives.
func (h *hinter) edge(e *compile.EdgePart, add func(at uint32, label string)) {
	if e.Loop == nil || !e.Loop.Cap.Set() {
		return
	}
	ref, whole := e.Loop.Cap.V.Whole()
	if !whole || ref.Namespace != "vars" || len(ref.Path) != 1 {
		return
	}
	if v := h.scope.Program.Var(ref.Path[0]); v != nil && v.Default.Set() {
		add(e.Loop.Cap.Span.End, "= "+v.Default.V.Text)
	}
}

// collectorsOf finds the nodes at which branches end, by their ids.
func collectorsOf(u *session.Unit) map[string]string {
	type key struct{}
	return session.Memo(u, key{}, func(u *session.Unit) map[string]string {
		found := map[string]string{}
		for _, fan := range check.Fans(u.Result().Scope, filepath.ToSlash(u.Main)) {
			inside := slices.Concat(fan.Branches...)
			for _, n := range append(inside, fan.Router) {
				for _, e := range n.Out {
					if t := e.Target; t != nil && !slices.Contains(inside, t) && check.Collects(t) {
						found[t.ID] = fan.Router.ID
					}
				}
			}
		}
		return found
	})
}
