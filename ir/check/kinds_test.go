package check_test

import (
	"testing"

	"iterion/corpus"
	"iterion/ir/build"
	"iterion/ir/check"
)

// A check that names the kinds of nodes it looks at has nothing to say about
// the others.
func TestKinds(t *testing.T) {
	for _, c := range corpus.CheckCases() {
		for _, f := range c.Files {
			for name, list := range check.Elsewhere(build.Text(f.Name, f.Data).Scope) {
				t.Errorf("%s, %s: %s says %s of other kinds too: %s", c.Name, f.Name, name, list[0].Code, list[0].Message)
			}
		}
	}
}
