package gate

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"iterion/ir/tools"
)

// boundRow is a row with its pattern compiled for the tool that it is about.
// Which of the patterns is set follows from the tool's subject.
type boundRow struct {
	*Row
	order  int  // in its list
	open   bool // it needs no look at the input: no pattern, or a lone wildcard
	bare   bool // it is the tool's name alone
	text   textPattern
	path   *pathPattern
	search *searchPattern
	web    *webPattern
}

// toolRows are the rows of a policy that are about one tool.
type toolRows struct {
	lists   [3]rowList
	closing []*boundRow // those of the closing lists that look
	// bounded: a closing row with a pattern covers the tool, so that a call of
	// it which cannot be read must not be opened by rows that do not look.
	bounded bool
}

// rowList is a list's rows about one tool, in order: those that do not look at
// the input, and those that do.
type rowList struct {
	open   []*boundRow
	scoped []*boundRow
	index  *index // of scoped; nil for few
}

// identity is which tool a call is of.
type identity struct {
	tool *tools.Tool // nil for a tool that the catalogue does not know
	name string      // the catalogue's key, or the name in lower case
	mcp  tools.MCP   // of an MCP tool
	ours bool        // it is an MCP tool
}

func identify(name string) identity {
	if t := tools.Lookup(name); t != nil {
		return identity{tool: t, name: t.Key}
	}
	if mcp, ok := tools.SplitMCP(name); ok && mcp.Tool != "" {
		return identity{name: strings.ToLower(mcp.Name()), mcp: mcp, ours: true}
	}
	return identity{name: strings.ToLower(name)}
}

// covers tells whether a row, closing, is about the tool.
func (id *identity) covers(r *Rule) bool {
	switch {
	case id.tool != nil:
		return r.Covers(id.tool)
	case r.Kind == Class:
		return false
	case r.Kind == Glob:
		return matches(r.Subject, id.name) || id.ours && matches(dotted(r.Subject), id.name)
	}
	return strings.EqualFold(r.Subject, id.name)
}

// dotted is a glob over MCP tools that is written with dots, as calls are
// compared.
func dotted(glob string) string {
	if mcp, ok := tools.SplitMCP(glob); ok && mcp.Tool != "" {
		return mcp.Name()
	}
	return glob
}

// opens tells whether a row, opening, is about the tool. Of an MCP tool the
// server and the tool are met apart, and in their own case.
func (id *identity) opens(r *Rule) bool {
	switch {
	case id.tool != nil:
		return r.Opens(id.tool)
	case r.Kind == Class:
		return false
	case !id.ours && r.Kind == Glob:
		return matches(r.Subject, id.name)
	case !id.ours:
		return r.Subject == id.name
	case isLoneWildcard(r.Subject):
		return true
	}
	row, ok := tools.SplitMCP(r.Subject)
	if !ok || row.Tool == "" {
		return false
	}
	if r.Kind == Glob {
		return matchesCase(row.Server, id.mcp.Server) && matchesCase(row.Tool, id.mcp.Tool)
	}
	return row == id.mcp
}

// exempt tells whether the tool is the run's own plumbing.
func exempt(name string, id *identity) bool {
	if id.tool != nil {
		return id.tool.Exempt
	}
	if id.ours {
		return ReservedServer(id.mcp.Server)
	}
	rest, ok := strings.CutPrefix(name, "mcp_")
	return ok && strings.HasPrefix(rest, "iterion_") && !strings.HasPrefix(rest, "iterion__")
}

// ReservedServer tells whether an MCP server's name is one of the run's own.
func ReservedServer(name string) bool {
	switch name {
	case "iterion", "iterion_board", "iterion_control", "iterion_watch":
		return true
	}
	return false
}

// mostTools bounds the tools whose rows are kept: a model may invent any
// number of names.
const mostTools = 256

// rowCache keeps the rows by tool name as called.
type rowCache struct {
	mu   sync.Mutex // of those who add
	rows atomic.Pointer[map[string]*cachedRows]
}

type cachedRows struct {
	id     identity
	exempt bool
	rows   *toolRows
	writes *toolRows // about writing files, of a tool that runs code
}

// rowsOf finds the rows about a tool.
func (g *Gate) rowsOf(name string) *cachedRows {
	if c := (*g.cache.rows.Load())[name]; c != nil {
		return c
	}
	c := &cachedRows{id: identify(name)}
	c.exempt = exempt(name, &c.id)
	c.rows = g.bind(&c.id)
	if c.id.tool != nil && c.id.tool.Can&tools.RunsCode != 0 {
		c.writes = g.rowsOf("write").rows
	}
	g.cache.add(name, c)
	return c
}

// add keeps the rows of a name. The map is replaced, so that who reads it need
// not wait.
func (c *rowCache) add(name string, rows *cachedRows) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := *c.rows.Load()
	if len(old) >= mostTools {
		return
	}
	next := maps.Clone(old)
	next[name] = rows
	c.rows.Store(&next)
}

// bind compiles the rows that are about a tool.
func (g *Gate) bind(id *identity) *toolRows {
	t := &toolRows{}
	for _, k := range Kinds() {
		list := &t.lists[k]
		about := id.covers
		if k == AllowList {
			about = id.opens
		}
		for i := range g.policy.Rows[k] {
			row := &g.policy.Rows[k][i]
			if !about(&row.Rule) {
				continue
			}
			b := g.boundRow(row, id, i, k != AllowList)
			if b.open {
				list.open = append(list.open, b)
			} else {
				list.scoped = append(list.scoped, b)
			}
			t.bounded = t.bounded || k != AllowList && row.Scoped && !b.open
		}
		list.build(k != AllowList)
		if k != AllowList {
			t.closing = append(t.closing, list.scoped...)
		}
	}
	return t
}

func (g *Gate) boundRow(row *Row, id *identity, order int, closing bool) *boundRow {
	b := &boundRow{Row: row, order: order, bare: row.Kind == OneTool && !row.Scoped}
	if !row.Scoped {
		b.open = true
		return b
	}
	switch subjectOf(id.tool) {
	case tools.Path, tools.Directory:
		b.path = g.place.compilePath(row.Pattern, closing)
		b.open = b.path.wild
	case tools.Search:
		b.search = g.place.compileSearch(row.Pattern, closing)
		b.open = b.search.root.wild
	case tools.URL:
		b.web = compileWeb(row.Pattern)
		b.open = b.web.wild
	default:
		b.text = compileText(row.Pattern)
		b.open = b.text.wild
	}
	return b
}

// matchesCase is matches with the case counted.
func matchesCase(glob, name string) bool {
	p := compileGlob(glob)
	return p.wild || p.opens(name, len(name))
}
