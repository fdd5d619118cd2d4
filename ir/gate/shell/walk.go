package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// list reads statements one after the other.
func (r *reader) list(stmts []*syntax.Stmt, at place) outcome {
	out := outcome{ok: at.in, fail: at.in}
	for i, s := range stmts {
		if i > 0 {
			at.in = out.any()
		}
		out = r.stmt(s, at)
	}
	return out
}

// stmt reads a statement with its redirections.
func (r *reader) stmt(s *syntax.Stmt, at place) outcome {
	start := at.in
	if len(s.Redirs) > 0 {
		at = r.redirects(s.Redirs, at)
	}
	out := r.compound(s, at)
	if s.Background || len(s.Redirs) > 0 && out.ends() {
		out.ok, out.fail = start, start // a redirection may fail, and `exit` not be run
	}
	if s.Negated {
		out.ok, out.fail = out.fail, out.ok
	}
	return out
}

// compound reads the command of a statement.
func (r *reader) compound(s *syntax.Stmt, at place) outcome {
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		return r.call(c, s, at)
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		return r.pipeline(b, at)
	}
	timed := at.timed
	at.piped, at.timed = false, ""
	out := outcome{ok: at.in, fail: at.in}
	switch c := s.Cmd.(type) {
	case nil:
		if len(s.Redirs) > 0 {
			out.normal = certain(at.between(s.Redirs[0].Pos(), endOf(s)))
			r.add(out.normal)
			out.inner = out.normal
		}
		return out
	case *syntax.BinaryCmd:
		return r.chain(c, at)
	case *syntax.Block:
		out = r.list(c.Stmts, at)
	case *syntax.Subshell:
		r.list(c.Stmts, at)
	case *syntax.IfClause:
		out = r.choice(c, at)
	case *syntax.WhileClause:
		out = r.while(c, at)
	case *syntax.ForClause:
		out = r.loop(c, at)
	case *syntax.CaseClause:
		out = r.cases(c, at)
	case *syntax.FuncDecl:
		out = r.function(c.Body, at, out)
	case *syntax.TestDecl:
		out = r.function(c.Body, at, out)
	case *syntax.ArithmCmd:
		r.arithmetic(c.X, at)
		r.doubleSubshell(c, at)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			r.arithmetic(x, at)
		}
		r.code(":"+strings.TrimPrefix(at.source(c), "let"), at) // for bash its words are those of any command
	case *syntax.TestClause:
		r.test(c, s, at)
	case *syntax.DeclClause:
		return r.declare(c, s, at)
	case *syntax.TimeClause:
		return r.time(c, timed, at)
	case *syntax.CoprocClause:
		r.unplain("a coprocess", at)
		r.stmt(c.Stmt, at)
	default:
		r.opaque("it holds a shape that is not known")
	}
	out.normal = at.written(s.Cmd, s)
	r.add(out.normal)
	out.inner = out.normal
	return out
}

// doubleSubshell reads `((…))` as a shell without arithmetic commands does: one
// subshell inside of another.
func (r *reader) doubleSubshell(c *syntax.ArithmCmd, at place) {
	text := at.between(c.Left, c.Right)
	if at.depth == 0 || len(text) < len("((") {
		return
	}
	if _, why := parse(text[2:]); why == "" {
		r.code(text[2:], at)
	}
}

// chain reads `a && b || c`.
func (r *reader) chain(b *syntax.BinaryCmd, at place) outcome {
	var rest []*syntax.BinaryCmd // right to left
	first := b.X
	for rest = append(rest, b); ; {
		next, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || first.Negated || next.Op != syntax.AndStmt && next.Op != syntax.OrStmt {
			break
		}
		rest, first = append(rest, next), next.X
	}
	out := r.stmt(first, at)
	for i := len(rest) - 1; i >= 0; i-- {
		if rest[i].Op == syntax.AndStmt {
			at.in = out.ok
			next := r.stmt(rest[i].Y, at)
			out = outcome{ok: next.ok, fail: out.fail.or(next.fail)}
			continue
		}
		at.in = out.fail
		next := r.stmt(rest[i].Y, at)
		out = outcome{ok: out.ok.or(next.ok), fail: next.fail}
	}
	return out
}

func (r *reader) choice(c *syntax.IfClause, at place) outcome {
	var out outcome
	for ; c != nil; c = c.Else {
		if len(c.Cond) == 0 { // else
			last := r.list(c.Then, at)
			return outcome{ok: out.ok.or(last.ok), fail: out.fail.or(last.fail)}
		}
		cond := r.list(c.Cond, at)
		at.in = cond.ok
		then := r.list(c.Then, at)
		out = outcome{ok: out.ok.or(then.ok), fail: out.fail.or(then.fail)}
		at.in = cond.fail
	}
	return outcome{ok: out.ok.or(at.in), fail: out.fail}
}

func (r *reader) while(c *syntax.WhileClause, at place) outcome {
	start := at.in
	if moves(c.Cond) || moves(c.Do) {
		at.in = r.astray(at.in)
	}
	cond := r.list(c.Cond, at)
	at.in = cond.any()
	body := r.list(c.Do, at)
	all := start.or(cond.any()).or(body.any())
	return outcome{ok: all, fail: all}
}

func (r *reader) loop(c *syntax.ForClause, at place) outcome {
	start := at.in
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		r.words(l.Items, at)
		for _, w := range l.Items {
			r.field(w, at) // for what it quotes
		}
		r.loopName(l.Name.Value, at)
		if !l.InPos.IsValid() || c.Select {
			r.unplain("a loop over what is not written", at)
		}
		at.names = &forName{l.Name.Value, at.names}
	case *syntax.CStyleLoop:
		r.unplain("arithmetic", at)
		for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if x != nil {
				r.arithmetic(x, at)
			}
		}
	}
	if moves(c.Do) {
		at.in = r.astray(at.in)
	}
	all := start.or(r.list(c.Do, at).any())
	return outcome{ok: all, fail: all}
}

// loopName judges the variable of a loop: a name in lower case is one of no
// program's, but for those of proxies.
func (r *reader) loopName(name string, at place) {
	if lower(name) != name || strings.HasSuffix(name, "proxy") {
		r.unplain("a loop that may set a variable of the environment", at)
	}
	if expandedLater(name) {
		r.opaque("it sets " + name + ", which shells expand")
	}
}

// moves tells whether statements may change the folder of their own shell.
func moves(stmts []*syntax.Stmt) bool {
	found := false
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
				return false
			case *syntax.BinaryCmd:
				if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
					return false
				}
			case *syntax.CallExpr:
				found = found || len(n.Args) > 0 && mayMove(n.Args[0].Lit())
			}
			return !found
		})
	}
	return found
}

// mayMove tells whether a command word may change the folder; "" is one that is
// no literal.
func mayMove(word string) bool {
	switch word {
	case "", "cd", "pushd", "popd", "command", "builtin", "eval", "source", ".", "trap", "alias":
		return true
	}
	return strings.ContainsAny(word, "\\{")
}

func (r *reader) cases(c *syntax.CaseClause, at place) outcome {
	r.expansions(c.Word, at)
	r.field(c.Word, at) // for what it quotes
	start, all := at.in, at.in
	falls := false // the case before may run on into it
	for _, item := range c.Items {
		r.words(item.Patterns, at)
		at.in = start
		if falls {
			at.in = all
		}
		all = all.or(r.list(item.Stmts, at).any())
		falls = item.Op != syntax.Break
	}
	return outcome{ok: all, fail: all}
}

// function reads the body of a function where it is declared: it may be called
// from anywhere, with any words.
func (r *reader) function(body *syntax.Stmt, at place, out outcome) outcome {
	r.unplain("a function", at)
	at.later, at.stdin = true, input{}
	return r.moved(r.stmt(body, at), at, out)
}

func (r *reader) time(c *syntax.TimeClause, outer string, at place) outcome {
	if c.Stmt == nil {
		return outcome{ok: at.in, fail: at.in}
	}
	at.timed = outer + "time "
	if c.PosixFormat {
		at.timed += "-p "
	}
	return r.stmt(c.Stmt, at)
}

// declare reads `export`, `declare` and their like.
func (r *reader) declare(c *syntax.DeclClause, s *syntax.Stmt, at place) outcome {
	fields := append([]field{static(c.Variant.Value)}, r.assigns(c.Args, at)...)
	r.add(at.written(c, s))
	if at.opening {
		start := len(r.forms)
		r.spellings(nil, fields, at.source(c))
		r.Simple = append(r.Simple, Simple{Forms: r.forms[start:len(r.forms):len(r.forms)]})
	}
	r.add(collapsed(fields, at.source(c)))
	return r.command(fields, at)
}
