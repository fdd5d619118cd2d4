package printer

import (
	"iterion/ast"
	"iterion/grammar/schema"
)

// body prints the members of node n, which start at node first, and the
// comments behind them. Limit is where the code behind the body starts.
func (p *printer) body(kind *schema.Kind, n, first, level int, limit uint32) {
	end := int(p.nodes[n].Next)
	// A header without a body is complete only before a blank line.
	p.fresh, p.blank = first < end, first == end
	b := bodyState{kind: kind, level: level, workflow: kind.Members == schema.Edges}
	at := first
	if kind.Entry == nil && len(kind.Props) > 1 {
		at = p.arrange(&b, n, first, limit)
	}
	for at < end {
		next := int(p.nodes[at].Next)
		stop := limit
		if next < end {
			stop = p.nodes[next].Start
		}
		p.member(&b, at, stop)
		at = next
	}
	p.behind(n, level, limit)
}

// bodyState is what the members of one body share.
type bodyState struct {
	kind     *schema.Kind
	level    int
	workflow bool // blank lines stand around blocks and before the edges
	edges    bool // the first edge was printed
}

// member prints one member with the comments before it.
func (p *printer) member(b *bodyState, n int, limit uint32) {
	node := p.nodes[n]
	block := b.workflow && node.Flags&ast.FlagBlock != 0
	first := b.workflow && node.Kind == ast.Edge && !b.edges
	p.leads(node.Start, b.level, block || first)
	p.gap(node.Start)
	p.indent(b.level)
	switch node.Kind {
	case ast.Prop:
		p.property(&b.kind.Props[node.Aux-1], n, b.level, limit)
	case ast.Entry:
		p.entry(b.kind.Entry, n, b.level, limit)
	case ast.Edge:
		p.edge(n, b.level)
		b.edges = true
	case ast.Decl:
		p.declaration(n, b.level, limit)
	}
	if block {
		p.blank = true
	}
}

// leads prints the comments before the code at start. With apart a blank line
// comes before the code and the comments that lead it.
func (p *printer) leads(start uint32, level int, apart bool) {
	lead := 0
	if apart {
		lead = p.leadStart(start)
	}
	for p.before(start) {
		if apart && p.next == lead {
			p.blank, apart = !p.fresh, false
		}
		p.ownLine(level)
	}
	if apart && !p.fresh {
		p.blank = true
	}
}

// behind prints the comments between the last member of node n and the code
// at limit that belong to the body of n, as their column tells.
func (p *printer) behind(n, level int, limit uint32) {
	if !p.before(limit) {
		return
	}
	margin := column(p.text, p.nodes[n].Start)
	for p.before(limit) && column(p.text, p.comments[p.next].Start) > margin {
		p.ownLine(level)
	}
}

// property prints `key: value`, a block or a `with`.
func (p *printer) property(row *schema.Property, n, level int, limit uint32) {
	node := p.nodes[n]
	if row.Form == schema.With {
		p.with(n+2, level)
		p.newline(node.End)
		return
	}
	p.write(p.slice(n + 1))
	p.out = append(p.out, ':')
	if node.Flags&ast.FlagBlock != 0 {
		p.newline(p.nodes[n+1].End)
		p.body(row.Block, n, n+2, level+1, limit)
		return
	}
	p.value(row, n, n+2, level, limit)
}

// entry prints an author-named line and the block below it.
func (p *printer) entry(e *schema.Entry, n, level int, limit uint32) {
	node := p.nodes[n]
	p.write(p.slice(n + 1))
	p.out = append(p.out, ':')
	at, end := n+2, p.nodes[n+1].End
	block := node.Flags&ast.FlagBlock != 0
	switch {
	case e.Typed != nil:
		at, end = p.typed(at, int(node.Next))
	case !block && at < int(node.Next):
		p.value(&schema.Property{Form: e.Form}, n, at, level, limit)
		return
	}
	p.newline(end)
	if block {
		p.body(e.Block, n, at, level+1, limit)
	}
}

// typed prints `type [enum: …] [matching: …] = literal` and returns the node
// behind it and the source offset where it ends.
func (p *printer) typed(at, stop int) (next int, end uint32) {
	for at < stop {
		switch p.nodes[at].Kind {
		case ast.Type:
			p.out = append(p.out, ' ')
			p.write(unspaced(p.slice(at)))
		case ast.Enum:
			p.write(" [enum: ")
			p.elements(schema.QStr, at)
			p.out = append(p.out, ']')
		case ast.Matching:
			p.write(" [matching: ")
			p.elements(schema.QStr, at)
			p.out = append(p.out, ']')
		case ast.Prop:
			return at, end
		default:
			p.write(" = ")
			p.write(p.slice(at))
		}
		end = p.nodes[at].End
		at = int(p.nodes[at].Next)
	}
	return at, end
}
