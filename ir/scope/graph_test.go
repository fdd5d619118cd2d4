package scope

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"iterion/ir"
	"iterion/ir/compile"
)

// Paths are those that following every edge finds.
func TestReaches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		s := &Scope{}
		for i := range n {
			s.Nodes = append(s.Nodes, &Node{NodePart: &compile.NodePart{Node: &ir.Node{ID: fmt.Sprint(i)}}, Index: i})
		}
		paths := make([][]bool, n+1) // the last one names no node
		for i := range paths {
			paths[i] = make([]bool, n+1)
		}
		for _, pair := range rapid.SliceOfN(rapid.IntRange(0, (n+1)*(n+1)-1), 0, 20).Draw(t, "edges") {
			from, to := pair/(n+1), pair%(n+1)
			e := &Edge{EdgePart: &compile.EdgePart{Edge: ir.Edge{From: fmt.Sprint(from), To: fmt.Sprint(to)}}}
			if from < n {
				e.Source = s.Nodes[from]
			}
			if to < n {
				e.Target = s.Nodes[to]
			}
			s.Edges = append(s.Edges, e)
			paths[from][to] = true
		}
		for k := range paths {
			for i := range paths {
				for j := range paths {
					paths[i][j] = paths[i][j] || paths[i][k] && paths[k][j]
				}
			}
		}
		g := s.Graph()
		for i, from := range s.Nodes {
			reached := g.Reachable([]*Node{from})
			for j, to := range s.Nodes {
				if got := g.Reaches(from, to); got != paths[i][j] {
					t.Errorf("%d to %d: %v", i, j, got)
				}
				if reached[j] != (i == j || paths[i][j]) {
					t.Errorf("%d among those that %d reaches: %v", j, i, reached[j])
				}
			}
		}
	})
}
