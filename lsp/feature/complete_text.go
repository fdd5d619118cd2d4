package feature

import (
	"regexp"
	"strings"
	"sync"

	"iterion/grammar/schema"
	"iterion/grammar/template"
	"iterion/grammar/token"
	"iterion/ir"
	"iterion/ir/compile"
)

// reading is how a text is read: which templates it may hold, or that it is an
// expression, and what `input` means there.
type reading struct {
	place      template.Place
	row        *schema.Property // that holds it, nil for a part of an edge and an author's entry
	expression bool
	role       compile.Role
	input      []*ir.Schema
	bare       []*ir.Schema // whose fields an expression may name without `input`
	launch     bool         // `input` is what the run is started with
	item       string       // the item that a router's branch reads of `input`
}

// insideText completes inside of quotes, scalars and prompts.
func (c *completer) insideText() {
	r := c.reading()
	before := c.content()
	if path, ok := openReference(before); ok && (r.place != template.Nowhere || r.expression && r.role == compile.LoopCap) {
		c.word("")
		c.reference(&r, path)
		return
	}
	if name, ok := openInclude(before); ok && r.place == template.Prompt {
		c.files("", name)
		return
	}
	switch {
	case c.literal.kind == token.Body || c.literal.kind == token.Scalar && !r.expression:
	case r.expression:
		c.word("")
		c.expression(&r, before)
	default:
		c.quoted(&r)
	}
}

// openReference is the path of a `{{` that is not closed before the cursor,
// without the segment that the cursor touches.
func openReference(before string) (path []string, ok bool) {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	open := strings.LastIndex(line, template.Open)
	if open < 0 {
		return nil, false
	}
	inner := strings.TrimLeft(line[open+len(template.Open):], " \t!")
	if strings.ContainsAny(inner, "} \t\"") {
		return nil, false
	}
	path = strings.Split(inner, ".")
	return path[:len(path)-1], true
}

var includeMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{\s*include\s+"([^"\n]*)$`) })

// openInclude is the path of an include that the cursor stands in.
func openInclude(before string) (name string, ok bool) {
	found := includeMark().FindStringSubmatch(before)
	if found == nil {
		return "", false
	}
	return found[1], true
}

// reading finds out how the text around the cursor is read.
func (c *completer) reading() reading {
	words := c.before(c.literal.start)
	kind := c.kind()
	switch {
	case c.literal.kind == token.Body:
		return c.ofPrompt(c.promptName())
	case kind == nil:
		return reading{place: template.NodeWith}
	case len(words) > 0 && c.slice(words[0]) == "with" && kind.Prop("with") != nil:
		return reading{place: template.NodeWith, launch: true}
	case c.key() == "" && kind.Members&schema.Edges != 0:
		return c.ofEdge(words)
	}
	if p := kind.Prop(c.key()); p != nil {
		return c.ofProperty(p)
	}
	return c.ofEntry(kind)
}

// promptName is the name of the prompt whose text holds the cursor.
func (c *completer) promptName() string {
	if len(c.levels) > 0 {
		return c.named(c.levels[0].line)
	}
	for i := len(c.lines) - 1; i >= 0; i-- {
		if c.lines[i].words[0].start < c.at {
			return c.named(&c.lines[i])
		}
	}
	return ""
}

// ofPrompt: a prompt is read by the nodes that use it.
func (c *completer) ofPrompt(name string) reading {
	r := reading{place: template.Prompt}
	for _, n := range c.scope.Nodes {
		for used := range compile.PromptNames(n.Node) {
			if used == name && n.InputSchema != nil {
				r.input = append(r.input, n.InputSchema)
			}
		}
	}
	return r
}

// ofEdge is the reading of a text on an edge.
func (c *completer) ofEdge(words []lexeme) reading {
	e := readEdge(c.site, words, atTarget)
	r := reading{place: template.EdgeWith}
	if from := c.nodeNamed(e.source()); from != nil {
		r.input = c.schemas(from.Common.Output)
		r.bare = r.input
		if from.Router != nil && from.Router.EffectiveMode() == ir.ModeFanOutEach {
			r.item = from.Router.As.Or("item")
		}
	}
	switch e.at {
	case atWhen:
		r.place, r.expression, r.role = template.Nowhere, true, compile.When
	case atCap:
		r.place, r.expression, r.role, r.bare = template.Typed, true, compile.LoopCap, nil
	case atIn:
		r.place = template.Typed
	}
	return r
}

func (c *completer) schemas(name ir.Opt[string]) []*ir.Schema {
	if s := c.scope.Schema(name.V); s != nil {
		return []*ir.Schema{s}
	}
	return nil
}

// ofProperty is the reading of a property's text.
func (c *completer) ofProperty(p *schema.Property) reading {
	r := reading{row: p, place: placeOf(p.Text)}
	if n := c.node(); n != nil {
		r.input = c.schemas(n.Common.Input)
	}
	if p.Text == schema.Expression {
		r.expression, r.role = true, compile.RouteWhen
	}
	r.launch = p.Text == schema.DataText
	return r
}

// ofEntry is the reading of a text behind an author's own name.
func (c *completer) ofEntry(kind *schema.Kind) reading {
	r := reading{}
	if kind.Entry == nil {
		return r
	}
	if n := c.node(); n != nil {
		r.input = c.schemas(n.Common.Input)
		r.bare = r.input
	}
	switch kind.Entry.Text {
	case schema.Expression:
		r.expression, r.role = true, compile.ComputeField
	case schema.ShellText:
		r.place = template.ActionParams
	}
	return r
}

// placeOf is where the references of a kind of text stand.
func placeOf(t schema.Text) template.Place {
	switch t {
	case schema.PromptText:
		return template.Prompt
	case schema.ShellText:
		return template.Command
	case schema.ScriptText:
		return template.Script
	case schema.DataText:
		return template.Message
	case schema.Routing:
		return template.Routing
	case schema.WholeRef:
		return template.Typed
	}
	return template.Nowhere
}

// quoted completes a value in quotes.
func (c *completer) quoted(r *reading) {
	words := c.before(c.literal.start)
	switch {
	case len(c.levels) == 0 && len(words) == 1 && c.slice(words[0]) == "import":
		c.whole()
		c.imports()
	case len(c.levels) == 0:
	case r.row != nil && quotable(r.row):
		if r.row.Text != schema.PromptText {
			c.whole()
			c.inQuotes(r.row)
		}
	case r.row == nil && c.kind().Entry != nil && len(words) > 0:
		c.whole()
		c.quotedEntry(words)
	}
}

// quotable tells whether the words of a property may stand in quotes.
func quotable(p *schema.Property) bool {
	switch p.Form {
	case schema.Name, schema.NameList, schema.Dotted, schema.OneOf, schema.Bool, schema.Int, schema.Num, schema.JSON, schema.Prompt:
		return false
	}
	return true
}

// inQuotes completes the value or the element of a property in quotes.
func (c *completer) inQuotes(p *schema.Property) {
	switch p.Name {
	case "allow", "ask", "deny":
		c.rules(c.elements())
	case "source":
		c.files(".bot", c.content())
	default:
		start, end := c.start, c.end
		has := c.elements()
		for _, v := range p.Values {
			if !has[v.Word] {
				c.valueOf(v, c.path()+"/"+p.Name+"="+v.Word)
			}
		}
		c.start, c.end = start, end
		c.known(p, has)
	}
}

// quotedEntry completes the values of presets and the defaults of variables.
func (c *completer) quotedEntry(words []lexeme) {
	kind := c.kind()
	if kind.Entry.Ref == schema.RefVar {
		c.valuesOfVar(c.key())
		return
	}
	if kind.Entry.Typed != nil && words[len(words)-1].kind == token.Equal {
		for _, w := range c.enumOf(words) {
			c.name(w, "", 0)
		}
	}
}
