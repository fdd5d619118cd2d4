package build_test

import (
	"slices"
	"testing"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// A firing fragment draws its code once and nothing else, a quiet one nothing;
// what is only good to know does not count.
func TestFragments(t *testing.T) {
	kinds := map[string][2]int{}
	for _, f := range corpus.Fragments() {
		r := fragment(t, f)
		count := kinds[f.Code]
		var want []string
		if f.Fires {
			want = []string{f.Code}
			count[0]++
		} else {
			count[1]++
		}
		kinds[f.Code] = count
		said := slices.DeleteFunc(slices.Clone(r.Diagnostics), isInfo)
		if got := codesOf(said); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v\n%s", f.Name, got, want, lines(r.Diagnostics))
		}
	}
	if len(kinds) == 0 {
		t.Fatal("no fragments")
	}
	for code, count := range kinds {
		if count[0] == 0 || count[1] == 0 {
			t.Errorf("%s: %d firing and %d quiet fragments", code, count[0], count[1])
		}
	}
}

func isInfo(d diagnostics.Diagnostic) bool { return d.Severity == diagnostics.Info }
func fragment(t *testing.T, f corpus.Fragment) *build.Result {
	t.Helper()
	if !f.Bundle() {
		return build.Text("main.bot", f.Files[0].Data)
	}
	r, err := build.Unit(bundleInput(memory(f.Files), f.Options))
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return r
}
