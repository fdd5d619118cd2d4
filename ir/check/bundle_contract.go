package check

import (
	"slices"
	"strings"

	"iterion/ir"
)

// checkManifestContract: C254, the manifest names inputs of the contract, and
// nodes that its outputs come from.
func checkManifestContract(c *Context) {
	k := c.kept()
	if k == nil {
		return
	}
	if primary := c.root().At("launch", "primary"); primary != nil {
		for _, v := range primary.Items {
			if !slices.ContainsFunc(k.Inputs, func(p ir.Port) bool { return p.Name == v.Text }) {
				f := c.at("C254", v, "the contract `%s` has no input `%s`", k.Name, v.Text)
				f.Near(v.Text, portNames(k.Inputs)).See(k.Tree, k.NameSpan, "the contract").Field = primary.Path + "." + v.Text
			}
		}
	}
	if len(k.Outputs) > 0 {
		checkProduces(c, k)
	}
}

func checkProduces(c *Context, k *ir.Contract) {
	var producers []string
	for _, p := range k.Outputs {
		if n, _ := c.NodeOf(strings.Split(p.From.V, ".")); n != nil {
			producers = append(producers, n.ID)
		}
	}
	for _, v := range c.root().All("produces", "node") {
		if !slices.Contains(producers, v.Text) {
			c.at("C254", v, "no output of the contract `%s` comes from a node `%s`", k.Name, v.Text).
				Near(v.Text, producers).See(k.Tree, k.NameSpan, "the contract")
		}
	}
}

// kept is the contract that the workflow keeps, or nil. Of one that could not
// be read nothing is known.
func (c *Context) kept() *ir.Contract {
	w := c.settings()
	if w == nil {
		return nil
	}
	if k := c.Contracts[w.Contract.V]; k != nil && !tainted(&k.Decl) {
		return k
	}
	return nil
}

func portNames(list []ir.Port) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// checkChildInputs: C255, a subbot passes what its program requires.
func checkChildInputs(c *Context) {
	for _, s := range c.bundle.Programs[0].Subbots {
		if s.Program == nil || !s.Program.Valid {
			continue
		}
		child := New(s.Program.Scope, s.Program.Main)
		k := child.kept()
		if k == nil {
			continue
		}
		for _, p := range k.Inputs {
			v := child.Program.Var(p.Name)
			passed := slices.ContainsFunc(s.Node.Subbot.With.V, func(b ir.Binding) bool { return b.Key == p.Name })
			if !passed && p.Required.Or(true) && v != nil && !v.Default.Set() {
				at := s.Node.Subbot.With.Span
				if !s.Node.Subbot.With.Set() {
					at = s.Node.NameSpan
				}
				c.node("C255", s.Node, at, "`%s` does not pass `%s`, which its program requires", s.Node.Name, p.Name).
					Hintf("Pass `%s` in `with`, or give the variable of the program a default.", p.Name).
					See(k.Tree, p.NameSpan, "the input")
			}
		}
	}
}
