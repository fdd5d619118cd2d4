package runtime

import (
	"fmt"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// rounds is a loop of two nodes that compute, which runs n nodes.
func rounds(n int64) *ir.Program {
	return program(compute("a", "x", "loop.l.iteration + 1"), compute("b", "y", "outputs.a.x"),
		edge("a", "b"), edge("b", "a", loop("l", n/2-1)), edge("b", "done"), cycle("l", "a", "b", "a"))
}

// BenchmarkNode is the engine's overhead for a node, on a store in memory,
// beside a plain loop over the same values.
func BenchmarkNode(b *testing.B) {
	const nodes = 1000
	p := rounds(nodes)
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := Run(b.Context(), Options{Program: p, Store: &store.Memory{}, Workspace: b.TempDir()})
			if err != nil || r.Status != outcome.Finished {
				b.Fatal(r.Status, r.Error, err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
	})
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			outputs := map[string]map[string]any{}
			for i := range int64(nodes / 2) {
				outputs["a"] = map[string]any{"x": i + 1}
				outputs["b"] = map[string]any{"y": outputs["a"]["x"]}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
	})
}

// fanned runs n branches of one node without a tool.
func fanned(n int) (*ir.Program, map[string]any) {
	items := make([]any, n)
	for i := range items {
		items[i] = int64(i)
	}
	return program(each("fan", "{{vars.items}}"), compute("leaf", "x", "outputs.fan.item"),
		collects(compute("join", "x", "1"), "wait_all"),
		edge("fan", "leaf"), edge("leaf", "join"), edge("join", "done")), map[string]any{"items": items}
}

// BenchmarkFanOut runs branches side by side; a plain loop over the same nodes
// beside it.
func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{5_000, 10_000, 20_000} {
		p, vars := fanned(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := Run(b.Context(), Options{Program: p, Vars: vars, Store: &store.Memory{}, Workspace: b.TempDir()})
				if err != nil || r.Status != outcome.Finished {
					b.Fatal(r.Status, r.Error, err)
				}
			}
		})
	}
	b.Run("loop/10000", func(b *testing.B) {
		for b.Loop() {
			outputs := make([]map[string]any, 10_000)
			for i := range outputs {
				outputs[i] = map[string]any{"x": int64(i)}
			}
		}
	})
}

// BenchmarkReplay folds the events of a long run.
func BenchmarkReplay(b *testing.B) {
	s := &store.Memory{}
	if _, err := Run(b.Context(), Options{Program: rounds(33_334), Store: s, RunID: "r", Workspace: b.TempDir()}); err != nil {
		b.Fatal(err)
	}
	events, err := s.Events("r", 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if Fold(events).Seq != int64(len(events)) {
			b.Fatal("not all was folded")
		}
	}
	b.ReportMetric(float64(len(events)), "events")
}
