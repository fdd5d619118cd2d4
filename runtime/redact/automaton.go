package redact

// automaton finds all needles in one pass (Aho-Corasick). Its nodes are the
// prefixes of needles; node 0 is the empty one. A node's fail link leads to the
// longest proper suffix of it that is a node too, so a byte costs few steps
// however the text is made.
type automaton struct {
	nodes []node
	root  [256]int32
	pairs [1 << 10]uint64 // which two bytes a needle begins with
}

type node struct {
	child   int32 // first of its list, 0 for none
	sibling int32
	fail    int32
	length  int32 // of the longest needle that ends here, 0 for none
	owner   int32 // of that needle
	label   byte
}

// span is a part of a text that a secret covers, and the length of the longest
// needle in it, whose owner names it.
type span struct{ start, end, longest, owner int }

// add inserts the needles of a secret. Of two secrets with one needle the first
// has it.
func (a *automaton) add(owner int, needles []string) {
	if len(a.nodes) == 0 {
		a.nodes = make([]node, 1)
	}
	for _, needle := range needles {
		pair := int(needle[0])<<8 | int(needle[1])
		a.pairs[pair>>6] |= 1 << (pair & 63)
		at := int32(0)
		for i := range len(needle) {
			at = a.grow(at, needle[i])
		}
		if n := &a.nodes[at]; n.length == 0 {
			n.length, n.owner = int32(len(needle)), int32(owner)
		}
	}
}

// grow returns the child of a node by a byte, made when there is none.
func (a *automaton) grow(at int32, label byte) int32 {
	if next := a.child(at, label); next != 0 {
		return next
	}
	next := int32(len(a.nodes))
	a.nodes = append(a.nodes, node{label: label, sibling: a.nodes[at].child})
	a.nodes[at].child = next
	if at == 0 {
		a.root[label] = next
	}
	return next
}

func (a *automaton) child(at int32, label byte) int32 {
	if at == 0 {
		return a.root[label]
	}
	for c := a.nodes[at].child; c != 0; c = a.nodes[c].sibling {
		if a.nodes[c].label == label {
			return c
		}
	}
	return 0
}

// link sets the fail links, breadth first, when all needles are in.
func (a *automaton) link() {
	if len(a.nodes) == 0 {
		return
	}
	queue := make([]int32, 1, len(a.nodes))
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for c := a.nodes[at].child; c != 0; c = a.nodes[c].sibling {
			n := &a.nodes[c]
			if at != 0 {
				n.fail = a.step(a.nodes[at].fail, n.label)
			}
			if n.length == 0 {
				n.length, n.owner = a.nodes[n.fail].length, a.nodes[n.fail].owner
			}
			queue = append(queue, c)
		}
	}
}

func (a *automaton) step(at int32, label byte) int32 {
	for {
		if next := a.child(at, label); next != 0 || at == 0 {
			return next
		}
		at = a.nodes[at].fail
	}
}

// begins tells whether a needle begins with two bytes.
func (a *automaton) begins(first, second byte) bool {
	pair := int(first)<<8 | int(second)
	return a.pairs[pair>>6]&(1<<(pair&63)) != 0
}

// scan returns what needles cover in a text, in order and apart from each other.
func (a *automaton) scan(text string) (spans []span) {
	if len(a.nodes) == 0 {
		return nil
	}
	at := int32(0)
	for i := 0; i < len(text); i++ {
		if at == 0 {
			for i+1 < len(text) && !a.begins(text[i], text[i+1]) {
				i++
			}
		}
		at = a.step(at, text[i])
		if n := &a.nodes[at]; n.length != 0 {
			spans = push(spans, span{i + 1 - int(n.length), i + 1, int(n.length), int(n.owner)})
		}
	}
	return spans
}

// push adds a span that ends behind all others and joins it with those that it
// overlaps.
func push(spans []span, s span) []span {
	for len(spans) > 0 && spans[len(spans)-1].end > s.start {
		last := spans[len(spans)-1]
		s.start = min(s.start, last.start)
		if last.longest >= s.longest {
			s.longest, s.owner = last.longest, last.owner
		}
		spans = spans[:len(spans)-1]
	}
	return append(spans, s)
}
