package claw

import (
	"slices"
	"strings"
	"testing"

	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// Every tool that changes files is withheld from a read-only node, under all its
// spellings and from its subagents; no rule and no list opens it. Reading and the
// shell stay.
func TestAReadOnlyNodeHasNoToolThatWrites(t *testing.T) {
	const list = "read_file bash agent write_file file_edit notebook_edit"
	var wrong []backend.Call
	for _, name := range append([]string{"write", "edit", "notebookedit"}, spellings("write", "edit", "notebookedit")...) {
		wrong = append(wrong, call("w_"+name, name, `{"file_path":"x","content":"y"}`))
	}
	child := agent("c", "go")
	w := delegating(t, list,
		[]backend.Turn{calls(append(wrong, child, agent("d", "go", `,"tools":["write_file"]`))...), text("done")},
		map[string][]backend.Turn{"1": {calls(call("x", "write_file", `{"file_path":"x","content":"y"}`), bash("y", "ls")), text("nothing written")}},
	)
	w.policy("deny", "Write Edit NotebookEdit Bash agent Read", "", "")
	w.task.ReadOnly = true
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	w.equal("ran", w.ran, []string{`bash {"command":"ls"}`})
	for i, want := range []string{"read_file bash agent", "read_file bash"} {
		var names []string
		for _, spec := range w.seen[i].Tools {
			names = append(names, spec.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("request %d offers %q, want %q", i, got, want)
		}
	}
	ids := []string{"x"}
	for _, c := range wrong {
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		r := w.result(id)
		if !r.Failed || r.Began || r.Decision.Verdict != "deny" || r.Decision.Rule != "readonly: true" || !strings.Contains(r.Text, "changes files, and the node is `readonly: true`") {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if r := w.result("d"); !r.Failed || !strings.Contains(r.Text, "the subagent was not started: refused: write_file") {
		t.Errorf("%+v", r)
	}
}

// An approval given before does not open what is withheld.
func TestAnApprovalOpensNoWritingInAReadOnlyNode(t *testing.T) {
	w := newWorld(t, "write_file", calls(call("a", "write_file", `{"file_path":"x","content":"y"}`)), text("done"))
	w.policy("ask", "", "", "")
	w.task.ReadOnly, w.person = true, w.approve
	if _, err := w.run(); err != nil || w.ran != nil || slices.Contains(w.kinds(), "asked a") {
		t.Errorf("%v, ran %q, %q", err, w.ran, w.kinds())
	}
}

func spellings(keys ...string) (list []string) {
	for _, key := range keys {
		list = append(list, tools.Lookup(key).Spellings...)
	}
	return list
}
