package gate_test

import (
	"testing"

	"iterion/ir/gate"
)

// A permit comes from an allowing verdict only, and is for that one call.
func TestPermit(t *testing.T) {
	g := gate.New(rulesOf(t, 10), nil)
	allowed := call("Bash", `{"command":"go test ./..."}`)
	v := g.Evaluate(allowed)
	permit, ok := v.Permit()
	if !ok || !permit.Covers(allowed) {
		t.Fatalf("%v: no permit for the call", v.Decision)
	}
	for _, c := range []gate.Call{
		call("Bash", `{"command":"go test ./... "}`), call("bash", `{"command":"go test ./..."}`), call("Read", `{}`), {},
	} {
		if permit.Covers(c) {
			t.Errorf("the permit covers %+v", c)
		}
	}
	denied := g.Evaluate(call("Bash", `{"command":"rm x"}`))
	if _, ok := denied.Permit(); ok {
		t.Error("a denial gives a permit")
	}
	var none gate.Permit
	var zero gate.Verdict
	if _, ok := zero.Permit(); ok || none.Covers(gate.Call{}) || none.Covers(allowed) {
		t.Error("a zero value permits something")
	}
	off := rulesOf(t, 10)
	off.Mode = gate.Off
	open := gate.New(off, nil).Evaluate(allowed)
	if permit, ok := open.Permit(); !ok || !permit.Covers(allowed) {
		t.Error("a call that nothing judges gets no permit")
	}
}

// What cannot be understood is no policy.
func TestDecodeRefuses(t *testing.T) {
	const good = `{"version":1,"mode":"ask","from":"node","deny":[{"rule":"Bash","from":"node","index":0}]}`
	var p gate.Policy
	if err := p.UnmarshalJSON([]byte(good)); err != nil || p.Mode != gate.Ask || len(p.Rows[gate.DenyList]) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, text := range []string{
		``, `null`, `[]`, `{}`, good + `{}`,
		`{"version":2,"mode":"ask","from":"node"}`, `{"version":1,"mode":"","from":"node"}`, `{"version":1,"mode":"never","from":"node"}`,
		`{"version":1,"mode":"ask","from":"nobody"}`, `{"version":1,"mode":"ask","from":"node","denny":[]}`,
		`{"version":1,"mode":"ask","from":"node","deny":[{"rule":"Bash(","from":"node","index":0}]}`,
		`{"version":1,"mode":"ask","from":"node","deny":[{"rule":"Bash","from":"x","index":0}]}`,
		`{"version":1,"mode":"ask","from":"node","grants":[{"tool":"Bash","input":{},"scope":"all"}]}`,
	} {
		before := p
		if err := p.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
		if p.Mode != before.Mode || len(p.Rows[gate.DenyList]) != 1 {
			t.Errorf("%s changes the policy", text)
		}
	}
}
