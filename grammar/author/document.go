package author

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"iterion/grammar/schema"
)

// sections are the keys of a document that are no block or kind of the table.
var sections = []string{"dsl", "catalog", "imports", "groups", "uses", "nodes", "workflow"}

// document spells the whole: the head, then the sections as they stand.
func (s *speller) document(root *node) {
	dsl := root.get("dsl")
	switch {
	case dsl == nil:
		s.doc.fail("E052", root.first(), "the document has no `dsl:`", "")
		return
	case dsl.shape != number || dsl.value != "1" && dsl.value != "2":
		s.doc.fail("E040", dsl.span, "this build reads the profiles 1 and 2, not "+dsl.describe(), "")
		return
	}
	s.complete, s.strict = true, dsl.value == "2"
	s.catalog(root.get("catalog"))
	s.put("dsl: ", dsl.span)
	s.bare(dsl)
	s.glue("\n\n")
	s.imports(root.get("imports"))
	for _, p := range root.pairs {
		s.section(p)
	}
}

// section spells a part of the document below the head.
func (s *speller) section(p pair) {
	key := p.key.value
	named := schema.Lookup(strings.TrimSuffix(key, "s"))
	switch block := schema.Lookup(key); {
	case key == "dsl", key == "catalog", key == "imports":
	case key == "groups":
		s.list(p.value, s.group)
	case key == "uses":
		s.list(p.value, s.use)
	case key == "nodes":
		s.list(p.value, func(n *node) {
			s.node(n, 0)
			s.glue("\n")
		})
	case key == "workflow":
		s.workflow(p)
	case block != nil && isBlock(block):
		s.put(key, p.key.span)
		s.glue(":")
		s.entries(block, p.value)
	case named != nil && isNamed(named) && key != named.Name:
		s.named(named, p.value)
	default:
		s.unknown(p.key, "the document", keys())
	}
}

func isBlock(k *schema.Kind) bool { return !k.Named && k.Entry != nil }
func isNamed(k *schema.Kind) bool { return k.Named && !k.Node && k.Members == 0 }

// keys are all keys of a document.
func keys() []string {
	list := slices.Clone(sections)
	for _, k := range schema.Kinds() {
		switch {
		case isBlock(k):
			list = append(list, k.Name)
		case isNamed(k):
			list = append(list, k.Name+"s")
		}
	}
	return list
}

// list calls spell for each mapping of a list.
func (s *speller) list(n *node, spell func(*node)) {
	if n.shape != list {
		s.wrong(n, "a list of mappings")
		s.glue("\n")
	}
	for _, item := range n.items {
		if item.shape == mapping {
			spell(item)
			continue
		}
		s.wrong(item, "a mapping")
		s.glue("\n")
	}
}

// entries spells a block that stands once: vars, presets …
func (s *speller) entries(kind *schema.Kind, n *node) {
	if n.shape != mapping {
		s.glue(" ")
		s.wrong(n, "a mapping by name")
		s.glue("\n")
		return
	}
	s.block(kind, n, 1)
	s.glue("\n")
}

// named spells the declarations of a kind, by name.
func (s *speller) named(kind *schema.Kind, n *node) {
	if n.shape != mapping {
		s.wrong(n, "a mapping by name")
		s.glue("\n")
	}
	for _, p := range n.pairs {
		s.put(kind.Name, p.key.span)
		s.glue(" ")
		s.key(schema.IdentKey, p.key)
		s.glue(":")
		switch {
		case kind.Name == "prompt":
			s.body(p.value)
			s.glue("\n")
		case p.value.shape != mapping:
			s.glue(" ")
			s.wrong(p.value, "a mapping")
			s.glue("\n")
		default:
			s.block(kind, p.value, 1)
		}
		s.glue("\n")
	}
}

// node spells `{KIND: name, property: …}`.
func (s *speller) node(n *node, level int) {
	at := slices.IndexFunc(n.pairs, func(p pair) bool {
		k := schema.Lookup(p.key.value)
		return k != nil && k.Node
	})
	s.indent(level, n.span)
	if at < 0 {
		s.refuse("E051", n.span, "this node names no kind", "Start with a kind and the node's name, such as `agent: reviewer`.")
		s.glue("\n")
		return
	}
	head := n.pairs[at]
	s.put(head.key.value, head.key.span)
	s.glue(" ")
	s.word(head.value, isIdent, "a name")
	s.glue(":")
	s.block(schema.Lookup(head.key.value), n, level+1, head.key.value)
}

// The keys of a group and of its use.
var (
	groupKeys = []string{"group", "params", "nodes", "edges"}
	useKeys   = []string{"use", "as", "with"}
)

// group spells `{group, params, nodes, edges}`.
func (s *speller) group(n *node) {
	s.start(n, "group")
	if params := n.get("params"); params != nil {
		s.params(params)
	}
	s.glue(":")
	s.strangers(n, "group", groupKeys)
	s.glue("\n")
	before := len(s.out)
	if nodes := n.get("nodes"); nodes != nil {
		s.list(nodes, func(n *node) { s.node(n, 1) })
	}
	s.edgeLines(n.get("edges"))
	if len(s.out) == before {
		s.glue("\n")
	}
	s.glue("\n")
}

// start writes a keyword and the name that it has in a mapping.
func (s *speller) start(n *node, keyword string) {
	s.put(keyword, n.first())
	s.glue(" ")
	s.nameAt(n, keyword, keyword)
}

func (s *speller) params(n *node) {
	s.glue("(")
	if n.shape != list {
		s.wrong(n, "a list of names")
	}
	for i, p := range n.items {
		if i > 0 {
			s.glue(", ")
		}
		s.word(p, isIdent, "a name")
	}
	s.glue(")")
}

// use spells `{use, as, with}`.
func (s *speller) use(n *node) {
	s.start(n, "use")
	s.glue(" as ")
	s.nameAt(n, "use", "as")
	if with := n.get("with"); with != nil && (with.shape != mapping || len(with.pairs) > 0) {
		s.glue(" with ")
		s.with(with)
	}
	s.strangers(n, "use", useKeys)
	s.glue("\n\n")
}

// nameAt writes the name at a key that a mapping needs.
func (s *speller) nameAt(n *node, of, key string) {
	if name := n.get(key); name != nil {
		s.word(name, isIdent, "a name")
		return
	}
	s.refuse("E051", n.first(), fmt.Sprintf("`%s` needs the key `%s`", of, key), "")
}

// workflow spells the workflow: its properties, then its edges.
func (s *speller) workflow(p pair) {
	s.put("workflow", p.key.span)
	s.glue(" ")
	if p.value.shape != mapping {
		s.wrong(p.value, "a mapping")
		s.glue("\n")
		return
	}
	if name := p.value.get("name"); name != nil {
		s.word(name, isIdent, "a name")
	} else {
		s.refuse("E051", p.key.span, "the workflow has no `name`", "")
	}
	s.glue(":\n")
	before := len(s.out)
	s.members(schema.Lookup("workflow"), p.value, 1, "name", "edges")
	s.glue("\n")
	s.edgeLines(p.value.get("edges"))
	if len(s.out) == before+1 {
		s.glue("\n")
	}
}

// edgeLines writes edges, which are lines of a `.bot` in a document too.
func (s *speller) edgeLines(n *node) {
	if n == nil {
		return
	}
	if n.shape != list {
		s.indent(1, n.span)
		s.wrong(n, "a list of edges")
		s.glue("\n")
	}
	for _, e := range n.items {
		s.indent(1, e.span)
		s.edge(e)
		s.glue("\n")
	}
}

func (s *speller) edge(n *node) {
	line := strings.TrimSpace(n.value)
	switch {
	case n.shape != text || line == "":
		s.wrong(n, "an edge such as `a -> b`")
		return
	case !s.reread(n):
		s.hole(n.span)
		return
	case strings.Contains(line, "\r"):
		s.refuse("E053", n.span, "no edge can hold a carriage return", "Take it out.")
		return
	}
	from := strings.Index(n.value, line)
	start, raw := len(s.out), false
	for i := from; i < from+len(line); i++ {
		s.put(n.value[i:i+1], n.places[i])
		switch c := n.value[i]; {
		case c == '`':
			raw = !raw // where a comment misleads this, the proof refuses the edge
		case c == '\n' && !raw:
			s.indent(1, n.places[i])
		}
	}
	s.edges = append(s.edges, meaning{span{start, len(s.out)}, line})
}

// imports spells the list of imported paths.
func (s *speller) imports(n *node) {
	if n == nil {
		return
	}
	if n.shape != list {
		s.wrong(n, "a list of paths")
		s.glue("\n")
	}
	for _, path := range n.items {
		s.indent(0, path.span)
		s.put("import", path.span)
		s.glue(" ")
		s.scalar(schema.QStr, path, inline)
		s.glue("\n")
	}
	s.glue("\n")
}

// catalogKeys are what a catalog says of a bot, and whether that is a list.
var catalogKeys = map[string]bool{"name": false, "description": false, "triggers": true, "capabilities": true}

// catalog spells the frontmatter: comments that hold YAML.
func (s *speller) catalog(n *node) {
	if n == nil {
		return
	}
	if n.shape != mapping {
		s.doc.fail("E051", n.span, "expected a mapping, found "+n.describe(), "")
		return
	}
	s.put("## ---\n", n.first())
	for _, p := range n.pairs {
		isList, known := catalogKeys[p.key.value]
		switch written, ok := frontmatter(p.value, isList); {
		case !known:
			s.unknown(p.key, "the catalog", []string{"name", "description", "triggers", "capabilities"})
		case !ok:
			s.doc.fail("E051", p.value.span, "expected a text, or a list of texts for several, found "+p.value.describe(), "")
		default:
			s.put("## "+p.key.value+": "+written+"\n", cover(p.key.span, p.value.span))
		}
	}
	s.put("## ---\n\n", n.span)
}

// frontmatter writes a value as YAML on one line.
func frontmatter(n *node, isList bool) (string, bool) {
	if !isList {
		return quoteYAML(n.value), n.shape == text
	}
	words := make([]string, len(n.items))
	for i, item := range n.items {
		if words[i] = quoteYAML(item.value); item.shape != text {
			return "", false
		}
	}
	return "[" + strings.Join(words, ", ") + "]", n.shape == list
}

// plainYAML is what every reader of YAML takes for a text, otherYAML what some
// take for a bool or nothing.
var (
	plainYAML = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9 _./-]*[A-Za-z0-9_./-])?$`) })
	otherYAML = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`) })
)

// quoteYAML spells a text plainly where every reader takes it for a text. The
// escapes of Go are escapes of YAML too.
func quoteYAML(value string) string {
	if plainYAML().MatchString(value) && !otherYAML().MatchString(value) {
		return value
	}
	return strconv.Quote(value)
}
