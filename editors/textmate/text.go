package textmate

import (
	"maps"
	"strings"

	"iterion/grammar/template"
)

// The scopes of a language inside. package.json tells the editor which one it
// is, so that its comments and brackets are known.
const (
	markdown    = "meta.embedded.block.markdown" + suffix
	shell       = "meta.embedded.block.shellscript" + suffix
	expressions = "meta.embedded.expression" + suffix
)

const (
	quote  = "punctuation.definition.string"
	quoted = "string.quoted.double" + suffix
	raw    = "string.quoted.raw" + suffix
	block  = "string.unquoted.block" + suffix
)

// plainQuoted is the inside of a quoted string. A backslash never lets a quote
// end it, in either profile.
const plainQuoted = `(?:\\.|[^"\\\n])*`

// fixed is the part of the repository that depends on no kind.
func fixed() map[string]rule {
	r := map[string]rule{
		"comment": comment(), "head": head(), "value": value(), "list": list(),
		"template": templates(), "template-in-code": templateInCode(), "environment": environment(), "escape": escape(),
		"rule-string": ruleString(), "json": jsonValue(), "constraint": constraint(),
	}
	maps.Copy(r, edges())
	maps.Copy(r, expression())
	text(r, "string", "template", "environment")
	text(r, "prompt-string", "template")
	text(r, "script-string", "template")
	embedded(r, "shell-string", shell, "source.shell")
	embedded(r, "expression-string", expressions, "#expression")
	return r
}

// text adds the three spellings of a string that only holds references.
func text(r map[string]rule, entry string, inside ...string) {
	r[entry] = rule{Patterns: []rule{
		{
			Name: quoted, Begin: `"`, End: `(")|$`, BeginCaptures: scopes0(quote + ".begin"), EndCaptures: scopes(quote + ".end"),
			Patterns: append(use(inside...), use("escape")...),
		},
		{
			Name: raw, Begin: "`", End: "`", BeginCaptures: scopes0(quote + ".begin"), EndCaptures: scopes0(quote + ".end"),
			Patterns: use(inside...),
		},
	}}
	body := lines(block, "")
	body.Patterns = use(inside...)
	r[entry+"-lines"] = rule{Patterns: []rule{body}}
}

// embedded adds the spellings of a string in another language. What that
// language leaves open must end with the string, so it reads a captured text,
// or whole lines of a raw string.
func embedded(r map[string]rule, entry, scope, language string) {
	inside := rule{Name: scope, Patterns: []rule{{Include: language}}}
	r[entry] = rule{Patterns: []rule{
		{
			Match: `(")(` + plainQuoted + `)("|$)`, Captures: map[string]rule{
				"0": {Name: quoted}, "1": {Name: quote + ".begin" + suffix}, "2": inside, "3": {Name: quote + ".end" + suffix},
			},
		},
		{
			Name: raw, Begin: "`", End: "`", BeginCaptures: scopes0(quote + ".begin"), EndCaptures: scopes0(quote + ".end"),
			Patterns: []rule{
				{Begin: "(?:\\G|^)(?=[^`]*$)", While: "^(?=[^`]*$)", ContentName: scope, Patterns: inside.Patterns},
				{Match: "[^`]+", Captures: map[string]rule{"0": inside}},
			},
		},
	}}
	r[entry+"-lines"] = rule{Patterns: []rule{lines(scope, language)}}
}

func scopes0(n string) map[string]rule { return map[string]rule{"0": {Name: n + suffix}} }

func escape() rule {
	return rule{Patterns: []rule{{Name: "constant.character.escape" + suffix, Match: `\\["\\ntr0]`}, {Match: `\\.`}}}
}

// comment is a hash, or several; two and more document what follows.
func comment() rule {
	return rule{Patterns: []rule{
		{
			Name: "comment.line.number-sign" + suffix, Match: `(##?)[ \t]*(lint:[ \t]*allow(?:-file)?)\b.*$`,
			Captures: scopes("punctuation.definition.comment", "keyword.other.directive"),
		},
		{
			Name: "comment.line.number-sign" + suffix, Match: `(##?)[ \t]*(strict-escape)\b.*$`,
			Captures: scopes("punctuation.definition.comment", "keyword.other.directive"),
		},
		{Name: "comment.line.documentation" + suffix, Match: `(##+).*$`, Captures: scopes("punctuation.definition.comment")},
		{Name: "comment.line.number-sign" + suffix, Match: `(#).*$`, Captures: scopes("punctuation.definition.comment")},
	}}
}

// head is what stands before the declarations.
func head() rule {
	return rule{Patterns: []rule{
		{
			Match:    `^(dsl)[ \t]*(:)[ \t]*([0-9]+)?`,
			Captures: scopes("keyword.control.dsl", colon, "constant.numeric.integer"),
		},
		{
			Begin: `^(import)(?=[ \t]*["` + "`" + `])`, BeginCaptures: scopes("keyword.control.import"),
			End: `$`, Patterns: use("string", "comment"),
		},
	}}
}

// templates are the references of package template. A faulty one stays text.
func templates() rule {
	const open, shut = "punctuation.definition.template.begin", "punctuation.definition.template.end"
	return rule{Patterns: []rule{
		{
			Name:     "meta.template" + suffix,
			Match:    `(\{\{)[ \t]*(!)?[ \t]*(` + strings.Join(template.Namespaces, "|") + `)(\.)([^.{}\s]+(?:\.[^.{}\s]+)*)[ \t]*(\}\})`,
			Captures: scopes(open, "keyword.operator.raw", "variable.language.namespace", "punctuation.accessor", "variable.other.reference", shut),
		},
		{
			Name: "meta.template" + suffix, Match: `(\{\{)[ \t]*(include)[ \t]*("[^"\n]+")[ \t]*(\}\})`,
			Captures: scopes(open, "keyword.control.include", "string.quoted.double", shut),
		},
		{
			Name: "constant.character.escape" + suffix, Match: `\{\{[ \t]*"\{\{"[ \t]*\}\}`,
		},
	}}
}

// templateInCode is inline code of a prompt that holds references: Markdown
// takes such a text whole, and nothing could be found in it any more.
func templateInCode() rule {
	return rule{
		Name: "markup.inline.raw.string.markdown", Match: "(?<!`)(`)([^`\n]*\\{\\{[^`\n]*)(`)(?!`)",
		Captures: map[string]rule{
			"1": {Name: "punctuation.definition.raw.markdown"}, "2": {Patterns: use("template")}, "3": {Name: "punctuation.definition.raw.markdown"},
		},
	}
}

// environment is `${NAME}` and `${NAME:-default}`.
func environment() rule {
	return rule{
		Name: "meta.environment" + suffix, Match: `(\$\{)(` + name + `)((:-)([^}"` + "`" + `\n]*))?(\})`,
		Captures: scopes("punctuation.definition.variable.begin", "variable.other.environment", "", "keyword.operator.default", "string.unquoted.default", "punctuation.definition.variable.end"),
	}
}

// ruleString is a permission rule: a tool, or a class of tools, and perhaps a
// pattern in brackets.
func ruleString() rule {
	return rule{
		Name:  quoted,
		Match: `(")((?:class:)?)([^"(\\\n]*)(?:(\()(` + plainQuoted + `)(\)))?(")`,
		Captures: map[string]rule{
			"1": {Name: quote + ".begin" + suffix},
			"2": {Name: "keyword.other.class" + suffix},
			"3": {Name: "entity.name.tag.tool" + suffix},
			"4": {Name: "punctuation.section.pattern.begin" + suffix},
			"5": {Name: "string.regexp.rule" + suffix, Patterns: []rule{{Name: "keyword.operator.wildcard" + suffix, Match: `\*+|\?|:(?=\*$)`}}},
			"6": {Name: "punctuation.section.pattern.end" + suffix},
			"7": {Name: quote + ".end" + suffix},
		},
	}
}
