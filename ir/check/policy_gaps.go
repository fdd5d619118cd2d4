package check

import (
	"path"
	"slices"
	"strings"

	"iterion/diagnostics"
	"iterion/ir/effective"
	"iterion/ir/gate"
	"iterion/ir/scope"
	"iterion/ir/tools"
)

// checkGaps looks for rules that do not bound what they seem to: L101 to L105
// and L107.
func checkGaps(c *Context, n *scope.Node) {
	if !effective.Reader(n.Node) {
		return
	}
	p := c.permissions().Of(n.Node)
	if n.LLM != nil {
		droppedRows(c, n, p)
	}
	if !p.Gated() || len(p.Rows[gate.DenyList])+len(p.Rows[gate.AskList]) == 0 {
		return
	}
	g := gaps{c, n, p}
	if coverOf(p, tools.Lookup("bash")) == nil {
		g.openShell()
		g.optionFirst()
		g.shellBesideWrites()
	}
	g.openSearch()
	g.nativeOnly()
}

// gaps compares the rows of one node.
type gaps struct {
	c *Context
	n *scope.Node
	p *effective.Permission
}

// row is an entry in force.
type row struct {
	gate.Row
	list *effective.RuleList
	at   int // in both
}

// rows lists the entries of some lists.
func (g gaps) rows(kinds ...gate.Kind) []row {
	var all []row
	for _, k := range kinds {
		for i, r := range g.p.Rows[k] {
			all = append(all, row{r, &g.p.Lists[k], i})
		}
	}
	return all
}

// report says that one row leaves a gap that another opens. What the workflow
// says by itself is said once, not for each node.
func (g gaps) report(code diagnostics.Code, at, because row, label, format string, args ...any) {
	item := at.list.Items[at.at]
	f := g.c.add(code, at.list.Tree, item.Span, format, args...)
	if at.list.Own || because.list.Own {
		f.NodeID = g.n.ID
		instance(f, g.n.Instance)
	}
	f.See(because.list.Tree, because.list.Items[because.at].Span, label)
}

// fileTool tells whether a tool reads or writes the files that it is told.
func fileTool(t *tools.Tool) bool {
	return t != nil && t.Subject == tools.Path && t.Can&(tools.Reads|tools.Writes) != 0
}

// pathDeny is the first deny row that bounds files by their path.
func (g gaps) pathDeny() (row, bool) {
	return first(g.rows(gate.DenyList), func(r row) bool { return r.Scoped && fileTool(r.Tool()) })
}

func first(rows []row, fits func(row) bool) (row, bool) {
	if i := slices.IndexFunc(rows, fits); i >= 0 {
		return rows[i], true
	}
	return row{}, false
}

// openShell: L101, a command reads and writes what the file tools may not.
func (g gaps) openShell() {
	deny, ok := g.pathDeny()
	if !ok {
		return
	}
	if allow, ok := first(g.rows(gate.AllowList), opensFiles); ok {
		g.report("L101", deny, allow, "this opens the shell", "`%s` bounds the file tools, and `%s` lets a command at the same files", deny.Text, allow.Text)
	}
}

// filePrograms read or write any file that their arguments name, or run code.
var filePrograms = strings.Fields(`cat less more head tail tac nl sed awk gawk cut sort uniq diff grep egrep fgrep rg find xargs
	cp mv ln tee dd tar zip rsync install base64 xxd od strings jq vi vim nano ed
	python python3 node deno bun perl ruby php sh bash dash zsh ksh env sudo`)

// opensFiles tells whether an allow row opens the shell to a program that goes
// to files: any program, or one that is known for it.
func opensFiles(r row) bool {
	if !r.Opens(tools.Lookup("bash")) {
		return false
	}
	if r.IsWild() {
		return true
	}
	head, open := openHead(r.Pattern)
	if !open {
		return false
	}
	words := strings.Fields(head)
	return len(words) == 0 || slices.Contains(filePrograms, path.Base(words[0]))
}

// openHead is the fixed text that a pattern over commands begins with, and
// whether anything may follow it.
func openHead(pattern string) (head string, open bool) {
	if head, ok := strings.CutSuffix(pattern, ":*"); ok {
		return head, true
	}
	head, _, open = strings.Cut(pattern, "*")
	return head, open
}

// optionFirst: L102, an option before the subcommand walks past a prefix.
func (g gaps) optionFirst() {
	bash := tools.Lookup("bash")
	for _, closed := range g.rows(gate.DenyList, gate.AskList) {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSuffix(closed.Pattern, ":*"), " *"))
		if len(words) < 2 || strings.HasPrefix(words[1], "-") || strings.Contains(strings.Join(words, ""), "*") || !closed.Covers(bash) {
			continue
		}
		allow, ok := first(g.rows(gate.AllowList), func(r row) bool {
			if !r.Opens(bash) {
				return false
			}
			open, any := openHead(r.Pattern)
			return r.IsWild() || any && strings.HasPrefix(path.Base(words[0]), path.Base(strings.TrimSpace(open)))
		})
		if ok {
			g.report("L102", closed, allow, "this opens the program", "`%s` does not bound `%s -x %s`, which `%s` opens", closed.Text, words[0], strings.Join(words[1:], " "), allow.Text)
		}
	}
}

// shellBesideWrites: L103, files are not to be changed, and a command may.
func (g gaps) shellBesideWrites() {
	var closed row
	for _, key := range []string{"write", "edit"} {
		var ok bool
		if closed, ok = first(g.rows(gate.DenyList), func(r row) bool { return !r.Scoped && r.Covers(tools.Lookup(key)) }); !ok {
			return
		}
	}
	if allow, ok := first(g.rows(gate.AllowList), func(r row) bool { return r.Opens(tools.Lookup("bash")) }); ok {
		g.report("L103", allow, closed, "files may not be changed", "`%s` runs commands, which can write what `write` and `edit` may not", allow.Text)
	}
}

// openSearch: L104, a search prints what the read tool may not.
func (g gaps) openSearch() {
	deny, ok := first(g.rows(gate.DenyList), func(r row) bool { return r.Scoped && r.Covers(tools.Lookup("read")) && r.Kind != gate.Class })
	if !ok {
		return
	}
	all := tools.All()
	for i := range all {
		t := &all[i]
		if t.Can&tools.Reads == 0 || t.Key == "read" {
			continue
		}
		bounded := slices.ContainsFunc(g.rows(gate.DenyList, gate.AskList), func(r row) bool { return r.Covers(t) })
		if allow, ok := first(g.rows(gate.AllowList), func(r row) bool { return r.Opens(t) && r.IsWild() }); ok && !bounded {
			g.report("L104", deny, allow, "this opens a search", "`%s` bounds reading, and `%s` prints what the files hold", deny.Text, allow.Text)
			return
		}
	}
}

// fileWords are parts of the names of tools that go to files.
var fileWords = []string{"file", "read", "write", "edit", "dir", "path", "fs"}

// nativeOnly: L107, a rule over paths does not reach the tools of a server.
func (g gaps) nativeOnly() {
	deny, ok := g.pathDeny()
	if !ok {
		return
	}
	allow, ok := first(g.rows(gate.AllowList), func(r row) bool {
		mcp, isMCP := tools.SplitMCP(r.Subject)
		return isMCP && mcp.Tool != "" && (mcp.Tool == "*" || slices.ContainsFunc(fileWords, func(w string) bool {
			return strings.Contains(strings.ToLower(mcp.Tool), w)
		}))
	})
	if ok {
		g.report("L107", deny, allow, "tools of a server", "`%s` does not reach the tools of `%s`", deny.Text, allow.Text)
	}
}

// droppedRows: L105, a node's list stands instead of the workflow's, whose rows
// it does not repeat.
func droppedRows(c *Context, n *scope.Node, p *effective.Permission) {
	if p.Unknown || p.Mode == gate.Off {
		return
	}
	shared := c.permissions().Workflow()
	for _, k := range gate.Kinds() {
		own, from := &p.Lists[k], &shared.Lists[k]
		if !own.Own {
			continue
		}
		var dropped []int
		for i, r := range shared.Rows[k] {
			if !slices.ContainsFunc(p.Rows[k], func(o gate.Row) bool { return same(o.Rule, r.Rule) }) {
				dropped = append(dropped, i)
			}
		}
		if len(dropped) == 0 {
			continue
		}
		f := c.node("L105", n, keyOf(n.Tree, own.Span), "`%s:` of `%s` replaces the workflow's list and does not repeat %s", k, n.Name, joined(texts(from, dropped), "and"))
		for _, i := range dropped {
			f.See(from.Tree, from.Items[i].Span, "left out")
		}
	}
}

// texts are the entries of a list at some places in it, as written.
func texts(list *effective.RuleList, at []int) []string {
	words := make([]string, len(at))
	for i, n := range at {
		words[i] = list.Items[n].Text
	}
	return words
}

// same tells whether two entries say the same about the same tools.
func same(a, b gate.Rule) bool {
	return a.Kind == b.Kind && a.Subject == b.Subject && a.Scoped == b.Scoped && a.Pattern == b.Pattern
}
