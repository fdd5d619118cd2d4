package printer

import (
	"iterion/ast"
	"iterion/grammar/schema"
)

// clauseRank orders the clauses of an edge; 0 is no clause.
func clauseRank(k ast.Kind) int {
	switch k {
	case ast.When, ast.Else:
		return 1
	case ast.Loop, ast.Foreach:
		return 2
	case ast.With:
		return lastClause
	}
	return 0
}

const lastClause = 3

// edge prints `a -> b -> c` and its clauses in their order.
func (p *printer) edge(n, level int) {
	end := int(p.nodes[n].Next)
	at := n + 1
	for ; at < end && p.nodes[at].Kind == ast.Target; at++ {
		if at > n+1 {
			p.write(" -> ")
		}
		p.write(p.slice(at))
	}
	if at < end {
		for rank := 1; rank <= lastClause; rank++ {
			for c := at; c < end; c = int(p.nodes[c].Next) {
				if clauseRank(p.nodes[c].Kind) == rank {
					p.out = append(p.out, ' ')
					p.clause(c, level)
				}
			}
		}
	}
	p.newline(p.nodes[n].End)
}

func (p *printer) clause(c, level int) {
	switch p.nodes[c].Kind {
	case ast.When:
		p.write("when ")
		if p.nodes[c].Flags&ast.FlagNot != 0 {
			p.write("not ")
		}
		p.write(p.slice(c + 1))
	case ast.Else:
		p.write("else")
	case ast.Loop:
		p.write("as ")
		p.write(p.slice(c + 1))
		p.out = append(p.out, '(')
		p.loopCap(c + 2)
		p.out = append(p.out, ')')
	case ast.Foreach:
		p.write("as foreach ")
		p.write(p.slice(c + 1))
		p.out = append(p.out, '(')
		p.write(p.slice(c + 2))
		p.write(" in ")
		p.write(p.slice(c + 3))
		p.out = append(p.out, ')')
	case ast.With:
		p.with(c, level)
	}
}

func (p *printer) loopCap(n int) {
	if p.nodes[n].Kind != ast.Unbounded {
		p.write(p.slice(n))
		return
	}
	p.write("unbounded")
	if int(p.nodes[n].Next) > n+1 {
		p.out = append(p.out, ' ')
		p.write(p.slice(n + 1))
	}
}

// with prints `with { k: "v" }` on the line for one entry that fits, else one
// entry a line. The caller ends the line.
func (p *printer) with(n, level int) {
	w := p.nodes[n]
	mark := len(p.out)
	p.write("with ")
	if int(w.Next) == n+1 || int(p.nodes[n+1].Next) == int(w.Next) {
		if !p.before(w.End) {
			p.pairs(schema.Literal, n)
			if int(w.Next) == n+1 || p.fits() {
				return
			}
		}
	}
	p.out = append(p.out[:mark], "with {"...)
	p.withLines(n, level)
	p.indent(level)
	p.out = append(p.out, '}')
	p.end, p.fresh, p.blank = w.End, false, false
}

func (p *printer) withLines(n, level int) {
	w := p.nodes[n]
	after := func(e int) uint32 {
		if e < int(w.Next) {
			return p.nodes[e].Start
		}
		return w.End
	}
	row := schema.Property{Form: schema.Literal}
	p.newlineBefore(w.Start, after(n+1))
	p.fresh = true
	for e := n + 1; e < int(w.Next); e = int(p.nodes[e].Next) {
		p.leads(p.nodes[e].Start, level+1, false)
		p.gap(p.nodes[e].Start)
		p.indent(level + 1)
		p.write(p.slice(e + 1))
		p.write(": ")
		p.leaf(&row, e+2)
		p.out = append(p.out, ',')
		p.newlineBefore(p.nodes[e].End, after(int(p.nodes[e].Next)))
	}
	for p.before(w.End) {
		p.ownLine(level + 1)
	}
}

// use prints `use group as prefix with { … }`.
func (p *printer) use() {
	p.write("use ")
	p.write(p.slice(1))
	p.write(" as ")
	p.write(p.slice(2))
	if len(p.nodes) > 3 {
		p.out = append(p.out, ' ')
		p.with(3, 0)
	}
	p.newline(p.nodes[0].End)
}
