package printer

import (
	"cmp"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/grammar/schema"
)

// chunk is a property with its comments.
type chunk struct {
	node   int
	rank   int
	first  int    // its first comment
	start  uint32 // where it or its first comment starts
	end    uint32 // behind its last line
	limit  uint32 // where the code behind it starts
	behind int    // the first comment behind it
}

// rank orders the properties of a body: those on one value, then those that
// open a block or a `with`, each in table order.
func (b *bodyState) rank(n ast.Node) int {
	rank := int(n.Aux)
	if n.Flags&ast.FlagBlock != 0 || b.kind.Props[n.Aux-1].Form == schema.With {
		rank += len(b.kind.Props) + 1
	}
	return rank
}

// arrange prints the leading properties of a body in canonical order when the
// author has neither sorted nor grouped them, and returns the first node that
// is left to print.
func (p *printer) arrange(b *bodyState, n, first int, limit uint32) int {
	end := int(p.nodes[n].Next)
	sorted, last, stop := true, 0, first
	for stop < end && p.nodes[stop].Kind == ast.Prop {
		rank := b.rank(p.nodes[stop])
		sorted = sorted && last <= rank
		last, stop = rank, int(p.nodes[stop].Next)
	}
	if sorted {
		return first
	}
	if stop < end {
		limit = p.nodes[stop].Start
	}
	chunks, ok := p.chunks(b, first, stop, limit)
	if !ok || p.freeComment(n, chunks[len(chunks)-1], stop < end, limit) {
		return first
	}
	tail := chunks[len(chunks)-1]
	slices.SortStableFunc(chunks, func(x, y chunk) int { return cmp.Compare(x.rank, y.rank) })
	for _, c := range chunks {
		p.next, p.end = c.first, c.start
		p.member(b, c.node, c.limit)
	}
	p.next, p.end = tail.behind, tail.end
	return stop
}

// chunks cuts the members first to stop into chunks. It returns false when a
// blank line stands between two lines of them: the author has grouped them.
func (p *printer) chunks(b *bodyState, first, stop int, limit uint32) ([]chunk, bool) {
	var list []chunk
	next := p.next
	for at := first; at < stop; at = int(p.nodes[at].Next) {
		node := p.nodes[at]
		c := chunk{node: at, rank: b.rank(node), first: next, start: node.Start, limit: limit}
		if int(node.Next) < stop {
			c.limit = p.nodes[node.Next].Start
		}
		for next < len(p.comments) && p.comments[next].Start < node.Start {
			next++
		}
		if next > c.first {
			c.start = p.comments[c.first].Start
		}
		if len(list) > 0 && blankLine(p.text[list[len(list)-1].end:c.start]) || p.parted(c.first, next, node.Start) {
			return nil, false
		}
		c.behind, c.end = p.extent(at, next, c.limit)
		next = c.behind
		list = append(list, c)
	}
	return list, true
}

// parted tells whether a blank line stands behind one of some comments that
// come before the code at start.
func (p *printer) parted(first, stop int, start uint32) bool {
	for i := first; i < stop; i++ {
		to := start
		if i+1 < stop {
			to = p.comments[i+1].Start
		}
		if blankLine(p.text[p.comments[i].End:to]) {
			return true
		}
	}
	return false
}

// extent returns the first comment behind a property and where the property
// ends, the comments in and behind it included.
func (p *printer) extent(n, next int, limit uint32) (int, uint32) {
	node := p.nodes[n]
	for next < len(p.comments) && p.comments[next].Start < node.End {
		next++
	}
	end := node.End
	if next < len(p.comments) {
		c := p.comments[next]
		if c.Trailing && c.Start < limit && strings.IndexByte(p.text[end:c.Start], '\n') < 0 {
			next, end = next+1, c.End
		}
	}
	if node.Flags&ast.FlagBlock == 0 && p.nodes[n+2].Flags&ast.FlagDashes == 0 {
		return next, end
	}
	margin := column(p.text, node.Start)
	for next < len(p.comments) && p.comments[next].Start < limit && column(p.text, p.comments[next].Start) > margin {
		next, end = next+1, p.comments[next].End
	}
	return next, end
}

// freeComment tells whether a comment behind the last property of a body
// leads nothing. More is set when an edge follows, which starts at limit.
func (p *printer) freeComment(n int, last chunk, more bool, limit uint32) bool {
	stop := last.behind
	for stop < len(p.comments) && p.comments[stop].Start < limit {
		stop++
	}
	if stop == last.behind {
		return false
	}
	if more {
		return p.parted(last.behind, stop, limit)
	}
	return column(p.text, p.comments[last.behind].Start) > column(p.text, p.nodes[n].Start)
}
