package runtime

import (
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
)

// A secret with hosts reaches no command, in whatever part of the recipe it
// stands, and nothing runs before that is said.
func TestASecretWithHostsReachesNoCommand(t *testing.T) {
	secrets := Secrets{Values: map[string]string{"key": "hush-hush", "free": "hush-too"}, Hosts: map[string][]string{"key": {"a.example", "b.example"}}}
	for _, c := range []struct {
		name    string
		recipe  func(*ir.Tool)
		refused bool
	}{
		{"command", func(r *ir.Tool) { r.Command = str("echo {{secrets.key}}") }, true},
		{"script", func(r *ir.Tool) { r.Command, r.Script = ir.Opt[ir.Text]{}, str("echo {{secrets.key}}") }, true},
		{"postcondition", func(r *ir.Tool) { r.Postcondition = str("test {{secrets.key}}") }, true},
		{"one without hosts", func(r *ir.Tool) { r.Command = str("test {{secrets.free}}") }, false},
		{"none", func(*ir.Tool) {}, false},
	} {
		first, second := compute("first", "x", "1"), shellTool("second", "true")
		c.recipe(second.Tool)
		_, err := Run(t.Context(), Options{
			Program: program(first, second, edge("first", "second"), edge("second", "done")), Secrets: secrets, Workspace: t.TempDir(),
			OnEvent: func(e Event) {
				if c.refused {
					t.Errorf("%s: %s", c.name, e.Type)
				}
			},
		})
		if !c.refused {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if f, ok := err.(*Failure); !ok || f.Code != outcome.Unsupported || !strings.Contains(f.Message, "the secret key may go to a.example, b.example only, and second hands it to a command") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
