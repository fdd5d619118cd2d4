// Package scope joins the compiled declarations of a unit: it binds names,
// expands groups and knows the graph. Checks, the runtime's program and the
// editor's navigation all resolve names here and nowhere else.
package scope

import (
	"iterion/ast"
	"iterion/ir"
	"iterion/ir/compile"
)

// Unit is one file of a program with its compiled declarations, in the order
// in which imports first reach the files; the main file is first.
type Unit struct {
	File  *ast.File
	Parts []*compile.Part // one for each of File.Decls
}

// Scope is the linked unit. It is immutable.
type Scope struct {
	// Program holds what the unit declares, without nodes and edges and without
	// origins: Export makes a whole program.
	Program *ir.Program
	Units   []Unit

	Nodes       []*Node // in order; later declarations of a taken id are left out
	Edges       []*Edge // in order
	Workflow    *compile.Part
	PromptTexts map[string][]compile.TextUse // by prompt, of those with references
	Attachments map[string]*ir.Attachment
	Secrets     map[string]*ir.Secret
	Cursors     map[string]*ir.Cursor
	Servers     map[string]*ir.Server
	Supervisors []*compile.Part
	Contracts   map[string]*ir.Contract
	Groups      map[string]*compile.Part
	Resources   map[string]*ir.Resource
	Publishers  map[string][]*Node // by artifact name
	Loops       map[string][]*Edge // by loop name
	Foreaches   map[string][]*Edge // by foreach name
	Texts       []DeclText         // texts of declarations that are no node: workflow, supervisors

	// Incomplete: an import is missing, so a name that is declared nowhere may
	// stand in it.
	Incomplete bool
	// Broken: an edge line could not be read, so the graph lacks edges.
	Broken bool

	byID     map[string]*Node
	inside   map[string]bool // prefixes of ids with dots: those of instances
	prefixes map[string]bool // of uses that could not be expanded
}

// Node is a node in its graph.
type Node struct {
	*compile.NodePart
	In, Out []*Edge // in source order
	Index   int     // in Scope.Nodes

	// The named schemas; nil when absent, unknown or tainted.
	InputSchema, OutputSchema *ir.Schema
}

// Edge is an edge with its ends.
type Edge struct {
	*compile.EdgePart
	Source   *Node // nil when unknown or a terminal
	Target   *Node // nil when unknown or a terminal
	Instance *ir.Instance
}

// DeclText is a text outside of nodes and edges, with its declaration.
type DeclText struct {
	Part *compile.Part
	Use  compile.TextUse
}

// Node returns a node by id, or nil.
func (s *Scope) Node(id string) *Node { return s.byID[id] }

// Known tells whether an edge end is a node or a terminal, or may be one: a
// member of a group instance that could not be expanded.
func (s *Scope) Known(id string) bool {
	return id == ir.Done || id == ir.Fail || s.byID[id] != nil || s.MaybeMember(id)
}

// MaybeMember tells whether an id lies under the prefix of a `use` that could
// not be expanded, so that nothing is known about it.
func (s *Scope) MaybeMember(id string) bool {
	for i := range len(id) {
		if id[i] == '.' && s.prefixes[id[:i]] {
			return true
		}
	}
	return s.prefixes[id]
}

// Unexpanded tells whether a `use` could not be expanded, so that members and
// edges are missing.
func (s *Scope) Unexpanded() bool { return len(s.prefixes) > 0 }

// Schema returns a schema by name, or nil.
func (s *Scope) Schema(name string) *ir.Schema { return s.Program.Schema(name) }

// NodeOf splits a dotted path into the node it names and the rest: instance
// ids have dots of their own, so the longest known id wins. It returns nil
// and the whole path when no prefix is a node.
func (s *Scope) NodeOf(path []string) (*Node, []string) {
	id := ""
	var best *Node
	rest := path
	for i, seg := range path {
		if i > 0 && !s.inside[path[0]] {
			break
		}
		if i > 0 {
			id += "."
		}
		id += seg
		if n := s.byID[id]; n != nil {
			best, rest = n, path[i+1:]
		}
	}
	return best, rest
}

// NodeIDs lists all ids, for suggestions.
func (s *Scope) NodeIDs() []string {
	ids := make([]string, len(s.Nodes))
	for i, n := range s.Nodes {
		ids[i] = n.ID
	}
	return ids
}
