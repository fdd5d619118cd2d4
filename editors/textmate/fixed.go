package textmate

import (
	"iterion/grammar/expr"
	"iterion/grammar/template"
)

// value is any value whose property says no more about it.
func value() rule {
	return rule{Patterns: append(use("string", "list"), append(scalars(), rule{Name: "string.unquoted.word" + suffix, Match: dotted})...)}
}

// scalars are numbers, measures and bools.
func scalars() []rule {
	return []rule{
		{
			Match:    `(?<![\w.])([0-9]+(?:\.[0-9]+)?)([A-Za-z]+)\b`,
			Captures: scopes("constant.numeric.measure", "keyword.other.unit"),
		},
		{Name: "constant.numeric.float" + suffix, Match: `(?<![\w.])[0-9]+\.[0-9]+`},
		{Name: "constant.numeric.integer" + suffix, Match: `(?<![\w.])[0-9]+\b`},
		{Name: "constant.language.boolean" + suffix, Match: `(?<![\w.])(?:true|false)(?![\w.])`},
	}
}

// list is the punctuation of lists and maps, and the keys of a map.
func list() rule {
	return rule{Patterns: []rule{
		{Name: "punctuation.definition.list.dash" + suffix, Match: `(?<=^|[ ])-(?=[ \t]|$)`},
		{Match: `(?<=[{,])[ \t]*(` + name + `)[ \t]*(:)`, Captures: scopes(entry, colon)},
		{Name: "punctuation.separator" + suffix, Match: `,`},
		{Name: "punctuation.section.brackets" + suffix, Match: `[\[\]{}]`},
		{Name: "keyword.operator.wildcard" + suffix, Match: `(?<=\.)\*`},
		{Name: "keyword.operator.assignment" + suffix, Match: `=`},
	}}
}

// constraint is what may stand in brackets behind a type.
func constraint() rule {
	return rule{
		Begin: `(\[)[ \t]*(enum|matching)[ \t]*(:)`, BeginCaptures: scopes("punctuation.section.brackets", "keyword.other.constraint", colon),
		End: `(\])|$`, EndCaptures: scopes("punctuation.section.brackets"),
		Patterns: append(use("string"), rule{Name: "punctuation.separator" + suffix, Match: ","}),
	}
}

// jsonValue is JSON on one line, with bare or quoted keys.
func jsonValue() rule {
	return rule{Patterns: append([]rule{
		{Name: "constant.language.null" + suffix, Match: `\bnull\b`},
		{Match: `(?<=[{,])[ \t]*(` + name + `|"` + plainQuoted + `")[ \t]*(:)`, Captures: scopes(entry, colon)},
	}, append(use("string", "list"), scalars()...)...)}
}

// edges are `a -> b` with their clauses, and the braces of a `with`.
func edges() map[string]rule {
	return map[string]rule{
		"edge": {
			Begin: `^([ ]*)(` + dotted + `)[ \t]*(?=->)`, BeginCaptures: scopes("", "variable.other.node"),
			End: `$|^(?=` + declarations() + `)`, Patterns: append(use("comment", "with"), clauses()...),
		},
		"with": with(),
	}
}

// clauses stand behind an arrow in any order. No word is reserved: a target
// may be called `when`, so that each pattern takes a keyword with what follows.
func clauses() []rule {
	const arrow, control = "keyword.operator.arrow", "keyword.control"
	return []rule{
		{
			Match:    `(->)(?:[ \t]*(?:(done|fail)\b(?!\.)|(` + dotted + `)))?`,
			Captures: scopes(arrow, "support.constant.target", "variable.other.node"),
		},
		{Match: `\b(when)[ \t]+(not)[ \t]+(` + name + `)`, Captures: scopes(control+".when", "keyword.operator.logical", "variable.other.field")},
		{Match: `\b(when)[ \t]+(` + name + `)`, Captures: scopes(control+".when", "variable.other.field")},
		{Name: control + ".when" + suffix, Match: `\bwhen\b`},
		{Name: control + ".else" + suffix, Match: `\belse\b`},
		{
			Begin: `\b(as)[ \t]+(foreach)[ \t]+(` + name + `)[ \t]*(\()`, End: `(\))|$`, EndCaptures: scopes("punctuation.section.parens"),
			BeginCaptures: scopes(control+".as", control+".foreach", "entity.name.label.loop", "punctuation.section.parens"),
			Patterns: append([]rule{{
				Match: `(` + name + `)[ \t]+(in)\b`, Captures: scopes("variable.parameter", control+".in"),
			}}, use("string")...),
		},
		{
			Begin: `\b(as)[ \t]+(` + name + `)[ \t]*(\()`, End: `(\))|$`, EndCaptures: scopes("punctuation.section.parens"),
			BeginCaptures: scopes(control+".as", "entity.name.label.loop", "punctuation.section.parens"),
			Patterns: append([]rule{
				{Name: control + ".unbounded" + suffix, Match: `\bunbounded\b`},
				{Match: `(")([ \t]*\{\{[^"\n]*\}\}[ \t]*)(")`, Captures: map[string]rule{
					"0": {Name: quoted}, "1": {Name: quote + ".begin" + suffix}, "2": {Patterns: use("template")}, "3": {Name: quote + ".end" + suffix},
				}},
			}, append(use("expression-string"), scalars()...)...),
		},
		{Include: "#expression-string"}, // of a when
	}
}

// with is `with { key: value, … }`. It may span lines at any indentation, so
// only its brace ends it, or a declaration where one was forgotten.
func with() rule {
	return rule{
		Begin: `\b(with)[ \t]*(\{)`, BeginCaptures: scopes("keyword.control.with", "punctuation.section.braces"),
		End: `(\})|^(?=` + declarations() + `)`, EndCaptures: scopes("punctuation.section.braces"),
		Patterns: append(use("comment"), append([]rule{
			{Match: `(` + name + `)[ \t]*(:)`, Captures: scopes(entry, colon)},
			{Name: "punctuation.separator" + suffix, Match: ","},
		}, append(use("string"), scalars()...)...)...),
	}
}

// expression is the language of conditions and computed fields. All its
// patterns end where they begin, so it may stand in any string.
func expression() map[string]rule {
	var functions []string
	for _, f := range expr.Functions {
		functions = append(functions, f.Name)
	}
	namespaces := oneOf(template.Namespaces)
	return map[string]rule{"expression": {Patterns: append([]rule{
		{Name: "string.quoted.single" + suffix, Match: `'(?:\\.|[^'\\` + "`" + `\n])*'`},
		{Name: "string.quoted.double" + suffix, Match: `\\"(?:[^"\\]|\\[^"])*\\"|"(?:\\.|[^"\\\n])*"`},
		{Match: `\b(` + namespaces + `)(\.)(` + dotted + `)`, Captures: scopes("variable.language.namespace", "punctuation.accessor", "variable.other.reference")},
		{Name: "support.function" + suffix, Match: `\b` + oneOf(functions) + `(?=[ \t]*\()`},
		{Name: "keyword.operator.logical" + suffix, Match: `\b(?:and|or|not)\b|&&|\|\||!(?!=)`},
		{Name: "keyword.operator.lambda" + suffix, Match: `=>`},
		{Name: "keyword.operator.comparison" + suffix, Match: `[=!<>]=|[<>]`},
		{Name: "keyword.operator.arithmetic" + suffix, Match: `[-+*/%]`},
	}, append(scalars(),
		rule{Name: "variable.other.field" + suffix, Match: `\b` + dotted},
		rule{Name: "punctuation.section.brackets" + suffix, Match: `[\[\]{}()]`},
		rule{Name: "punctuation.separator" + suffix, Match: `[,:.]`},
	)...)}}
}
