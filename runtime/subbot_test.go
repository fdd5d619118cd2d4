package runtime

import (
	"fmt"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

func childNode(with ...string) *ir.Node {
	n := node("child", ir.KindSubbot)
	n.Subbot = &ir.Subbot{Source: set("child.bot"), With: pairs(with...)}
	return n
}

func TestSubbot(t *testing.T) {
	contract := &ir.Contract{Outputs: []ir.Port{{From: set("b.y")}, {From: set("b.gone")}}}
	contract.Name, contract.Outputs[0].Name, contract.Outputs[1].Name = "c", "answer", "absent"
	build := func() *ir.Program {
		return program(compute("a", "x", "vars.n + vars.d"), compute("b", "y", "outputs.a.x", "text", "vars.s"), edge("a", "b"), edge("b", "done"),
			variable("n", "int", ""), variable("d", "int", "5"), variable("s", "string", "-"))
	}
	withContract := build()
	withContract.Contracts, withContract.Workflow.Contract = []*ir.Contract{contract}, set("c")
	for _, c := range []struct {
		name    string
		program *ir.Program
		with    []string
		want    string
		err     string
	}{
		{"last node", build(), []string{"n", "{{vars.k}}", "s", "${HOME}"}, `{"text":"${HOME}","y":7}`, ""},
		{"text becomes the type", build(), []string{"n", "3"}, `{"text":"-","y":8}`, ""},
		{"contract", withContract, []string{"n", "1"}, `{"answer":6}`, ""},
		{"missing", build(), nil, "null", "the subbot cannot start: no value for variable n"},
		{"unknown", build(), []string{"n", "1", "dd", "1"}, "null", "the subbot cannot start: there is no variable dd: did you mean d?"},
		{"fails", program(compute("a", "x", "1"), edge("a", "fail")), nil, "null", "the subbot failed: the run reached fail"},
	} {
		s := &store.Memory{}
		r := play(t, Options{Store: s, Vars: map[string]any{"k": 2}, Program: program(childNode(c.with...), edge("child", "done")),
			Child: func(source, _ string) (*ir.Program, string, error) {
				if source != "child.bot" {
					return nil, "", fmt.Errorf("no %s", source)
				}
				return c.program, "", nil
			}})
		if r.Error != c.err {
			t.Errorf("%s: error %q", c.name, r.Error)
		}
		wantOutput(t, r, "child", c.want)
		if events, _ := s.Events("r.child.1", 0); c.err == "" && len(events) == 0 {
			t.Errorf("%s: the child left no events", c.name)
		}
	}
}

func TestSubbotsDoNotNestForEver(t *testing.T) {
	self := program(childNode(), edge("child", "done"))
	r := play(t, Options{Program: self, Child: func(string, string) (*ir.Program, string, error) { return self, "", nil }})
	wantStatus(t, r, outcome.FailedResumable, outcome.ExecutionFailed)
}
