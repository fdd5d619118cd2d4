package feature

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/ir/build"
	"iterion/ir/diagram"
	"iterion/ir/facts"
	"iterion/lsp/session"
)

// The commands of workspace/executeCommand. The first argument of all but
// ExplainCommand is the URI of a file.
const (
	ValidateCommand   = "iterion.validate"        // its findings, as `validate` prints them
	DiagramCommand    = "iterion.diagram"         // the graph, in the form that the second argument names: mermaid, dot or svg
	PermissionCommand = "iterion.permission.show" // the policy of the node that the second argument names, or of all
	RunCommand        = "iterion.run"             // the command line that runs it: a server runs nothing
	ExplainCommand    = "iterion.explain"         // the page of a code
)

// Commands lists them.
var Commands = []string{ValidateCommand, DiagramCommand, PermissionCommand, RunCommand, ExplainCommand}

// ExecuteCommand is workspace/executeCommand. No command changes or starts
// anything; each returns a text, RunCommand a list of words.
func ExecuteCommand(_ context.Context, s *session.Snapshot, p *protocol.ExecuteCommandParams) (any, error) {
	first, second := argument(p, 0), argument(p, 1)
	if p.Command == ExplainCommand {
		row, ok := diagnostics.ByName(first)
		if !ok {
			return nil, fmt.Errorf("no finding is called %q", first)
		}
		page, _ := diagnostics.Page(row.Code)
		return page, nil
	}
	f, err := s.File(protocol.DocumentURI(first))
	if err != nil {
		return nil, err
	}
	u := f.Unit()
	if u == nil || u.Result() == nil {
		return nil, fmt.Errorf("%s belongs to no program", first)
	}
	switch p.Command {
	case ValidateCommand:
		return findingsText(u)
	case DiagramCommand:
		return drawn(u.Result(), second)
	case PermissionCommand:
		return permissionOf(u.Result(), second)
	case RunCommand:
		return []string{"iterion", "run", u.Main}, nil
	}
	return nil, fmt.Errorf("there is no command %q", p.Command)
}

func argument(p *protocol.ExecuteCommandParams, i int) (text string) {
	if i < len(p.Arguments) {
		raw, err := json.Marshal(p.Arguments[i])
		if err != nil || json.Unmarshal(raw, &text) != nil {
			return ""
		}
	}
	return text
}

func findingsText(u *session.Unit) (string, error) {
	var b bytes.Buffer
	err := render.Text(&b, render.Report{File: filepath.ToSlash(u.Main), Diagnostics: u.Diagnostics()}, render.TextOptions{})
	return b.String(), err
}

func drawn(r *build.Result, form string) (string, error) {
	if !r.Valid() {
		return "", errors.New("the program has errors, so there is no graph of it")
	}
	switch form {
	case "", "mermaid":
		return diagram.Mermaid(r.Program()), nil
	case "dot":
		return diagram.DOT(r.Program()), nil
	case "svg":
		return diagram.SVG(r.Program()), nil
	}
	return "", fmt.Errorf("a graph is drawn as mermaid, dot or svg, not as %q", form)
}

func permissionOf(r *build.Result, node string) (string, error) {
	var list []render.NodeFacts
	for _, n := range facts.Of(r).Nodes() {
		if node == "" || n.Node == node {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return "", fmt.Errorf("no model of %q calls tools", node)
	}
	var b bytes.Buffer
	err := render.FactsText(&b, render.Facts{Nodes: list}, false)
	return b.String(), err
}
