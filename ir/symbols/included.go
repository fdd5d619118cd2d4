package symbols

import (
	"iterion/ir/build"
)

// include finds the names in texts that prompts include. They are read where
// the prompts are.
func (x *Index) include(b *builder) {
	for _, text := range x.result.Included {
		tree, part := text.AST.Decls[0], text.Parts[0]
		b.tree, b.list = tree, nil
		for _, reader := range text.By {
			for _, at := range b.readersOf(x.result.Files, reader) {
				for i := range part.Texts {
					b.text(&part.Texts[i], at)
				}
			}
		}
		x.files[tree], x.trees[tree] = text.File, b.sorted()
	}
}

// readersOf lists the places where an included text is read.
func (b *builder) readersOf(files []*build.File, r build.Reader) []place {
	switch p := files[r.File].Parts[r.Declaration]; {
	case p.Node != nil:
		return []place{b.inside(nil, p.Node)}
	case p.Group != nil && r.Member >= 0:
		return []place{b.inside(b.groupOf(p), p.Group.Nodes[r.Member])}
	default:
		return b.readers(p.Decl.Name)
	}
}

// readers lists the places where a prompt is read; when nobody reads it, any.
func (b *builder) readers(prompt string) []place {
	if list := b.prompts[prompt]; len(list) > 0 {
		return list
	}
	return []place{{}}
}
