package symbols

import (
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/compile"
)

// names is what a unit declares, by name, as far as references are looked up
// through it. Of two declarations with one name the first counts, as in
// ir/scope; unlike there, what could not be read is kept.
type names struct {
	nodes      map[string]*compile.NodePart
	groups     map[string]*group
	uses       map[string]string // the group's name by prefix
	schemas    map[string]*ir.Schema
	loops      map[string][]*ir.Schema // what the sources of a loop's edges give
	foreaches  map[string]bool
	publishers map[string][]*ir.Schema      // what the publishers of an artifact give
	waits      map[string]*ir.Schema        // what waits for an event take
	prompts    map[string][]place           // who reads a prompt
	texts      map[string][]compile.TextUse // of prompts
	servers    map[string]bool
	vars       map[string]bool
	entry      *compile.NodePart // where a run starts
}

// group is a group with its members by name.
type group struct {
	part    *compile.Part
	members map[string]*compile.NodePart
}

func (g *group) name() string {
	if g == nil || g.part == nil {
		return ""
	}
	return g.part.Decl.Name
}

// place is where a text stands, which decides what its names refer to.
type place struct {
	group   *group     // its members are known by their bare names; nil outside
	input   *ir.Schema // of what `input` reads; nil when nobody says
	binding Symbol     // the item that `input` may read behind a router
	launch  bool       // `input` reads the variables too
}

func namesOf(r *build.Result) *names {
	n := &names{
		nodes: map[string]*compile.NodePart{}, groups: map[string]*group{}, uses: map[string]string{},
		schemas: map[string]*ir.Schema{}, loops: map[string][]*ir.Schema{}, foreaches: map[string]bool{},
		publishers: map[string][]*ir.Schema{}, waits: map[string]*ir.Schema{}, prompts: map[string][]place{},
		texts: map[string][]compile.TextUse{}, servers: map[string]bool{}, vars: map[string]bool{},
	}
	for _, f := range r.Files {
		for _, p := range f.Parts {
			n.declare(p)
		}
	}
	if w := r.Scope.Workflow; w != nil {
		n.entry = n.find(nil, strings.Split(w.Workflow.Entry.V, ".")).node
	}
	for _, f := range r.Files {
		for _, p := range f.Parts {
			n.relate(p)
		}
	}
	return n
}

// declare files what one declaration names.
func (n *names) declare(p *compile.Part) {
	name := p.Decl.Name
	switch {
	case p.Node != nil:
		first(n.nodes, name, p.Node)
	case p.Schema != nil:
		first(n.schemas, name, p.Schema)
	case p.Prompt != nil:
		first(n.texts, name, p.Texts)
	case p.Group != nil:
		first(n.groups, name, groupOf(p))
	case p.Use != nil:
		first(n.uses, p.Use.Prefix.Name, p.Use.Group.Name)
	case p.Server != nil:
		n.servers[name] = true
	}
	for _, v := range p.Vars {
		n.vars[v.Name] = true
	}
}

func first[T any](m map[string]T, key string, v T) {
	if _, taken := m[key]; !taken && key != "" {
		m[key] = v
	}
}

func groupOf(p *compile.Part) *group {
	g := &group{part: p, members: make(map[string]*compile.NodePart, len(p.Group.Nodes))}
	for _, member := range p.Group.Nodes {
		first(g.members, member.Node.Name, member)
	}
	return g
}

// relate notes what a declaration has to do with others.
func (n *names) relate(p *compile.Part) {
	switch {
	case p.Node != nil:
		n.consumer(nil, p.Node)
	case p.Group != nil:
		g := n.groups[p.Decl.Name]
		for _, member := range p.Group.Nodes {
			n.consumer(g, member)
		}
		n.edges(g, p.Edges)
	case p.Supervisor != nil:
		if system := p.Supervisor.System; system.Set() && !system.V.Inline {
			n.reader(system.V.Name, place{})
		}
	case p.Workflow != nil:
		n.edges(nil, p.Edges)
	}
}

// consumer notes what a node publishes, waits for and which prompts it reads.
func (n *names) consumer(g *group, node *compile.NodePart) {
	output := n.schema(node.Common.Output)
	if node.Publish.Set() {
		n.publishers[node.Publish.V] = append(n.publishers[node.Publish.V], output)
	}
	if node.Wait != nil && output != nil {
		first(n.waits, node.Wait.Event.V, output)
	}
	for name := range compile.PromptNames(node.Node) {
		n.reader(name, n.inside(g, node))
	}
}

func (n *names) reader(prompt string, p place) {
	if !slices.Contains(n.prompts[prompt], p) {
		n.prompts[prompt] = append(n.prompts[prompt], p)
	}
}

func (n *names) edges(g *group, edges []compile.EdgePart) {
	for i := range edges {
		e := &edges[i]
		if e.Loop != nil {
			n.loops[e.Loop.Name] = append(n.loops[e.Loop.Name], n.outputOf(g, e.From))
		}
		if e.Foreach != nil {
			n.foreaches[e.Foreach.Name] = true
		}
	}
}

// schema returns the schema that a property names, nil for none.
func (n *names) schema(name ir.Opt[string]) *ir.Schema { return n.schemas[name.V] }

// outputOf returns the schema of what an edge's source gives.
func (n *names) outputOf(g *group, id string) *ir.Schema {
	if node := n.find(g, strings.Split(id, ".")).node; node != nil {
		return n.schema(node.Common.Output)
	}
	return nil
}

// inside is the place of a node's own texts.
func (n *names) inside(g *group, node *compile.NodePart) place {
	return place{group: g, input: n.schema(node.Common.Input), launch: node == n.entry}
}

// along is the place of what stands on an edge from a node.
func (n *names) along(g *group, from found) place {
	p := place{group: g}
	if from.node != nil {
		p.input, p.binding = n.schema(from.node.Common.Output), bindingOf(from)
	}
	return p
}

// bindingOf is the name under which the branches of a router read their item.
func bindingOf(f found) Symbol {
	if f.node == nil || f.node.Router == nil || !f.node.Router.As.Set() {
		return Symbol{}
	}
	return Symbol{Binding, owner(f.group, f.node.Name), f.node.Router.As.V}
}

// owner names a node as the owner of others.
func owner(g *group, node string) string {
	if g == nil {
		return node
	}
	return g.name() + "." + node
}

// found is what a dotted path names: a node, perhaps behind the prefix of an
// instance.
type found struct {
	symbols [2]Symbol // one a segment; the second is none for a plain node
	used    int       // segments that belong to the node
	node    *compile.NodePart
	group   *group // of the node
}

// find resolves the beginning of a path. Members of the group come first, then
// members of an instance, then nodes.
func (n *names) find(g *group, path []string) found {
	name := path[0]
	if g != nil {
		if node := g.members[name]; node != nil {
			return found{[2]Symbol{{Node, g.name(), name}}, 1, node, g}
		}
	}
	node, instance := n.nodes[name], Symbol{Kind: Instance, Name: name}
	of, isPrefix := n.uses[name]
	in := n.groups[of]
	switch {
	case !isPrefix:
	case in != nil && len(path) > 1 && (node == nil || in.members[path[1]] != nil):
		return found{[2]Symbol{instance, {Node, of, path[1]}}, 2, in.members[path[1]], in}
	case node == nil:
		return found{[2]Symbol{instance}, min(len(path), 2), nil, nil}
	}
	return found{[2]Symbol{{Kind: Node, Name: name}}, 1, node, nil}
}

// part is the declaration of a node, nil for none.
func (n *names) part(s Symbol) *compile.NodePart {
	if s.Owner == "" {
		return n.nodes[s.Name]
	}
	if g := n.groups[s.Owner]; g != nil {
		return g.members[s.Name]
	}
	return nil
}
