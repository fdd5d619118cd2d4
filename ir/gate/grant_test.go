package gate

import (
	"strings"
	"testing"
)

// What an approval is said to open is what its grant opens, and no scope is
// offered that would open nothing.
func TestReaches(t *testing.T) {
	for _, c := range []struct {
		call Call
		want string
	}{
		{Call{"Bash", `{"command":"git push origin x"}`}, "argument Bash(git push origin x); similar Bash(git push:*); tool Bash"},
		{Call{"Write", `{"file_path":"/w/a/b.go","content":"x"}`}, "argument Write(/w/a/b.go); similar Write(/w/a/**); tool Write"},
		{Call{"WebFetch", `{"url":"https://docs.example/a"}`}, "argument WebFetch(https://docs.example/a); similar WebFetch(domain:docs.example); tool WebFetch"},
		{Call{"Bash", `{"command":`}, "tool Bash"},
	} {
		g := New(Policy{Mode: Ask, Cwd: "/w"}, nil)
		var got []string
		for _, r := range g.Reaches(c.call) {
			got = append(got, string(r.Scope)+" "+r.Rule)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%v: %s", c.call, strings.Join(got, "; "))
		}
		for _, r := range g.Reaches(c.call) {
			after := New(Policy{Mode: Ask, Cwd: "/w", Grants: []Grant{{Tool: c.call.Tool, Input: c.call.Input, Scope: r.Scope}}}, nil)
			if v := after.Evaluate(c.call); v.Decision != Allowed {
				t.Errorf("%v: a grant of scope %s leaves it %s", c.call, r.Scope, v.Decision)
			}
		}
	}
}
