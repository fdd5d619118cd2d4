package shell

import "mvdan.cc/sh/v3/syntax"

// test reads `[[ … ]]`.
func (r *reader) test(c *syntax.TestClause, s *syntax.Stmt, at place) {
	static, plain := r.testExpr(c.X, at)
	if !at.opening {
		return
	}
	form := Form{Text: at.source(c)}
	if form.Fixed = len("[["); static {
		form.Fixed = len(form.Text)
	}
	r.Simple = append(r.Simple, Simple{Forms: []Form{form}, Neutral: always(static && plain)})
}

// testExpr tells whether the words of a test are static, and whether it has none
// of the operators that take their operand for a name or for arithmetic.
func (r *reader) testExpr(x syntax.TestExpr, at place) (static, plain bool) {
	switch x := x.(type) {
	case *syntax.Word:
		r.expansions(x, at)
		return !r.field(x, at).dynamic, true
	case *syntax.ParenTest:
		return r.testExpr(x.X, at)
	case *syntax.UnaryTest:
		static, plain = r.testExpr(x.X, at)
		return static, plain && x.Op != syntax.TsVarSet && x.Op != syntax.TsRefVar
	case *syntax.BinaryTest:
		static, plain = r.testExpr(x.X, at)
		static2, plain2 := r.testExpr(x.Y, at)
		return static && static2, plain && plain2 && !computes(x.Op)
	}
	return false, false
}

func computes(op syntax.BinTestOperator) bool {
	switch op {
	case syntax.TsReMatch, syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return true
	}
	return false
}
