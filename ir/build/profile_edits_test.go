package build_test

import (
	"reflect"
	"strings"
	"testing"

	"iterion/ir/build"
)

// An edit of a text that profile 2 reads otherwise changes what is said at
// another place: the counts of the whole file stand at its first one.
func TestProfileEdits(t *testing.T) {
	const before = "prompt one:\n  A.\n\n  B.\n\nprompt two:\n  A.\n  B.\n\nagent a:\n  model: \"m\"\n  system: one\n  user: two\n\nagent b:\n  model: \"m\"\n  user: \"say x\"\n\nworkflow w:\n  entry: a\n\n  a -> b -> done\n"
	for _, edit := range [][2]string{{"  B.\n\nagent", "\n  B.\n\nagent"}, {"say x", `say \x`}} {
		at := strings.Index(before, edit[0])
		doc := build.Open("a.bot", before).Edit(at, at+len(edit[0]), edit[1])
		got, want := doc.Diagnostics(), build.Text("a.bot", doc.Text()).Diagnostics
		if !reflect.DeepEqual(got, want) || len(got) != 1 || got[0].Code != "C144" {
			t.Errorf("%q: got\n%s\nwant\n%s", edit[1], lines(got), lines(want))
		}
		if first := build.Text("a.bot", before).Diagnostics; len(first) != 1 || first[0].Message == got[0].Message {
			t.Errorf("%q changes nothing: %s", edit[1], lines(first))
		}
	}
}
