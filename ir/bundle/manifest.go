package bundle

import (
	"fmt"

	"iterion/ast"
	"iterion/ast/source"
)

// maxManifest is the largest manifest that is read, in bytes.
const maxManifest = 1 << 20

// schemaVersion is the edition of the manifest's keys that this build reads.
const schemaVersion = "1"

// Text is a file that findings may point into.
type Text struct {
	Path   string // in the file system of the build
	Source *source.File
	Tree   *ast.Declaration // the whole file
}

// NewText wraps a file's text as one declaration.
func NewText(path, name, text string) *Text {
	src := source.Load(name, text)
	node := ast.Node{Kind: ast.Decl, End: uint32(len(src.Text)), Next: 1}
	return &Text{path, src, &ast.Declaration{Text: src.Text, Nodes: []ast.Node{node}}}
}

// Manifest is what a bundle says about itself.
type Manifest struct {
	*Text
	Root  *Value // its values have the forms that the table gives them
	Floor string // the release that `requires.iterion` asks for, without its sign; "" for none
}

// Fault is a problem with the file it lies in.
type Fault struct {
	*Problem
	Text *Text
}

// Error says where and what.
func (f *Fault) Error() string {
	at := f.Text.Source.Position(int(f.Span.Start))
	return fmt.Sprintf("%s:%d:%d: %s", f.Text.Source.Name, at.Line, at.Column, f.Message)
}

// decode reads a manifest. Of a file that is no manifest of ours foreign says
// by what one can tell; of one that is and cannot be used, fault says why.
func decode(text *Text) (m *Manifest, foreign, fault *Problem) {
	if len(text.Source.Text) > maxManifest {
		return nil, problem(zero, "", "it is larger than 1 MiB"), nil
	}
	root, fault, unreadable := parse(text.Source)
	if unreadable != nil {
		return nil, unreadable, nil
	}
	if foreign := foreignKey(root); foreign != nil {
		return nil, foreign, nil
	}
	if fault == nil {
		fault = fitAll(keys, root, true)
	}
	if fault == nil {
		fault = schemaFits(root.At("schema_version"))
	}
	if fault != nil {
		return nil, nil, fault
	}
	m = &Manifest{Text: text, Root: root}
	m.Floor, fault = floor(root.At("requires", "iterion"))
	return m, nil, fault
}

// foreignKey returns the first key by which a file is another tool's manifest:
// one that ours do not have, where none stands that only ours have.
func foreignKey(root *Value) *Problem {
	if root.Kind != Map {
		return problem(root.Span, "", "it holds no keys")
	}
	var first *Problem
	for _, e := range root.Entries {
		switch k := find(keys, e.Key); {
		case k == nil && first == nil:
			first = problem(e.KeySpan, e.Key, "it holds the key `%s`, which no manifest of a bundle has", e.Key)
		case k != nil && k.own:
			return nil
		}
	}
	return first
}

func schemaFits(v *Value) *Problem {
	if v == nil || v.Text == schemaVersion {
		return nil
	}
	return problem(v.Span, v.Path, "this build reads manifests of schema_version %s, not %s", schemaVersion, v.Text)
}

func floor(v *Value) (string, *Problem) {
	if v == nil {
		return "", nil
	}
	release, ok := floorOf(v.Text)
	if !ok {
		return "", problem(v.Span, v.Path, "`%s` takes `>= X.Y.Z` or `X.Y.Z`, not %q", v.Path, v.Text)
	}
	return release, nil
}

// KeyNames lists the top-level keys of a manifest.
func KeyNames() []string { return names(keys) }
