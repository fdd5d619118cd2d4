package shell_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// stubs are the programs that generated commands run.
var stubs = []string{"git", "rm", "curl", "tool", "ls"}

// generator writes commands that a real bash runs. All that they can start are
// the stubs.
type generator struct {
	*rapid.T
	left int // how much deeper it may go
}

func scripts(t *rapid.T) string { return (&generator{t, 4}).list() }

func (g *generator) pick(choices ...string) string {
	return rapid.SampledFrom(choices).Draw(g.T, "pick")
}

func (g *generator) number(n int) int { return rapid.IntRange(0, n-1).Draw(g.T, "n") }

func (g *generator) chance(n int) bool { return g.number(n) == 0 }

// list is one statement or several.
func (g *generator) list() string {
	text := g.stmt()
	for n := g.number(3); n > 0; n-- {
		text += g.pick("; ", " && ", " || ", "\n", " & ", ";\n") + g.stmt()
	}
	return text
}

func (g *generator) stmt() string {
	if g.left--; g.left < 0 {
		g.left++
		return g.simple()
	}
	defer func() { g.left++ }()
	shapes := compounds()
	return shapes[g.number(len(shapes))](g)
}

// inner is a list that can stand before `;` and a closing word.
func (g *generator) inner() string { return g.list() + "\n" }

func compounds() []func(*generator) string {
	return []func(*generator) string{
		(*generator).simple, (*generator).simple, (*generator).wrapped, (*generator).wrapped, (*generator).wrapped,
		func(g *generator) string { return "( " + g.inner() + ")" },
		func(g *generator) string { return "{ " + g.inner() + "}" },
		func(g *generator) string { return "if " + g.inner() + "then " + g.inner() + "fi" },
		func(g *generator) string { return "if false; then :; else " + g.inner() + "fi" },
		func(g *generator) string { return "for i in " + g.word("a") + "; do " + g.inner() + "done" },
		func(g *generator) string { return "for ((n=0; n<1; n++)); do " + g.inner() + "done" },
		func(g *generator) string { return "while " + g.inner() + "break; do :; done" },
		func(g *generator) string { return "case " + g.word("x") + " in x) " + g.inner() + ";; esac" },
		func(g *generator) string { return "f() { " + g.inner() + "}; f" },
		func(g *generator) string { return "function g { " + g.simple() + ` "$1"; }; g ` + g.word("push") },
		func(g *generator) string { return "! " + g.simple() },
		func(g *generator) string { return "time " + g.stmt() },
		func(g *generator) string { return g.simple() + g.pick(" | ", " |& ") + g.wrapped() },
		func(g *generator) string { return "coproc { " + g.inner() + "}; wait" },
		func(g *generator) string { return "[[ -n " + g.substitution() + " ]]" },
		func(g *generator) string { return ": " + g.substitution() },
		func(g *generator) string { return "x=" + g.substitution() },
		func(g *generator) string { return "export x=" + g.substitution() },
		func(g *generator) string { return ": $(( 1 + " + g.substitution() + "0 ))" },
		func(g *generator) string { return ": ${u:-" + g.substitution() + "}" },
		func(g *generator) string { return "a[" + g.substitution() + "0]=1" },
		func(g *generator) string { return "a=(" + g.substitution() + ")" },
		func(g *generator) string { return "cat <<E\n" + g.substitution() + "\nE\n" },
		func(g *generator) string { return "cat <<< " + g.substitution() },
		func(g *generator) string { return "cat < <( " + g.inner() + ")" },
		func(g *generator) string { return ": > >( " + g.inner() + ")" },
		(*generator).late, (*generator).late,
	}
}

func (g *generator) substitution() string {
	switch g.number(3) {
	case 0:
		return "$( " + g.inner() + ")"
	case 1:
		return "\"$( " + g.inner() + ")\""
	}
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(g.simple()) + "`"
}

// late is code that bash takes from a text: a few of the many ways.
func (g *generator) late() string {
	code := g.list()
	q := g.quote(code)
	switch g.number(24) {
	case 0:
		return "eval " + q
	case 1:
		return "trap " + q + " EXIT"
	case 2:
		return "shopt -s expand_aliases; alias k=" + q + "\nk " + g.word("x")
	case 3:
		return "bash <<'E'\n" + code + "\nE\n"
	case 4:
		return "sh <<< " + q
	case 5:
		return "echo " + q + " | sh"
	case 6:
		return "printf '%s\\n' " + q + " | bash"
	case 7:
		return "printf " + strings.ReplaceAll(q, "%", "%%") + " | bash -s"
	case 8:
		return "source <(echo " + q + ")"
	case 9:
		return ". /dev/stdin <<< " + q
	case 10:
		return "bash /dev/fd/3 3<<< " + q
	case 11:
		return "{ sh; } <<< " + q
	case 12:
		return "cat <<'E' | sh\n" + code + "\nE\n"
	case 13:
		return "x=" + q + "; eval \"$x\""
	case 14:
		return "x='a[$(" + g.word("git") + " push)]'; : $((x))"
	case 15:
		return "test -v 'a[$(git push)]'"
	case 16:
		return "PS4='$(git push)'; set -x; :"
	case 17:
		return "x='$(git push)'; : ${x@P}"
	case 18:
		return "mapfile -C " + q + " -c 1 m <<< x"
	case 19:
		return "set -k; git Z=1 push"
	case 20:
		return "x=git; " + g.pick("$x push", "\"$x\" push", "${x} push", "command $x push", "env $x push", "g{i,}t push")
	case 21:
		return "set -- git push; \"$@\""
	case 22:
		return "echo push | xargs git"
	}
	return "( exec <<< " + q + "; bash )"
}

// wrapped runs a command, or code, by another program.
func (g *generator) wrapped() string {
	switch g.number(22) {
	case 0:
		return "env " + g.pick("", "A=1 ", "-u X ", "-i PATH=\"$PATH\" ", "-- ", "-C . ", "--unset=X ") + g.command()
	case 1:
		return "env -S " + g.quote(g.pick("git push", "git  'push x'", "-u X git push", "A=1 git")) + g.pick("", " x")
	case 2:
		return g.pick("command ", "command -p ", "command -- ", "exec ", "exec -a x ", "nohup ", "setsid -w ", "stdbuf -oL ", "stdbuf -o L ") + g.command()
	case 3:
		return g.pick("nice ", "nice -n 5 ", "nice -5 ", "nice --adjustment=3 ") + g.command()
	case 4:
		return g.pick("timeout 5 ", "timeout -k 1 5 ", "timeout -s KILL 5s ", "timeout --foreground 5 ", "timeout --kill-after 1 5 ") + g.command()
	case 5:
		return "echo x | xargs " + g.pick("", "-n 1 ", "-n1 ", "-t ", "-I{} ", "-d ' ' ") + g.command()
	case 6:
		return "find . -maxdepth 0 " + g.pick("-exec ", "-execdir ") + g.command() + g.pick(" \\;", " ';'", " {} +", " {} \\;")
	case 7, 8, 9, 10:
		return g.pick("bash ", "sh ", "dash ", "'bash' ") + g.pick("-c ", "-ec ", "-x -c ", "+x -c ", "-c -e ", "-c -- ") + g.quote(g.list()) + g.pick("", " a b")
	case 11:
		return "bash " + g.pick("-o pipefail -c ", "-co pipefail ", "--norc -c ", "-O extglob -c ") + g.quote(g.simple())
	case 12:
		return "bash -c " + g.quote(g.pick(`git "$@"`, `"$@"`, `git "$0"`, `$1 push`)) + " git push"
	case 13:
		return "eval " + g.command()
	case 14:
		return g.wrapper() + g.wrapper() + g.command()
	case 15:
		return "\\time -f x " + g.command()
	case 16:
		return "! " + g.wrapper() + g.command()
	}
	return g.wrapper() + g.pick("bash -c ", "sh -c ") + g.quote(g.list())
}

func (g *generator) wrapper() string {
	return g.pick("env ", "command ", "nohup ", "nice ", "timeout 9 ", "setsid -w ", "stdbuf -o0 ", "exec ")
}

// simple is a command with assignments and redirections around it.
func (g *generator) simple() string {
	text := ""
	for g.chance(4) {
		text += g.pick("A=1 ", "B='x y' ", "C= ", "D=$u ", "E+=1 ")
	}
	if g.chance(6) {
		text += g.pick(">f ", "2>&1 ", "</dev/null ", "2>f ")
	}
	text += g.command()
	if g.chance(4) {
		text += g.pick(" >f", " >> f", " 2>&1", " &>f", " </dev/null", " >|f", " 3<>f", " {fd}>f", "<<<x")
	}
	return text
}

// command is a stub with its words.
func (g *generator) command() string {
	text := g.word(stubs[g.number(len(stubs))])
	for n := g.number(4); n > 0; n-- {
		text += g.pick(" ", "  ", "\t", " \\\n ") + g.argument()
	}
	return text
}

func (g *generator) argument() string {
	if g.chance(5) {
		return g.pick("$u", "\"$u\"", "${u:-x}", "*", "{a,b}", "{1..3}", "x{,y}z", "$((1+1))", "$(echo push)", "~", "\"$@\"", "''", "<(:)", "a=b", "[a]", "\\*", "#x", "x#y", "%", "!", "{}", "${#u}", "-{a,b}")
	}
	return g.word(g.pick("push", "pull", "-f", "a b", "x;y", "--force", "$x", "it's", "a\"b", "back\\slash", "new\nline", "é", "-C"))
}

// word writes a text as one word, in one of the many ways to quote it.
func (g *generator) word(text string) string {
	cutAt := g.number(len(text) + 1)
	return g.quote(text[:cutAt]) + g.quote(text[cutAt:])
}

func (g *generator) quote(text string) string {
	plain := text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-") == ""
	switch n := g.number(6); {
	case text == "" && n < 5:
		return ""
	case n == 0 && plain:
		return text
	case n <= 1:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	case n == 2:
		return `"` + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$", `"`, `\"`).Replace(text) + `"`
	case n == 3:
		return dollarQuote(text)
	case n == 4 && plain:
		return text[:1] + g.pick("", "''", `""`, "\\\n", "$u", "${u}", "$()") + text[1:]
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteString("'\n'")
		default:
			b.WriteString("\\" + string(c))
		}
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

func dollarQuote(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '\\':
			b.WriteString("\\" + string(c))
		case i%3 == 0:
			fmt.Fprintf(&b, "\\x%02x", c)
		case i%3 == 1:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}
