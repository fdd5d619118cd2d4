package check

import (
	"fmt"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/bundle"
	"iterion/ir/finding"
	"iterion/ir/routes"
	"iterion/ir/scope"
	"iterion/ir/tools"
)

// checkEngine: C250 and C251, the engine at hand is new enough for the bundle.
func checkEngine(c *Context) {
	m := c.bundle.Manifest
	if m == nil || m.Floor == "" || c.bundle.Engine == "" {
		return
	}
	v := m.Root.At("requires", "iterion")
	switch engine := c.bundle.Engine; {
	case !bundle.Orderable(engine):
		c.at("C251", v, "nobody can tell whether %q is %s or newer", engine, m.Floor)
	case bundle.CompareReleases(m.Floor, engine) > 0:
		c.at("C250", v, "this bundle needs %s or newer, and the engine is %s", m.Floor, engine)
	}
}

// floors says from which release on engines read what: a bundle that uses it
// asks for that release. The order is that of the releases.
var floors = []struct {
	what, release string
	first         func(*Context) *finding.Place // the first use in a program, nil for none
}{
	{"`dsl: 2`", "3.141.0", firstHeader},
	{"`import`", "3.145.0", firstImport},
	{"`contract`", "3.150.0", firstContract},
	{"other names of tools", "3.179.0", firstToolAlias},
	{"`tools: []`", "3.190.0", firstEmptyTools},
}

// checkFloor: C252, the manifest asks for an engine that reads the sources.
func checkFloor(c *Context) {
	floor := ""
	if c.bundle.Manifest != nil {
		floor = c.bundle.Manifest.Floor
	}
	var used []string
	var needed string
	var seen []finding.Place
	for _, f := range floors {
		if floor != "" && bundle.CompareReleases(f.release, floor) <= 0 {
			continue
		}
		if at := c.firstUse(f.first); at != nil {
			used, needed = append(used, fmt.Sprintf("%s (%s)", f.what, f.release)), f.release
			at.Label = "first used here: " + f.what
			seen = append(seen, *at)
		}
	}
	if used == nil {
		return
	}
	f := c.floorFinding(floor, strings.Join(used, ", "))
	f.Hintf("Declare `requires: { iterion: \">= %s\" }` in the manifest.", needed)
	f.Related = append(f.Related, seen...)
	f.Fix(diagnostics.RaiseEngineFloor, c.raise(needed)...)
}

// raise writes a floor into the manifest: in the place of the one that is
// there, else in a block at the end. Where `requires:` holds something else
// there is no edit.
func (c *Context) raise(floor string) []finding.Edit {
	m := c.bundle.Manifest
	if m == nil {
		return nil
	}
	if v := c.root().At("requires", "iterion"); v != nil {
		return []finding.Edit{finding.Replace(m.Tree, v.Span, fmt.Sprintf("\">= %s\"", floor))}
	}
	if c.root().Entry("requires") != nil {
		return nil
	}
	text := m.Source.Text
	block := fmt.Sprintf("requires:\n  iterion: \">= %s\"\n", floor)
	if text != "" && !strings.HasSuffix(text, "\n") {
		block = "\n" + block
	}
	end := uint32(len(text))
	return []finding.Edit{finding.Replace(m.Tree, source.Span{Start: end, End: end}, block)}
}

func (c *Context) firstUse(first func(*Context) *finding.Place) *finding.Place {
	for _, p := range c.bundle.Programs {
		if at := first(New(p.Scope, p.Main)); at != nil {
			return at
		}
	}
	return nil
}

// floorFinding stands at what the manifest asks for, else at its first line,
// else at the first line of the program.
func (c *Context) floorFinding(floor, used string) *finding.Finding {
	const path = "requires.iterion"
	switch v := c.root().At("requires", "iterion"); {
	case v != nil:
		return c.at("C252", v, "the sources use what is newer than %s: %s", floor, used)
	case c.bundle.Manifest != nil:
		return c.manifest("C252", path, source.Span{}, "the manifest asks for no release, and the sources use %s", used)
	}
	f := c.add("C252", nil, source.Span{}, "the bundle has no manifest that asks for a release, and the sources use %s", used)
	f.Field = path
	return f
}

// firstDecl is the first declaration of a unit that is wanted and can be read.
func firstDecl(c *Context, want func(*ast.Declaration) bool) *finding.Place {
	for _, u := range c.Units {
		for _, d := range u.File.Decls {
			if want(d) && !d.Tainted(0) {
				return &finding.Place{Tree: d, Span: d.Root().Span()}
			}
		}
	}
	return nil
}

func firstHeader(c *Context) *finding.Place {
	return firstDecl(c, func(d *ast.Declaration) bool {
		return d.Root().Kind == ast.Header && strings.TrimSpace(strings.TrimPrefix(d.Slice(0), "dsl:")) == "2"
	})
}

func firstImport(c *Context) *finding.Place {
	return firstDecl(c, func(d *ast.Declaration) bool { return d.Root().Kind == ast.Import })
}

func firstContract(c *Context) *finding.Place {
	for _, k := range c.Program.Contracts {
		return &finding.Place{Tree: k.Tree, Span: k.NameSpan}
	}
	return nil
}

// firstToolAlias looks for a tool of the in-process loop under another name than
// the loop's own.
func firstToolAlias(c *Context) *finding.Place {
	for _, n := range c.Nodes {
		if n.LLM == nil || n.Tainted || c.backendOf(n).Name != routes.Claw {
			continue
		}
		for _, item := range n.LLM.Tools.V {
			if t := tools.Lookup(item.Text); t != nil && t.Claw != "" && t.Claw != item.Text {
				return &finding.Place{Tree: n.Tree, Span: item.Span}
			}
		}
	}
	return nil
}

func firstEmptyTools(c *Context) *finding.Place {
	for _, n := range c.Nodes {
		if n.LLM != nil && !n.Tainted && n.LLM.Tools.Set() && len(n.LLM.Tools.V) == 0 {
			return &finding.Place{Tree: n.Tree, Span: n.LLM.Tools.Span}
		}
	}
	return nil
}

// checkUnreadChildren: C253, what the bundle runs could be read.
func checkUnreadChildren(c *Context) {
	var first *finding.Finding
	var list []string
	for i, p := range c.bundle.Programs {
		for _, s := range p.Subbots {
			if s.Program != nil {
				continue
			}
			at := s.Node.Subbot.Source
			list = append(list, fmt.Sprintf("%q (%s)", at.V, s.Unread))
			if first == nil {
				first = c.unread(s.Node, i == 0)
				continue
			}
			first.See(s.Node.Tree, at.Span, "another one")
		}
	}
	if first != nil {
		first.Message = "the needs of what the bundle runs are unknown, since it is not read: " + strings.Join(list, ", ")
	}
}

// unread reports at the source of a subbot; only nodes of the bundle's own
// program are named.
func (c *Context) unread(n *scope.Node, own bool) *finding.Finding {
	f := c.add("C253", n.Tree, n.Subbot.Source.Span, "")
	if own {
		f.NodeID = n.ID
	}
	return f
}
