package check

import (
	"strings"

	"iterion/diagnostics"
	"iterion/ir"
)

// checkContracts: C300 to C304. A contract counts by itself; the workflow only
// names one.
func checkContracts(c *Context) {
	for _, k := range c.Program.Contracts {
		if !tainted(&k.Decl) {
			checkContract(c, k)
		}
	}
	w := c.settings()
	if w != nil && w.Contract.Set() && c.Contracts[w.Contract.V] == nil && !c.Incomplete && !c.unreadable("contract") {
		c.add("C300", w.Tree, w.Contract.Span, "no contract is called `%s`", w.Contract.V).
			Hintf("Declare the contract, or correct the name.").Near(w.Contract.V, names(c.Contracts))
	}
}

func checkContract(c *Context, k *ir.Contract) {
	r := c.aboutDecl(k.Tree)
	if k.Version.Set() && k.Version.V < 1 {
		r("C300", k.Version.Span, "the version is %d, and the first one is 1", k.Version.V).Hintf("Write 1 or more.")
	}
	x := &contractCheck{c, k, r}
	inputs := once(x, "input", k.Inputs, func(p *ir.Port) *ir.Key { return &p.Key })
	outputs := once(x, "output", k.Outputs, func(p *ir.Port) *ir.Key { return &p.Key })
	once(x, "effect", k.Effects, func(e *ir.Effect) *ir.Key { return &e.Key })
	for _, p := range inputs {
		x.input(p)
	}
	for _, p := range outputs {
		x.output(p)
	}
	for i := range k.Criteria {
		x.criterion(&k.Criteria[i])
	}
}

// contractCheck judges one contract.
type contractCheck struct {
	c *Context
	k *ir.Contract
	r report
}

// once reports names that stand twice in a block, and returns what stands first.
func once[T any](x *contractCheck, what string, list []T, key func(*T) *ir.Key) []*T {
	first := map[string]*ir.Key{}
	var kept []*T
	for i := range list {
		k := key(&list[i])
		if before := first[k.Name]; before != nil {
			x.r("C300", k.NameSpan, "the %s `%s` is declared twice", what, k.Name).
				Hintf("Rename one of the two, or delete it.").See(x.k.Tree, before.NameSpan, "first declared here")
			continue
		}
		first[k.Name] = k
		kept = append(kept, &list[i])
	}
	return kept
}

// items judges the bounds of a list, with the code of the port's side.
func (x *contractCheck) items(p *ir.Port, code diagnostics.Code) {
	for _, b := range []struct {
		name  string
		value ir.Opt[int64]
	}{{"min_items", p.MinItems}, {"max_items", p.MaxItems}} {
		switch {
		case !b.value.Set():
		case !isList(p.Type):
			x.r(code, keyOf(x.k.Tree, b.value.Span), "`%s:` counts the elements of a list, and `%s` is %s", b.name, p.Name, typeNoun(p.Type)).
				Hintf("Delete `%s:`, or make the port a list.", b.name).See(x.k.Tree, p.TypeSpan, "the type")
		case b.value.V < 0:
			x.r(code, b.value.Span, "a list has no fewer than 0 elements").Hintf("Write 0 or more.")
		}
	}
	if low, high := p.MinItems, p.MaxItems; isList(p.Type) && low.Set() && high.Set() && low.V > high.V && high.V >= 0 {
		x.r(code, high.Span, "`%s` may have %d elements and must have %d", p.Name, high.V, low.V).
			Hintf("Write a `max_items:` of %d or more.", low.V).See(x.k.Tree, low.Span, "the fewest")
	}
}

func isList(typ string) bool { return strings.HasSuffix(typ, "[]") }
