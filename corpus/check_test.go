package corpus

import (
	"fmt"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestCheckCases(t *testing.T) {
	cases := CheckCases()
	if len(cases) < 70 {
		t.Errorf("%d cases, want at least 70", len(cases))
	}
	for _, c := range cases {
		if c.Doc == "" {
			t.Errorf("%s does not say what it is about", c.Name)
		}
		for _, w := range c.Want {
			checkWant(t, Case{Name: c.Name, Files: c.Files}, w)
		}
	}
}

func TestParseCheckCase(t *testing.T) {
	const raw = "One.\n-- a.bot --\n## want C002\n\n## why\nx ## want 4 C003, C001\ny\n-- lib/b.bot --\nz ## want C004\n-- want --\n2:1 E001\n"
	c, err := parseCheckCase("n", txtar.Parse([]byte(raw)))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.Name, " ", c.Doc, " ", c.Want)
	if want := "n One. [a.bot:2:1 E001 a.bot:4:0 C001 a.bot:4:0 C002 a.bot:4:4 C003 lib/b.bot:1:0 C004]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "-- lib/b.bot --\n", "-- a.bot --\nx ## want\t1\n## want C001\n", "-- a.bot --\nx ## want C1\n", "-- a.bot --\n-- want --\n1 E001\n"} {
		if _, err := parseCheckCase("n", txtar.Parse([]byte(bad))); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
