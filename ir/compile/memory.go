package compile

import (
	"iterion/ast"
	"iterion/grammar/slab"
	"iterion/grammar/template"
	"iterion/ir"
)

// memory is where what a file compiles to comes from. Everything of one type
// stands together, and File counts before what it can.
type memory struct {
	uses    slab.Run[TextUse] // of what is being compiled
	exprs   slab.Run[ExprUse]
	inlines slab.Run[Inline]
	refs    template.Reader

	nodes   slab.Of[wholeNode]
	models  slab.Of[ir.LLM]
	tools   slab.Of[ir.Tool]
	schemas slab.Of[ir.Schema]
	fields  slab.Of[ir.Field]
	prompts slab.Of[ir.Prompt]
	decls   slab.Of[ir.Decl]

	items    slab.Of[ir.Item]
	bindings slab.Of[ir.Binding]
}

// wholeNode is what always comes together.
type wholeNode struct {
	part   NodePart
	node   ir.Node
	common ir.Common
}

// reserve makes room for the declarations of a file, whose keywords are known.
func (m *memory) reserve(text string, parts []Part) {
	var nodes, models, tools, schemas, fields, prompts int
	for i := range parts {
		switch parts[i].Keyword {
		case "agent", "judge":
			nodes++
			models++
		case "tool":
			nodes++
			tools++
		case "router", "human", "compute", "subbot", "emit", "wait", "await_answers", "fail":
			nodes++
		case "schema":
			schemas++
			fields += entries(parts[i].Tree)
		case "prompt":
			prompts++
		}
	}
	m.nodes.Reserve(nodes)
	m.models.Reserve(models)
	m.tools.Reserve(tools)
	m.schemas.Reserve(schemas)
	m.fields.Reserve(fields)
	m.prompts.Reserve(prompts)
	m.decls.Step = min(len(parts)-nodes-schemas-prompts, 4)
	m.items.Step, m.bindings.Step = min(len(parts), 16), min(len(parts), 8)
	m.uses.Step, m.exprs.Step, m.inlines.Step = min(nodes, 4), min(nodes, 4), min(models, 4)
	m.refs = template.NewReader(text)
}

// entries counts the author-named lines of a declaration.
func entries(d *ast.Declaration) int {
	total := 0
	for i := range d.Nodes {
		if d.Nodes[i].Kind == ast.Entry {
			total++
		}
	}
	return total
}
