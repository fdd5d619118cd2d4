package check

import (
	"regexp"
	"regexp/syntax"
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/finding"
)

// checkPatterns judges the patterns of variables and the defaults of those
// with a constraint: C160 to C163, C181, C182.
func checkPatterns(c *Context) {
	for _, v := range c.Program.Vars {
		if tainted(&v.Decl) || v.Type == "" {
			continue
		}
		if v.Matching.Set() {
			checkPattern(c, v)
		}
		checkConstrained(c, v)
	}
}

func checkPattern(c *Context, v *ir.Var) {
	if v.Type != "string" {
		c.add("C160", v.Tree, matchingSpan(v), "`%s` is %s, and only a `string` may have a pattern", v.Name, typeNoun(v.Type)).
			See(v.Tree, v.TypeSpan, "the type")
		return
	}
	tree, err := syntax.Parse(v.Matching.V, syntax.Perl)
	if err != nil {
		c.add("C162", v.Tree, v.Matching.Span, "the pattern of `%s` cannot be read: %s", v.Name, patternError(err))
		return
	}
	if !(anchored(tree, true) && anchored(tree, false)) {
		c.add("C163", v.Tree, v.Matching.Span, "the pattern of `%s` admits every text that holds a match", v.Name).
			Hintf("Write `%s`.", whole(v.Matching.V)).Fix(diagnostics.AnchorPattern, anchor(v)...)
	}
	if d := v.Default; literalDefault(v) && !matches(v.Matching.V, d.V.Text) {
		c.add("C161", v.Tree, d.Span, "%q does not match the pattern of `%s`", d.V.Text, v.Name).
			See(v.Tree, v.Matching.Span, "the pattern")
	}
}

// whole is a pattern that matches whole texts only.
func whole(pattern string) string { return "^(?:" + pattern + ")$" }

// anchor makes a pattern whole in its literal, when that does what it should
// and still admits the default.
func anchor(v *ir.Var) []finding.Edit {
	pattern, err := regexp.Compile(whole(v.Matching.V))
	if err != nil || literalDefault(v) && !pattern.MatchString(v.Default.V.Text) {
		return nil
	}
	at := v.Matching.Span
	start := source.Span{Start: at.Start + 1, End: at.Start + 1}
	end := source.Span{Start: at.End - 1, End: at.End - 1}
	return []finding.Edit{finding.Replace(v.Tree, start, "^(?:"), finding.Replace(v.Tree, end, ")$")}
}

// matches compiles a pattern that was parsed before: only few have a text to
// hold against it. Its syntax is regexp.Compile's own, so it compiles.
func matches(pattern, text string) bool {
	compiled, err := regexp.Compile(pattern)
	return err != nil || compiled.MatchString(text)
}

// matchingSpan is the whole `[matching: …]`.
func matchingSpan(v *ir.Var) source.Span {
	if i := v.Tree.Enclosing(ast.Matching, v.Matching.Span); i >= 0 {
		return v.Tree.Nodes[i].Span()
	}
	return v.Matching.Span
}

// patternError says what is wrong with a pattern without repeating it.
func patternError(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return string(e.Code)
	}
	return err.Error()
}

// literalDefault tells whether a default is a text that nothing changes.
func literalDefault(v *ir.Var) bool {
	return v.Default.Set() && v.Default.V.Kind == ir.StringLiteral && len(expr.EnvRefs(v.Default.V.Text)) == 0
}

// anchored tells whether every match of a pattern is bound to the beginning,
// or to the end, of the whole text.
func anchored(re *syntax.Regexp, begin bool) bool {
	switch re.Op {
	case syntax.OpNoMatch:
		return true
	case syntax.OpBeginText:
		return begin
	case syntax.OpEndText:
		return !begin
	case syntax.OpCapture, syntax.OpPlus:
		return anchored(re.Sub[0], begin)
	case syntax.OpRepeat:
		return re.Min > 0 && anchored(re.Sub[0], begin)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !anchored(s, begin) })
	case syntax.OpConcat:
		subs := slices.DeleteFunc(slices.Clone(re.Sub), func(s *syntax.Regexp) bool { return s.Op == syntax.OpEmptyMatch })
		return len(subs) > 0 && anchored(subs[edgeOf(subs, begin)], begin)
	}
	return false
}

func edgeOf(subs []*syntax.Regexp, begin bool) int {
	if begin {
		return 0
	}
	return len(subs) - 1
}
