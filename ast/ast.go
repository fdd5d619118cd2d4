// Package ast is the syntax tree: one flat, pre-order slice of 16-byte nodes
// per top-level declaration. Offsets in a tree count from the start of the
// declaration's own text, so an edit elsewhere in the file moves nothing in it
// and the tree of an untouched declaration is shared between versions.
package ast

import (
	"iter"

	"iterion/ast/source"
)

// Kind is the type of a node.
type Kind uint8

const (
	Bad Kind = iota // text that is no member; a Problem says why

	// Roots and members.
	Decl   // `kind name:` and its body. Children: Ident name, Param…, members
	Header // `dsl: N`. Child: Int, or what stands in its place
	Import // `import "…"`. Child: String
	Use    // `use g as p`. Children: Ident group, Ident prefix, With
	Prop   // a property. Aux is its row + 1 in the kind's table. Children: Key, value or members
	Entry  // an author-named line. Children: Key, Type, Enum, Matching, value, members
	Edge   // Children: Target, Target…, clauses

	// Clauses of an edge.
	When    // `when [not] f`, `when "…"`. Child: Ident or a string
	Else    //
	Loop    // `as l(cap)`. Children: Ident, then Int, a string, or Unbounded
	Foreach // `as foreach l(x in "…")`. Children: Ident, Ident, a string
	With    // `with { … }`. Children: Entry…

	// Parts.
	Key       // the key of a Prop or Entry, without its colon
	Param     // a group's parameter
	Target    // an end of an edge, dots included
	Type      // a type word, [] suffixes included
	Enum      // `[enum: …]`. Children: strings
	Matching  // `[matching: …]`. Child: a string
	Unbounded // a loop without a cap. Child: Int fuel, or none

	// Values.
	Ident   // a bare word, dots and a final .* included
	Int     // digits
	Float   // digits.digits
	Measure // a number with an adjacent unit: 20m
	String  // "…", quotes included
	Raw     // `…`, backticks included
	Scalar  // the indented text of a `key: |`, lines whole
	Body    // the indented text of a prompt, lines whole
	List    // [a, b] or dash lines (FlagDashes). Children: values
	Map     // { k: v }. Children: Entry…
)

// Flags of a node.
type Flags uint8

const (
	FlagNot     Flags = 1 << iota // When: negated
	FlagDashes                    // List: one `- item` a line
	FlagEscape                    // String: holds a backslash
	FlagTainted                   // a Problem lies in this member
	FlagBlock                     // Prop, Entry: the value is an indented block
	FlagQuoted                    // Key: written in quotes
)

// Node is one node of a flat tree. Start and End are bytes from the start of
// the declaration's text; Next is the index behind the node's last descendant.
type Node struct {
	Kind       Kind
	Flags      Flags
	Aux        uint16
	Start, End uint32
	Next       uint32
}

// Span returns the node's range.
func (n Node) Span() source.Span { return source.Span{Start: n.Start, End: n.End} }

// Comment is a `#` comment, its hashes included.
type Comment struct {
	Start, End uint32
	Trailing   bool // stands behind code
}

// Problem is a fault found while lexing or parsing.
type Problem struct {
	Code    string // E001 …
	Span    source.Span
	Message string
	Hint    string       // a sharper fix line, or ""
	Related *source.Span // the first of a pair, in the same coordinates
	Label   string       // what Related shows
	Fix     *Fix         // a remedy, or nil
}

// Fix is a remedy of a problem, in the same coordinates.
type Fix struct {
	ID   string // row of the fix table
	Edit source.Edit
}

// Declaration is one top-level unit: its comments, its text and its tree.
// It is immutable once parsed.
type Declaration struct {
	Text     string // of the file, leading comments and blank lines included
	Nodes    []Node // Nodes[0] is the root; empty never
	Comments []Comment
	Problems []Problem
	Escapes  bool // a quoted string holds a backslash
	Removed  bool // a property stands here that a later profile dropped
}

// Root returns the root node.
func (d *Declaration) Root() Node { return d.Nodes[0] }

// Slice returns the source text of node i.
func (d *Declaration) Slice(i int) string {
	n := &d.Nodes[i]
	return d.Text[n.Start:n.End]
}

// Children yields the indices of the direct children of node i.
func (d *Declaration) Children(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
			if !yield(c) {
				return
			}
		}
	}
}

// First returns the first direct child of node i of the given kind, or -1.
func (d *Declaration) First(i int, kind Kind) int {
	for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
		if d.Nodes[c].Kind == kind {
			return c
		}
	}
	return -1
}

// Enclosing returns the innermost node of the given kind around a range, or -1.
func (d *Declaration) Enclosing(kind Kind, at source.Span) int {
	found := -1
	for i := range d.Nodes {
		if n := &d.Nodes[i]; n.Kind == kind && n.Start <= at.Start && at.End <= n.End {
			found = i
		}
	}
	return found
}

// Keyword returns the word that opens the declaration: `agent`, `vars`, `use` …
func (d *Declaration) Keyword() string { return d.KeywordOf(0) }

// KeywordOf returns the opening word of a declaration node, nested ones included.
func (d *Declaration) KeywordOf(i int) string { return leadingWord(d.Slice(i)) }

// Name returns the declared name of declaration node i and its node index, or
// "" and -1.
func (d *Declaration) Name(i int) (string, int) {
	if c := d.First(i, Ident); c >= 0 {
		return d.Slice(c), c
	}
	return "", -1
}

// Tainted tells whether the subtree of node i holds a problem.
func (d *Declaration) Tainted(i int) bool { return d.Nodes[i].Flags&FlagTainted != 0 }

func leadingWord(s string) string {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return s[:i]
		}
	}
	return s
}

// File is a parsed file: its declarations in source order. Declaration i's
// text starts at byte Bases[i] of the file.
type File struct {
	Source   *source.File
	Profile  int  // 1 or 2
	Header   bool // a `dsl:` line was read
	Strict   bool // quoted strings decode escapes
	Decls    []*Declaration
	Bases    []uint32
	Tail     []Comment // behind the last declaration; file offsets
	Problems []Problem // not bound to one declaration; file offsets
	Across   bool      // a problem of one declaration points into another
	Stopped  bool      // E001 (size), E006 or E040: nothing behind it was read
}
