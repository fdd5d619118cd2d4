package process

import "testing"

// A command of its own costs what starting it, its watcher and a look through
// /proc cost.
func BenchmarkTrue(b *testing.B) {
	for b.Loop() {
		if _, err := (Command{Args: []string{"true"}}).Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
