package feature

import (
	"strings"

	"iterion/grammar/lexer"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/grammar/token"
	"iterion/ir/build"
	"iterion/ir/scope"
	"iterion/lsp/session"
)

// site is where a cursor stands, as far as the text tells: a line that is being
// typed has no tree worth the name. Offsets are bytes of the file.
type site struct {
	file   *session.File
	unit   *session.Unit
	parsed *build.File
	scope  *scope.Scope
	text   string
	at     int // the cursor
	margin int // start of its line

	lines  []codeLine // of the declaration around it
	words  []lexeme   // of its logical line, those that begin before it
	levels []level    // the blocks around its line, outermost first
	parent int        // index in lines of the line that it stands under, -1 for none

	literal *lexeme // the text that holds it: a string, a raw, a scalar or a prompt's body
	comment bool
}

// level is a block with the line that opens it.
type level struct {
	kind *schema.Kind
	line *codeLine
}

// siteAt finds out where an offset stands. It is nil in what is no `.bot` text.
func siteAt(f *session.File, at int) *site {
	unit := f.Unit()
	parsed := f.Parsed(unit)
	if parsed == nil {
		return nil
	}
	s := &site{file: f, unit: unit, parsed: parsed, scope: unit.Result().Scope, text: f.Text, at: at, parent: -1}
	s.margin = strings.LastIndexByte(s.text[:at], '\n') + 1
	s.read(s.region())
	s.place()
	return s
}

// region is where the declaration begins that the cursor stands in or behind.
func (s *site) region() int {
	f := s.parsed.AST
	tree, base := session.DeclarationAt(f, s.at)
	if tree == nil {
		return 0
	}
	start := base + int(tree.Root().Start)
	if s.at > start {
		return start
	}
	if tree, base = session.DeclarationAt(f, base-1); tree != nil {
		return base + int(tree.Root().Start)
	}
	return s.at
}

// place finds the cursor among the lines.
func (s *site) place() {
	s.nest()
	current := s.current()
	col := s.column()
	before := len(s.lines)
	for before > 0 && s.lines[before-1].words[0].start >= s.margin {
		before--
	}
	if current >= 0 {
		col, before = s.lines[current].col, current
		for i, w := range s.lines[current].words {
			if w.start < s.at {
				s.words = s.lines[current].words[:i+1]
			}
			if w.holds(s.at) {
				s.literal = &s.lines[current].words[i]
			}
		}
	}
	if s.literal == nil && before > 0 {
		s.below(&s.lines[before-1], col)
	}
	if s.literal == nil && strings.HasPrefix(strings.TrimLeft(s.text[s.margin:s.at], " \t"), "#") {
		s.comment = true
	}
	s.enclose(before, col)
}

// current is the logical line that the cursor stands in, -1 when it is on a
// line without code. An open brace or bracket holds what is deeper below it.
func (s *site) current() int {
	for i := len(s.lines) - 1; i >= 0; i-- {
		l := &s.lines[i]
		switch {
		case l.words[0].start > s.at:
		case s.margin <= l.words[0].start, s.at <= l.end && l.open(s.at) || l.inside(s.at):
			return i
		default:
			if blank(s.text[s.margin:s.at]) && l.open(s.at) && s.column() > l.col {
				return i
			}
			return -1
		}
	}
	return -1
}

func blank(text string) bool { return strings.Trim(text, " \t") == "" }

// column is how far the cursor's line is indented, or will be.
func (s *site) column() int {
	rest := s.text[s.margin:]
	n := len(rest) - len(strings.TrimLeft(rest, " \t"))
	if blank(s.text[s.margin:s.at]) && (n == len(rest) || rest[n] == '\n') {
		return s.at - s.margin
	}
	return n
}

// below takes a line without code that goes on a scalar or a prompt's body.
func (s *site) below(l *codeLine, col int) {
	last := l.words[len(l.words)-1]
	if !blank(s.text[s.margin:s.at]) {
		return
	}
	switch {
	case last.kind == token.Scalar || last.kind == token.Body:
		if col >= literal.Indent(s.text[last.start:last.end]) {
			s.literal = &lexeme{last.kind, s.at, s.at}
		}
	case last.kind == token.BadScalar && col > l.col:
		s.literal = &lexeme{token.Scalar, s.at, s.at}
	case last.kind == token.Head && l.col == 0 && s.first(l) == "prompt" && col > 0:
		s.literal = &lexeme{token.Body, s.at, s.at}
	}
	if s.literal == nil {
		return
	}
	s.words = append(l.words[:len(l.words):len(l.words)], *s.literal)
}

// enclose collects the blocks around a line at a column that comes behind the
// lines before it.
func (s *site) enclose(before, col int) {
	var chain []int
	for i := before - 1; i >= 0; i-- {
		if s.lines[i].col < col {
			col = s.lines[i].col
			chain = append(chain, i)
		}
	}
	if len(chain) > 0 {
		s.parent = chain[0]
	}
	var kind *schema.Kind
	for i := len(chain) - 1; i >= 0; i-- {
		l := &s.lines[chain[i]]
		inner := s.opens(kind, l)
		if inner == nil {
			if kind == nil {
				return
			}
			continue
		}
		kind = inner
		s.levels = append(s.levels, level{kind, l})
	}
}

// opens is the block that a line opens inside another one, nil for none.
func (s *site) opens(in *schema.Kind, l *codeLine) *schema.Kind {
	name := s.first(l)
	if in == nil {
		return schema.Lookup(name)
	}
	if p := in.Prop(name); p != nil {
		return p.Block
	}
	if in.Members&schema.Nodes != 0 && l.words[0].kind == token.Head {
		return schema.Lookup(name)
	}
	if in.Entry != nil {
		return in.Entry.Block
	}
	return nil
}

// first is the first name of a line, a quoted key without its quotes.
func (s *site) first(l *codeLine) string { return s.leading(l.words[0]) }

func (s *site) leading(w lexeme) string {
	text := strings.TrimPrefix(s.text[w.start:w.end], `"`)
	return text[:lexer.WordEnd(text, 0)]
}

// named is the name behind the keyword of a line that declares something.
func (s *site) named(l *codeLine) string {
	name := strings.TrimSpace(s.text[l.words[0].start:l.words[0].end])
	switch {
	case l.words[0].kind == token.Head:
		_, name, _ = strings.Cut(strings.ReplaceAll(strings.TrimSuffix(name, ":"), "\t", " "), " ")
	case len(l.words) > 1:
		name = s.text[l.words[1].start:l.words[1].end]
	}
	return strings.TrimSpace(name)
}

// kind is the block that the cursor's line is a member of, nil at the margin.
func (s *site) kind() *schema.Kind {
	if len(s.levels) == 0 {
		return nil
	}
	return s.levels[len(s.levels)-1].kind
}

// siblings are the first names of the lines beside the cursor's.
func (s *site) siblings() map[string]bool {
	set := map[string]bool{}
	for i := range s.lines {
		l := &s.lines[i]
		if on := s.margin <= l.words[0].start && l.words[0].start <= s.at; l.parent == s.under() && !on {
			set[s.first(l)] = true
		}
	}
	return set
}

// under is the line that opens the innermost block.
func (s *site) under() int {
	if len(s.levels) == 0 {
		return -1
	}
	inner := s.levels[len(s.levels)-1].line
	for i := range s.lines {
		if &s.lines[i] == inner {
			return i
		}
	}
	return -1
}

// key is the name before the colon that the line begins with, "" when there is
// none before the cursor.
func (s *site) key() string {
	if len(s.words) == 0 {
		return ""
	}
	switch w := s.words[0]; {
	case w.kind == token.Key && w.end <= s.at:
		return s.leading(w)
	case w.kind == token.String && len(s.words) > 1 && s.words[1].kind == token.Colon:
		return s.leading(w)
	case w.kind == token.Dash && s.parent >= 0:
		return s.first(&s.lines[s.parent])
	}
	return ""
}

// declaration is the node, workflow or other thing around the cursor: its kind
// and its name. Inside of a group it is the member.
func (s *site) declaration() (kind *schema.Kind, name string) {
	for i := len(s.levels) - 1; i >= 0; i-- {
		if l := s.levels[i]; l.kind.Node || i == 0 {
			return l.kind, s.named(l.line)
		}
	}
	return nil, ""
}

// group is the name of the group around the cursor, "" for none.
func (s *site) group() string {
	if len(s.levels) > 0 && s.levels[0].kind.Name == "group" {
		return s.named(s.levels[0].line)
	}
	return ""
}

// content is a text's part before the cursor, without its opening quote.
func (s *site) content() string {
	start := s.literal.start
	switch s.literal.kind {
	case token.String, token.BadString, token.Raw, token.BadRaw:
		start++
	}
	return s.text[min(start, s.at):s.at]
}

// partial is the range of the name that the cursor touches. more are
// characters that belong to it besides those of identifiers.
func (s *site) partial(more string) (start, end int) {
	in := func(c byte) bool {
		return c == '_' || c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(more, c) >= 0
	}
	start, end = s.at, s.at
	for start > s.margin && in(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && in(s.text[end]) {
		end++
	}
	return start, end
}

// before are the words of the line that end before an offset.
func (s *site) before(at int) []lexeme {
	list := s.words
	for len(list) > 0 && (list[len(list)-1].start >= at || list[len(list)-1].end > at) {
		list = list[:len(list)-1]
	}
	return list
}

func (s *site) slice(w lexeme) string { return s.text[w.start:w.end] }
