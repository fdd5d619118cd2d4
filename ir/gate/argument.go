package gate

import (
	"path"
	"slices"
	"strings"

	"iterion/ir/tools"
)

// argument is the part of a call that patterns are tried on.
type argument interface {
	// closes tells whether a row's pattern meets the call in any spelling, and
	// which one it was.
	closes(r *boundRow) (candidate string, ok bool)
	// closingTexts and openingTexts add all texts that a pattern could meet.
	closingTexts(list []string) []string
	openingTexts(list []string) []string
	// opens finds the row of a list that opens the call, or the last of
	// several that open it together. Rows that open without looking are not
	// among them.
	opens(rows []*boundRow) (row *boundRow, candidate string)
	// names tells whether a row is this one call and no other.
	names(r *boundRow) bool
	// unread says why the call cannot be read, "" when it can. closed are the
	// rows with a pattern that bound the tool.
	unread(closed []*boundRow) string
}

// textArgument is a query, or the pairs of an input.
type textArgument struct {
	closing, opening string
	why              string // it cannot be read
}

func (t *textArgument) closes(r *boundRow) (string, bool) { return t.closing, r.text.closes(t.closing) }

func (t *textArgument) closingTexts(list []string) []string { return append(list, t.closing) }

func (t *textArgument) openingTexts(list []string) []string { return append(list, t.opening) }

func (t *textArgument) opens(rows []*boundRow) (*boundRow, string) {
	if t.why != "" {
		return nil, ""
	}
	for _, r := range rows {
		if r.text.opens(t.opening, len(t.opening)) {
			return r, t.opening
		}
	}
	return nil, ""
}

func (t *textArgument) names(r *boundRow) bool {
	return t.why == "" && r.text.exact() && r.text.head == t.opening
}

func (t *textArgument) unread([]*boundRow) string { return t.why }

// urlArgument is an address to fetch.
type urlArgument struct {
	*address
	why string
}

func (u *urlArgument) closes(r *boundRow) (string, bool) { return u.raw, r.web.closes(u.address) }

func (u *urlArgument) closingTexts(list []string) []string { return append(list, u.raw) }

func (u *urlArgument) openingTexts(list []string) []string { return append(list, u.raw) }

func (u *urlArgument) opens(rows []*boundRow) (*boundRow, string) {
	for _, r := range rows {
		if u.why == "" && r.web.opens(u.address) || u.names(r) {
			return r, u.raw
		}
	}
	return nil, ""
}

func (u *urlArgument) names(r *boundRow) bool { return r.web.names(u.address) }

func (u *urlArgument) unread([]*boundRow) string { return u.why }

// pathArgument is the files of a call.
type pathArgument struct {
	files []*filePath
	why   string
}

func (p *pathArgument) closes(r *boundRow) (string, bool) {
	for _, f := range p.files {
		if r.path.closes(f) {
			return f.text, true
		}
	}
	return "", false
}

func (p *pathArgument) closingTexts(list []string) []string { return closingOf(p.files, list) }

func (p *pathArgument) openingTexts(list []string) []string { return openingOf(p.files, list) }

func (p *pathArgument) opens(rows []*boundRow) (*boundRow, string) {
	if p.why != "" || len(p.files) == 0 {
		return nil, ""
	}
	var last *boundRow
	for _, f := range p.files {
		if last = openedBy(rows, f); last == nil {
			return nil, ""
		}
	}
	return last, p.files[0].text
}

func openedBy(rows []*boundRow, f *filePath) *boundRow {
	for _, r := range rows {
		if r.path.opens(f) {
			return r
		}
	}
	return nil
}

func (p *pathArgument) names(r *boundRow) bool {
	return p.why == "" && len(p.files) == 1 && r.path.exact && r.path.opens(p.files[0])
}

func (p *pathArgument) unread([]*boundRow) string { return p.why }

// searchArgument is a search: its pattern, and the folder where it begins.
type searchArgument struct {
	pattern string
	roots   []*filePath // where it begins, by each reading; for closing also where it starts to look
	starts  []*filePath
	climbs  bool // a glob that may leave the folder its text begins with
	why     string
}

func (s *searchArgument) closes(r *boundRow) (string, bool) {
	if !r.search.onlyRoot && r.search.text.closes(s.pattern) {
		return s.pattern, true
	}
	for _, list := range [][]*filePath{s.roots, s.starts} {
		for _, f := range list {
			if r.search.root.closes(f) {
				return "path:" + f.text, true
			}
		}
	}
	return "", false
}

func (s *searchArgument) closingTexts(list []string) []string {
	return closingOf(s.starts, closingOf(s.roots, append(list, s.pattern)))
}

func (s *searchArgument) openingTexts(list []string) []string {
	return openingOf(s.roots, append(list, s.pattern))
}

func (s *searchArgument) opens(rows []*boundRow) (*boundRow, string) {
	if s.why != "" {
		return nil, ""
	}
	for _, r := range rows {
		if r.search.onlyRoot && all(s.roots, r.search.root.opens) {
			return r, "path:" + s.roots[0].text
		}
		if !r.search.onlyRoot && !s.climbs && r.search.text.opens(s.pattern, len(s.pattern)) && all(s.roots, (*filePath).within) {
			return r, s.pattern
		}
	}
	return nil, ""
}

func all(files []*filePath, fits func(*filePath) bool) bool {
	for _, f := range files {
		if !fits(f) {
			return false
		}
	}
	return len(files) > 0
}

// within tells whether every reading of a path lies inside the workspace.
func (f *filePath) within() bool {
	for _, real := range f.opened {
		if _, ok := f.place.relative(real); !ok {
			return false
		}
	}
	return len(f.opened) > 0
}

func (s *searchArgument) names(*boundRow) bool { return false }

func (s *searchArgument) unread([]*boundRow) string { return s.why }

// searchPattern is a pattern over searches.
type searchPattern struct {
	onlyRoot bool // `path:…`
	text     textPattern
	root     *pathPattern
}

func (p *place) compileSearch(pattern string, closing bool) *searchPattern {
	root, only := strings.CutPrefix(pattern, "path:")
	return &searchPattern{onlyRoot: only, text: compileText(pattern), root: p.compilePath(root, closing)}
}

// newArgument reads the part of a call that the tool's patterns are tried on.
func (g *Gate) newArgument(t *tools.Tool, a *arguments, h *held) argument {
	switch subjectOf(t) {
	case tools.Command, tools.Code:
		return g.newCommand(t, a, h)
	case tools.Path:
		return g.newFiles(t, a)
	case tools.Directory:
		return g.newFolder(a)
	case tools.Search:
		return g.newSearch(t, a)
	case tools.URL:
		text, ok := a.text("url")
		u := &urlArgument{address: newAddress(text)}
		switch {
		case !ok:
			u.why = "it carries no `url` that is a text"
		case u.host == "":
			u.why = "its `url` is no http or https address with a host"
		}
		return u
	case tools.Query:
		text, ok := a.text("query")
		q := &textArgument{closing: text, opening: text}
		if !ok {
			q.why = "it carries no `query` that is a text"
		}
		return q
	}
	pairs := &textArgument{closing: a.pairs(false), opening: a.pairs(true)}
	if a.unread {
		pairs.why = "its input is no object with each key once"
	}
	return pairs
}

func subjectOf(t *tools.Tool) tools.Subject {
	if t == nil {
		return tools.Input
	}
	return t.Subject
}

const noPath = "it carries no path that is a text"

func (g *Gate) newFiles(t *tools.Tool, a *arguments) argument {
	p := &pathArgument{}
	list, ok := a.filePaths()
	for _, text := range list {
		p.files = append(p.files, g.place.newPath(text))
	}
	if t.Key == "edit" {
		for _, names := range a.patched(len(list) > 0) {
			ok = !a.unread && (ok || len(list) == 0)
			for _, name := range names {
				p.files = append(p.files, g.place.newPath(name))
			}
		}
	}
	if !ok {
		p.why = noPath
	}
	return p
}

func (g *Gate) newFolder(a *arguments) argument {
	p := &pathArgument{}
	list, ok := a.filePaths()
	if len(list) == 0 && !a.mentionsPath() && !a.unread {
		list, ok = []string{"."}, true
	}
	for _, text := range list {
		p.files = append(p.files, g.place.newPath(text))
	}
	if !ok {
		p.why = noPath
	}
	return p
}

// mentionsPath tells whether the input has a key for a path, whatever it holds.
func (a *arguments) mentionsPath() bool {
	return slices.ContainsFunc(a.fields, func(f field) bool { return f.key == "paths" || slices.Contains(pathKeys, f.key) })
}

func (g *Gate) newSearch(t *tools.Tool, a *arguments) argument {
	s := &searchArgument{}
	s.pattern, _ = a.text("pattern", "query", "regex")
	list, ok := a.filePaths()
	if len(list) == 0 && !a.mentionsPath() && !a.unread {
		list, ok = []string{"."}, true
	}
	if !ok {
		s.why = noPath
	}
	for _, text := range list {
		start := g.place.newPath(text)
		if t.Key != "glob" {
			s.roots = append(s.roots, start)
			continue
		}
		s.starts = append(s.starts, start)
		s.climbs = mayClimb(s.pattern)
		for _, root := range globRoots(text, s.pattern) {
			s.roots = append(s.roots, g.place.newPath(root))
		}
	}
	return s
}

// globRoots are the folders where a glob that starts in a folder begins to look:
// where what stands before its first wildcard leads. One that climbs behind a
// wildcard may lead anywhere.
func globRoots(start, pattern string) []string {
	list, ok := alternatives(pattern)
	if !ok {
		return []string{"/"}
	}
	var roots []string
	for _, p := range list {
		at := strings.IndexAny(p, "*?[\\")
		static := p
		if at >= 0 {
			static = p[:at]
			if climbsBehind(p[at:]) {
				roots = append(roots, "/")
				continue
			}
			static = static[:strings.LastIndexByte(static, '/')+1]
		}
		switch {
		case path.IsAbs(static), strings.HasPrefix(static, "~/"):
			roots = append(roots, static)
		case static == "":
			roots = append(roots, start)
		default:
			roots = append(roots, start+"/"+static)
		}
	}
	return roots
}

// mayClimb tells whether a glob may hold a part `..`, spelt in whatever way.
func mayClimb(glob string) bool {
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]{}()@!+|,\`, r) {
			return -1
		}
		return r
	}, glob)
	return strings.Contains(bare, "..")
}

func climbsBehind(rest string) bool {
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." {
			return true
		}
	}
	return false
}
