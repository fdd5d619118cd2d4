package textmate

import (
	"slices"
	"strings"

	"iterion/grammar/schema"
)

// ruleLists are the properties whose strings are permission rules. The table
// has them as lists of strings like any other.
var ruleLists = []string{"allow", "ask", "deny"}

// group is properties of one kind whose values are coloured alike.
type group struct {
	names []string
	form  schema.Form
	words []string
	ref   schema.Ref
	text  schema.Text
	rules bool
	with  bool
	block *schema.Kind
}

// groups puts the rows of a kind together, in the order of the table.
func groups(rows []schema.Property) []group {
	var list []group
	for _, p := range rows {
		g := groupOf(p)
		same := func(o group) bool { return o.block == nil && g.block == nil && o.alike(g) }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i].names = append(list[i].names, p.Name)
			continue
		}
		list = append(list, g)
	}
	return list
}

func groupOf(p schema.Property) group {
	return group{
		names: []string{p.Name}, form: p.Form, words: schema.Words(p.Values), ref: p.Ref,
		text: p.Text, rules: slices.Contains(ruleLists, p.Name), with: p.Form == schema.With, block: p.Block,
	}
}

func (g group) alike(o group) bool {
	return g.form == o.form && g.ref == o.ref && textOf(g.form, g.text) == textOf(o.form, o.text) && g.rules == o.rules && g.with == o.with &&
		slices.Equal(g.words, o.words)
}

func (g group) key() string { return oneOf(g.names) }

func (g group) values() []rule {
	if g.rules {
		return use("rule-string", "list")
	}
	return valuesOf(g.form, g.text, g.words, g.ref)
}

// texts names how a string is read; the repository has each as a string on a
// line and as lines behind a bar.
var texts = map[schema.Text]string{
	schema.Plain: "string", schema.PromptText: "prompt-string", schema.ShellText: "shell-string", schema.ScriptText: "script-string",
	schema.DataText: "string", schema.Routing: "string", schema.WholeRef: "string", schema.Expression: "expression-string",
	schema.EnvText: "string",
}

// textOf is the name of a value's string, "" for values that hold no text.
func textOf(form schema.Form, text schema.Text) string {
	switch form {
	case schema.Str, schema.Word, schema.QStr, schema.Prompt:
		return texts[text]
	case schema.StrOrNum:
		return "string" // a parameter, not a command: nothing of a shell reads it
	}
	return ""
}

// valuesOf are the patterns of a value behind its colon.
func valuesOf(form schema.Form, text schema.Text, words []string, ref schema.Ref) []rule {
	var rules []rule
	if len(words) > 0 {
		rules = append(rules, rule{
			Match:    `(?:(?<=:)|(?<=[\[,-]))[ \t]*("?)(` + oneOf(words) + `)(\1)(?=[ \t]*(?:[\],#]|$))`,
			Captures: scopes(quote+".begin", "constant.language.enum", quote+".end"),
		})
	}
	switch {
	case form == schema.JSON:
		return append(rules, use("json")...)
	case form == schema.Setting:
		rules = append(rules, rule{Name: "constant.language.enum" + suffix, Match: name})
	case ref != schema.NoRef:
		rules = append(rules, rule{Name: "variable.other." + ref.String() + suffix, Match: `(?<![\w"` + "`" + `#])` + dotted})
	}
	if n := textOf(form, text); n != "" && n != "string" {
		rules = append(rules, use(n)...)
	}
	return append(rules, use("value")...)
}

// typed is `name: type [enum: …] [matching: …] = literal` behind the colon.
func typed(t *schema.Typed) []rule {
	rules := []rule{{
		Match:    `(?<=:)[ \t]*(` + oneOf(bare(t.Types)) + `)((?:\[\])*)(?![A-Za-z0-9_])`,
		Captures: scopes("support.type", "punctuation.definition.array"),
	}}
	if t.Schemas {
		rules = append(rules, rule{
			Match: `(?<=:)[ \t]*(` + name + `)((?:\[\])*)`, Captures: scopes("variable.other.schema", "punctuation.definition.array"),
		})
	}
	return append(rules, use("constraint")...)
}

// bare are type words without brackets.
func bare(types []string) []string {
	var words []string
	for _, t := range types {
		if t = strings.TrimSuffix(t, "[]"); !slices.Contains(words, t) {
			words = append(words, t)
		}
	}
	return words
}
