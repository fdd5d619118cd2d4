package shown

import "testing"

func TestLineAndBlock(t *testing.T) {
	for in, want := range map[string][2]string{
		"a\tb\nc":              {`a\tb\nc`, "a\tb\nc"},
		"\x1b[2J\r\u202e":      {`\u001b[2J\r\u202e`, `\u001b[2J\r\u202e`},
		"مرحبا ☺️":             {"مرحبا ☺️", "مرحبا ☺️"},
		"\xff\u3164\U000e0041": {`\xff\u3164\U000e0041`, `\xff\u3164\U000e0041`},
	} {
		if got := [2]string{Line(in), Block(in)}; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
