package expr

import (
	"strings"
	"testing"
)

func TestClassOf(t *testing.T) {
	declared := map[string]Class{
		"vars.n": Int, "vars.list": List, "input.f": Float, "input.s": String, "outputs.a.b": Bool,
	}
	typeOf := func(path []string) Class { return declared[strings.Join(path, ".")] }
	for text, want := range map[string]Class{
		`1`: Int, `1.5`: Float, `'a'`: String, `true`: Bool, `[1]`: List, `{a: 1}`: Map,
		`vars.n`: Int, `vars.list`: List, `input.f`: Float, `f`: Float, `s`: String, `outputs.a.b`: Bool, `run.id`: Unknown,
		`1 < 2`: Bool, `a == b`: Bool, `a and b`: Bool, `a or b`: Bool, `not a`: Bool, `contains(a, b)`: Bool,
		`-1`: Int, `-f`: Float, `-s`: Unknown, `-x`: Unknown,
		`length(a)`: Int, `floor(a)`: Int, `round(a)`: Int, `join(a, b)`: String,
		`concat(a)`: List, `unique(a)`: List, `tail(a, 1)`: List, `slice(a, 0, 1)`: List, `sort(a)`: List,
		`keys(a)`: List, `values(a)`: List, `flatten(a)`: List, `map(a, v => 1)`: List, `filter(a, v => 1)`: List,
		`1 + 2`: Unknown, `1 / 2`: Unknown, `if(a, 1, 2)`: Unknown, `reduce(a, 1, (b, c) => 1)`: Unknown,
		`sum(a)`: Unknown, `min(a)`: Unknown, `max(a)`: Unknown, `vars.list[0]`: Unknown, `nope()`: Unknown,
	} {
		if got := ClassOf(parse(t, text), typeOf); got != want {
			t.Errorf("%s has class %v, want %v", text, got, want)
		}
	}
}

func TestClassRelations(t *testing.T) {
	for c := Unknown; c <= Map; c++ {
		for d := Unknown; d <= Map; d++ {
			want := c == Unknown || d == Unknown || c == d || c.Numeric() && d.Numeric()
			if got := c.Comparable(d); got != want {
				t.Errorf("%v with %v: %v", c, d, got)
			}
		}
		if c != Unknown && c.Scalar() == c.Collection() {
			t.Errorf("%v is both or neither", c)
		}
	}
}
