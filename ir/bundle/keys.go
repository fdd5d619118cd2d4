package bundle

import "iterion/diagnostics"

// form is what a key of a manifest holds.
type form uint8

const (
	anything    form = iota // whatever YAML can say
	oneText                 // one text, number or word
	onOff                   // true or false
	texts                   // a list of texts
	textByName              // a text for each name
	block                   // keys of its own
	blocks                  // a list of such blocks
	blockByName             // such a block for each name
)

// noun is a form in words.
func (f form) noun() string {
	return [...]string{
		anything: "anything", oneText: "one text", onOff: "`true` or `false`", texts: "a list of texts", textByName: "a text for each name",
		block: "keys of its own", blocks: "a list of blocks", blockByName: "a block for each name",
	}[f]
}

// key is a key of a manifest.
type key struct {
	name string
	form form
	own  bool  // no manifest of another tool has it, so it tells whose one is
	keys []key // of blocks
	only bool  // a key that keys does not list is a mistake; else it may be newer than this build
}

// keys lists the keys of a manifest.
var keys = []key{
	{name: "name", form: oneText},
	{name: "display_name", form: oneText},
	{name: "icon", form: oneText},
	{name: "version", form: oneText},
	{name: "description", form: oneText},
	{name: "author", form: oneText},
	{name: "when_to_use", form: oneText, own: true},
	{name: "enabled", form: onOff},
	{name: "category", form: oneText},
	{name: "tags", form: texts},
	{name: "triggers", form: texts},
	{name: "capabilities", form: texts},
	{name: "schema_version", form: oneText, own: true},
	{name: "requires", form: block, own: true, only: true, keys: []key{{name: "iterion", form: oneText}}},
	{name: "dispatch_vars", form: textByName, own: true},
	{name: "invocations", form: blocks, own: true, keys: []key{
		{name: "kind", form: oneText},
		{name: "mode", form: oneText},
		{name: "args_var", form: oneText},
		{name: "context_vars", form: textByName},
		{name: "command", form: block, keys: []key{{name: "name", form: oneText}, {name: "aliases", form: texts}}},
		{name: "forge", form: block},
		{name: "schedule", form: block, keys: []key{{name: "suggested_cron", form: oneText}, {name: "default_vars", form: textByName}}},
	}},
	{name: "forge", form: block, own: true, keys: []key{
		{name: "events", form: texts},
		{name: "secret", form: oneText},
		{name: "token_scopes", form: anything},
		{name: "rationale", form: oneText},
		{name: "webhook", form: block, keys: []key{{name: "launch_vars", form: textByName}}},
	}},
	{name: "chat", form: block, own: true, keys: []key{
		{name: "seed_var", form: oneText},
		{name: "launcher_vars", form: blocks, keys: []key{{name: "name", form: oneText}}},
		{name: "nodes", form: blockByName, keys: []key{
			{name: "kind", form: oneText},
			{name: "label", form: oneText},
			{name: "summary_field", form: oneText},
			{name: "text_field", form: oneText},
			{name: "approved_field", form: oneText},
			{name: "host_event_field", form: oneText},
		}},
	}},
	{name: "launch", form: block, own: true, keys: []key{{name: "primary", form: texts}, {name: "hidden", form: texts}}},
	{name: "produces", form: blocks, own: true, keys: []key{
		{name: "kind", form: oneText},
		{name: "node", form: oneText},
		{name: "fallback_nodes", form: texts},
		{name: "anchor_node", form: oneText},
	}},
	{name: "consumes", form: anything},
	{name: "repo", form: anything},
	{name: "retry", form: anything},
	{name: "attachments", form: textByName},
	{name: "authoring", form: anything},
	{name: "config_share", form: anything},
	{name: "dependencies", form: anything},
	{name: "exports", form: anything},
	{name: "compat", form: anything},
}

// ListedKey is a key of the manifest as the documentation lists it.
type ListedKey struct {
	Path  string // dotted; `[]` stands behind a list, `*` for the names of a map
	Holds string
	Own   bool // no manifest of another tool has it
}

// Listed lists all keys of a manifest.
func Listed() []ListedKey { return listed("", keys) }

func listed(path string, of []key) (all []ListedKey) {
	for _, k := range of {
		at := below(path, k.name)
		all = append(all, ListedKey{at, k.form.noun(), k.own})
		switch k.form {
		case blocks:
			at += "[]"
		case blockByName:
			at += ".*"
		}
		all = append(all, listed(at, k.keys)...)
	}
	return all
}

func find(list []key, name string) *key {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// fits holds a value against its form and returns the first misfit.
func (k *key) fits(v *Value) *Problem {
	switch {
	case v.Kind == Null || k.form == anything:
		return nil
	case v.Kind != k.kind(), k.form == onOff && (v.Quoted || v.Text != "true" && v.Text != "false"):
		return k.misfit(v)
	}
	switch k.form {
	case texts:
		return each(v.Items, (&key{name: k.name, form: oneText}).fits)
	case textByName:
		return each(valuesOf(v), (&key{name: k.name, form: oneText}).fits)
	case blocks:
		return each(v.Items, k.element().fits)
	case blockByName:
		return each(valuesOf(v), k.element().fits)
	case block:
		return fitAll(k.keys, v, k.only)
	}
	return nil
}

// kind is what YAML calls the form.
func (k *key) kind() Kind {
	switch k.form {
	case texts, blocks:
		return List
	case textByName, block, blockByName:
		return Map
	}
	return Scalar
}

func (k *key) element() *key { return &key{name: k.name, form: block, keys: k.keys, only: k.only} }

func (k *key) misfit(v *Value) *Problem {
	kinds := [...]string{Scalar: "one value", List: "a list", Map: "keys with values"}
	return problem(v.Span, v.Path, "`%s` takes %s, not %s", v.Path, k.form.noun(), kinds[v.Kind])
}

// fitAll holds the entries of a map against the keys that it may have.
func fitAll(list []key, v *Value, only bool) *Problem {
	for _, e := range v.Entries {
		k := find(list, e.Key)
		switch {
		case k == nil && only:
			return problem(e.KeySpan, e.Value.Path, "there is no key `%s` in a manifest%s", e.Value.Path, meant(e.Key, list))
		case k != nil:
			if p := k.fits(e.Value); p != nil {
				return p
			}
		}
	}
	return nil
}

// meant suggests the key that a misspelt one may stand for.
func meant(word string, list []key) string {
	if near, ok := diagnostics.Nearest(word, names(list)); ok {
		return "; did you mean `" + near + "`?"
	}
	return ""
}

func names(list []key) []string {
	words := make([]string, len(list))
	for i, k := range list {
		words[i] = k.name
	}
	return words
}

func valuesOf(v *Value) []*Value {
	list := make([]*Value, len(v.Entries))
	for i, e := range v.Entries {
		list[i] = e.Value
	}
	return list
}

func each(list []*Value, fits func(*Value) *Problem) *Problem {
	for _, v := range list {
		if p := fits(v); p != nil {
			return p
		}
	}
	return nil
}
