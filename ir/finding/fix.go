package finding

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
)

// Fix is a remedy; its kind and its title stand in the table of fixes.
type Fix struct {
	ID    string
	Edits []Edit // in order
}

// Edit replaces a range inside a declaration.
type Edit struct {
	Tree *ast.Declaration
	source.Edit
}

// Fix adds a remedy. Without edits there is none, but for a command.
func (f *Finding) Fix(id string, edits ...Edit) *Finding {
	if row, _ := diagnostics.LookupFix(id); len(edits) > 0 || row.Kind == diagnostics.Command {
		f.Fixes = append(f.Fixes, Fix{id, edits})
	}
	return f
}

// Replace writes text in the place of a range; an empty range inserts it.
func Replace(tree *ast.Declaration, at source.Span, text string) Edit {
	return Edit{tree, source.Edit{Span: at, New: text}}
}

// Rename replaces a word that stands at a place, alone or in quotes. There is
// no edit where the source says something else, as when the word was pasted in
// for a parameter, or where the new word could not stand.
func Rename(tree *ast.Declaration, at source.Span, word, with string) []Edit {
	if tree == nil {
		return nil
	}
	text := tree.Text[at.Start:at.End]
	quoted := len(text) > 1 && (text[0] == '"' || text[0] == '`') && text[0] == text[len(text)-1]
	if quoted {
		at = source.Span{Start: at.Start + 1, End: at.End - 1}
		text = text[1 : len(text)-1]
	}
	dotted := quoted || strings.Contains(word, ".") || !bareName(tree, at)
	if text != word || !plain(with, dotted) {
		return nil
	}
	return []Edit{Replace(tree, at, with)}
}

// bareName tells whether a place is a bare word, which may hold no dot.
func bareName(tree *ast.Declaration, at source.Span) bool {
	i := tree.Enclosing(ast.Ident, at)
	return i >= 0 && tree.Nodes[i].Span() == at
}

// plain tells whether a text may stand anywhere as it is.
func plain(text string, dotted bool) bool {
	for _, c := range []byte(text) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && c != '_' && (c < '0' || c > '9') && (c != '.' || !dotted) {
			return false
		}
	}
	return text != ""
}

// DropMember deletes the lines of the property, entry or edge around a place:
// what is nested below it goes too, and the comment at its end. There is no
// edit where it is all that a body holds.
func DropMember(tree *ast.Declaration, kind ast.Kind, at source.Span) []Edit {
	n := tree.Enclosing(kind, at)
	if n < 0 || alone(tree, n) {
		return nil
	}
	if lines, ok := linesOf(tree.Text, tree.Nodes[n].Span()); ok {
		return []Edit{Replace(tree, lines, "")}
	}
	return nil
}

// alone tells whether a member is the only one of its body.
func alone(tree *ast.Declaration, n int) bool {
	parent := n - 1
	for int(tree.Nodes[parent].Next) <= n {
		parent--
	}
	for m := range tree.Children(parent) {
		switch tree.Nodes[m].Kind {
		case ast.Decl, ast.Prop, ast.Entry, ast.Edge:
			if m != n {
				return false
			}
		}
	}
	return true
}

// linesOf widens a range to its whole lines. It is not ok when they hold
// anything else but blanks and a comment.
func linesOf(text string, at source.Span) (source.Span, bool) {
	start := strings.LastIndexByte(text[:at.Start], '\n') + 1
	end := int(at.End)
	if text[end-1] != '\n' {
		rest, _, more := strings.Cut(text[end:], "\n")
		if behind := strings.TrimLeft(rest, " \t"); behind != "" && behind[0] != '#' {
			return source.Span{}, false
		}
		if end += len(rest); more {
			end++
		}
	}
	return source.Span{Start: uint32(start), End: uint32(end)}, strings.Trim(text[start:at.Start], " \t") == ""
}

// DropElement deletes an element of a list or enum with the comma that parts
// it from its neighbour, or with its line. There is no edit for the last one
// of a list of lines.
func DropElement(tree *ast.Declaration, at source.Span) []Edit {
	list := max(tree.Enclosing(ast.List, at), tree.Enclosing(ast.Enum, at))
	if list < 0 {
		return nil
	}
	var before, behind source.Span
	found := false
	for e := range tree.Children(list) {
		switch span := tree.Nodes[e].Span(); {
		case span == at:
			found = true
		case !found:
			before = span
		case behind.IsZero():
			behind = span
		}
	}
	switch dashes := tree.Nodes[list].Flags&ast.FlagDashes != 0; {
	case !found || dashes && before.IsZero() && behind.IsZero():
		return nil
	case dashes:
		return dropItem(tree, at)
	case !before.IsZero():
		at.Start = before.End
	case !behind.IsZero():
		at.End = behind.Start
	}
	return []Edit{Replace(tree, at, "")}
}

// dropItem deletes the line of an element behind a dash.
func dropItem(tree *ast.Declaration, at source.Span) []Edit {
	at.Start = uint32(strings.LastIndexByte(tree.Text[:at.Start], '-'))
	if lines, ok := linesOf(tree.Text, at); ok {
		return []Edit{Replace(tree, lines, "")}
	}
	return nil
}

// DropWord deletes a word with the blanks before it.
func DropWord(tree *ast.Declaration, at source.Span) []Edit {
	at.Start = uint32(len(strings.TrimRight(tree.Text[:at.Start], " \t")))
	return []Edit{Replace(tree, at, "")}
}

// InsertBefore writes a property on a line above the one around a place.
func InsertBefore(tree *ast.Declaration, at source.Span, line string) []Edit {
	n := tree.Enclosing(ast.Prop, at)
	if n < 0 {
		return nil
	}
	start := tree.Nodes[n].Start
	indent := tree.Text[strings.LastIndexByte(tree.Text[:start], '\n')+1 : start]
	return []Edit{Replace(tree, source.Span{Start: start, End: start}, line+"\n"+indent)}
}
