package check

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"iterion/ir"
)

// evaluator is a kind of criterion: the ports it takes, and its parameter.
type evaluator struct {
	kind  string
	takes string // for messages
	port  func(typ string) bool
	param string
	wants string // for messages
	legal func(value any) bool
}

var evaluators = []evaluator{
	{"min_length", "a string or a list", func(typ string) bool { return typ == "string" || isList(typ) },
		"min", "a whole number of 0 or more", func(v any) bool { n, ok := v.(float64); return ok && n >= 0 && n == float64(int64(n)) }},
	{"pattern", "a string", func(typ string) bool { return typ == "string" },
		"pattern", "a regular expression", func(v any) bool {
			s, ok := v.(string)
			if !ok {
				return false
			}
			_, err := regexp.Compile(s)
			return err == nil
		}},
}

// criterion: C302, a criterion speaks of a port that its kind takes; C303, the
// kind is known.
func (x *contractCheck) criterion(k *ir.Criterion) {
	port, found := x.portOf(k)
	if k.Kind.V == "" {
		x.r("C302", k.NameSpan, "the criterion `%s` has no `kind:`", k.Name).Hintf("Add `kind:`.")
		return
	}
	i := slices.IndexFunc(evaluators, func(e evaluator) bool { return e.kind == k.Kind.V })
	if i < 0 {
		kinds := make([]string, len(evaluators))
		for i, e := range evaluators {
			kinds[i] = e.kind
		}
		x.r("C303", k.Kind.Span, "nothing evaluates a `%s`", k.Kind.V).Near(k.Kind.V, kinds)
		return
	}
	e := &evaluators[i]
	if found && !e.port(port.Type) {
		x.r("C302", k.Port.Span, "a `%s` is about %s, and `%s` is %s", e.kind, e.takes, port.Name, typeNoun(port.Type)).
			Hintf("Name a port that is %s.", e.takes).See(x.k.Tree, port.TypeSpan, "the type")
	}
	x.params(k, e)
}

// portOf finds the port of a criterion, or says what is wrong with its name.
func (x *contractCheck) portOf(k *ir.Criterion) (*ir.Port, bool) {
	if k.Port.V == "" {
		x.r("C302", k.NameSpan, "the criterion `%s` names no port", k.Name).Hintf("Add `port:` with `input.NAME` or `output.NAME`.")
		return nil, false
	}
	side, name, _ := strings.Cut(k.Port.V, ".")
	ports := x.k.Inputs
	switch {
	case side == "input" && name != "":
	case side == "output" && name != "":
		ports = x.k.Outputs
	default:
		x.r("C302", k.Port.Span, "`%s` is not written `input.NAME` or `output.NAME`", k.Port.V)
		return nil, false
	}
	known := make([]string, len(ports))
	for i := range ports {
		if known[i] = side + "." + ports[i].Name; ports[i].Name == name {
			return &ports[i], true
		}
	}
	x.r("C302", k.Port.Span, "the contract has no %s called `%s`", side, name).Near(k.Port.V, known)
	return nil, false
}

// params holds the parameters against what the kind takes.
func (x *contractCheck) params(k *ir.Criterion, e *evaluator) {
	at := k.NameSpan
	if k.Params.Set() {
		at = k.Params.Span
	}
	var params map[string]any
	err := json.Unmarshal([]byte(k.Params.V), &params)
	value, given := params[e.param]
	switch {
	case k.Params.Set() && err == nil && given && len(params) == 1 && e.legal(value):
	case given && !e.legal(value):
		x.r("C302", at, "`%s` of a `%s` is %s", e.param, e.kind, e.wants)
	default:
		x.r("C302", at, "a `%s` takes one parameter, `%s`: %s", e.kind, e.param, e.wants).
			Hintf("Write `params: {%s: …}` with %s.", e.param, e.wants)
	}
}
