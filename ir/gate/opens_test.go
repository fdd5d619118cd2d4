package gate_test

import (
	"slices"
	"testing"

	"iterion/ir/gate"
)

// linked is a file system of nothing but links.
type linked map[string]string

func (l linked) Link(name string) (target string, ok, missing bool) {
	target, ok = l[name]
	return target, ok, false
}

// A permit knows which files the call's paths led to, whatever decided it.
func TestPermitOpens(t *testing.T) {
	files := linked{"/work/in": "sub", "/work/out": "/secret", "/work/loop": "loop"}
	for _, c := range []struct {
		tool, input string
		want        []string
	}{
		{"Read", `{"file_path":"a"}`, []string{"/work/a"}},
		{"read_file", `{"file_path":"in/a"}`, []string{"/work/sub/a"}},
		{"Write", `{"file_path":"out/a","content":"b"}`, []string{"/secret/a"}},
		{"Write", `{"file_path":"out/../a","content":"b"}`, []string{"/a"}},
		{"Edit", `{"file_path":"~/a"}`, []string{"/home/u/a"}},
		{"Read", `{"file_path":"a%20b"}`, []string{"/work/a%20b"}},
		{"Read", `{"file_path":"loop/a"}`, []string{""}},
		{"Read", `{"paths":["a","/b"]}`, []string{"/work/a", "/b"}},
		{"Read", `{}`, nil},
		{"Grep", `{"pattern":"x"}`, []string{"/work"}},
		{"Grep", `{"pattern":"x","path":"in"}`, []string{"/work/sub"}},
		{"LS", `{}`, []string{"/work"}},
		{"Bash", `{"command":"cat a"}`, nil},
		{"mcp__s__read", `{"path":"a"}`, nil},
	} {
		for _, mode := range []gate.Mode{gate.Off, gate.Ask} {
			p := gate.Policy{Mode: mode}.Arm("/work", "/home/u")
			if mode == gate.Ask {
				p.Rows = resolve(t, "allow", "*").Rows
			}
			v := gate.New(p, files).Evaluate(call(c.tool, c.input))
			permit, ok := v.Permit()
			if !ok && len(c.want) > 0 || ok && !slices.Equal(permit.Opens(), c.want) {
				t.Errorf("%s %s, %v: %v, %q; want %q", c.tool, c.input, mode, ok, permit.Opens(), c.want)
			}
		}
	}
}

func resolve(t *testing.T, list, text string) gate.Policy {
	t.Helper()
	rule, err := gate.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	var lists gate.Lists
	for _, k := range gate.Kinds() {
		if k.String() == list {
			lists[k] = []gate.Rule{rule}
		}
	}
	p, err := gate.Resolve(gate.Levels{Node: gate.Level{Mode: "ask", Lists: lists}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
