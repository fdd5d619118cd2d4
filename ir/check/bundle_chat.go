package check

import (
	"cmp"

	"iterion/ir"
	"iterion/ir/bundle"
	"iterion/ir/scope"
)

// checkChat: C205 to C209 and C212, the chat of a manifest speaks of nodes and
// variables that the program has.
func checkChat(c *Context) {
	if c.Incomplete {
		return
	}
	chat := c.root().At("chat")
	checkTextVar(c, "C208", chat.At("seed_var"), "the first message")
	for _, v := range chat.All("launcher_vars", "name") {
		checkTextVar(c, "C209", v, "what a person types")
	}
	if nodes := chat.At("nodes"); nodes != nil {
		for i := range nodes.Entries {
			checkChatNode(c, &nodes.Entries[i])
		}
	}
}

func checkChatNode(c *Context, e *bundle.Entry) {
	n := c.Node(e.Key)
	if n == nil {
		if !c.MaybeMember(e.Key) {
			c.key("C205", e, "no node is called `%s`", e.Key).Near(e.Key, c.NodeIDs())
		}
		return
	}
	kind := e.Value.At("kind")
	human := kind.Str() == "human"
	if human && n.Kind != ir.KindHuman {
		c.at("C206", kind, "`%s` asks nobody, it is of kind `%s`", e.Key, n.Kind).See(n.Tree, n.NameSpan, "the node").NodeID = n.ID
		return
	}
	if n.Tainted {
		return
	}
	for _, f := range chatFields {
		if v := e.Value.At(f.key); v.Str() != "" {
			checkChatField(c, n, v, f.key, f.typ)
		}
	}
	if human {
		checkHostEvent(c, n, e)
	}
}

// chatFields are the keys that name a field of a node's output, with the type
// that it needs.
var chatFields = []struct{ key, typ string }{
	{"summary_field", "string"}, {"text_field", "string"}, {"approved_field", "bool"}, {"host_event_field", "json"},
}

// checkChatField: C207.
func checkChatField(c *Context, n *scope.Node, v *bundle.Value, key, typ string) {
	s := n.OutputSchema
	switch {
	case s == nil && n.Output.Set():
		return // C002 says enough
	case s == nil:
		f := c.at("C207", v, "`%s` has no `output:`, so it has no field `%s`", n.ID, v.Text)
		f.Hintf("Give `%s` an output with this field.", n.ID).See(n.Tree, n.NameSpan, "the node").NodeID = n.ID
		return
	}
	switch field := s.Field(v.Text); {
	case field == nil:
		c.at("C207", v, "the output of `%s` has no field `%s`", n.ID, v.Text).
			Near(v.Text, fieldNames(s)).See(s.Tree, s.NameSpan, "its schema").NodeID = n.ID
	case field.Type != typ && field.Type != "":
		c.at("C207", v, "`%s` is %s, and `%s:` needs %s", v.Text, typeNoun(field.Type), key, typeNoun(typ)).
			See(s.Tree, field.TypeSpan, "the type").NodeID = n.ID
	}
}

// checkHostEvent: C212, that a host may answer for a person is said on both
// sides.
func checkHostEvent(c *Context, n *scope.Node, e *bundle.Entry) {
	const both = "human_or_host"
	own := n.Human.Interaction
	mode := own.V
	if w := c.settings(); !own.Set() && w != nil {
		mode = w.Interaction.V
	}
	switch field := e.Value.Entry("host_event_field"); {
	case mode == both && e.Value.At("host_event_field").Str() == "":
		c.key("C212", e, "`%s` lets the host answer, and no field here takes what it says", e.Key).
			Hintf("Add `host_event_field:` with a `json` field of the output.").
			See(n.Tree, cmp.Or(own.Span, n.NameSpan), "the interaction").NodeID = n.ID
	case mode != both && field != nil && field.Value.Text != "":
		c.at("C212", field.Value, "`%s` takes answers of the host here, and its interaction does not", e.Key).
			Warn().Hintf("Write `interaction: human_or_host` on the node, or drop `host_event_field:`.").
			See(n.Tree, cmp.Or(own.Span, n.NameSpan), "the node").NodeID = n.ID
	}
}
