package runtime

import "iterion/ir"

// collector finds where the branch behind an edge ends: breadth-first, the
// first node that declares `await` or has two distinct sources over non-loop
// edges. "" when there is none.
func (p *plan) collector(e *ir.Edge) string {
	id, known := p.ends[e]
	if !known {
		id = p.findCollector(e)
		p.ends[e] = id
	}
	return id
}

func (p *plan) findCollector(e *ir.Edge) string {
	seen := map[string]bool{e.To: true}
	for queue := []string{e.To}; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if p.collects(id) && !(id == e.To && p.routed(id, e.From)) {
			return id
		}
		for _, out := range p.Out(id) {
			if !seen[out.To] {
				seen[out.To] = true
				queue = append(queue, out.To)
			}
		}
	}
	return ""
}

func (p *plan) collects(id string) bool {
	n := p.Node(id)
	if n == nil || n.Kind == ir.KindFail {
		return false
	}
	return n.Join.Set() || len(p.sources(id)) > 1
}

func (p *plan) sources(id string) map[string]bool {
	out := map[string]bool{}
	for _, e := range p.into[id] {
		if e.Loop == nil && e.Foreach == nil {
			out[e.From] = true
		}
	}
	return out
}

// routed tells whether a condition router other than the fan-out's reaches the
// node: such a target stays a branch's head.
func (p *plan) routed(id, fan string) bool {
	if p.Node(id).Join.Set() {
		return false
	}
	for from := range p.sources(id) {
		n := p.Node(from)
		if from != fan && n != nil && n.Router != nil && n.Router.EffectiveMode() == ir.ModeCondition {
			return true
		}
	}
	return false
}

// region lists the nodes of the branch behind an edge: all that it reaches
// before a collector, in breadth-first order.
func (p *plan) region(e *ir.Edge, collector string) []string {
	if e.To == collector {
		return nil
	}
	seen := map[string]bool{e.To: true, collector: true}
	var out []string
	for queue := []string{e.To}; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if p.Node(id) == nil {
			continue
		}
		out = append(out, id)
		for _, next := range p.Out(id) {
			if !seen[next.To] {
				seen[next.To] = true
				queue = append(queue, next.To)
			}
		}
	}
	return out
}
