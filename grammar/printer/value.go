package printer

import (
	"strings"

	"iterion/ast"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
)

// value prints what stands behind the key of member n, to the end of its last
// line; v is the value's node.
func (p *printer) value(row *schema.Property, n, v, level int, limit uint32) {
	switch {
	case p.nodes[v].Kind == ast.Scalar:
		p.write(" |")
		p.newline(p.nodes[n+1].End)
		p.block(v, level+1)
	case p.nodes[v].Kind == ast.List && row.Form != schema.JSON:
		p.list(row, n, v, level, limit)
	default:
		p.out = append(p.out, ' ')
		p.inline(row, v)
		p.newline(p.nodes[n].End)
	}
}

// inline prints a value on the current line.
func (p *printer) inline(row *schema.Property, v int) {
	switch p.nodes[v].Kind {
	case ast.List:
		p.out = append(p.out, '[')
		p.elements(element(row.Form), v)
		p.out = append(p.out, ']')
	case ast.Map:
		p.pairs(element(row.Form), v)
	default:
		p.leaf(row, v)
	}
}

// element is the form of what a list or map of a form holds.
func element(form schema.Form) schema.Form {
	switch form {
	case schema.StrList, schema.IntOrStrList, schema.Map:
		return schema.Str
	case schema.JSON:
		return schema.JSON
	}
	return schema.Literal // as written
}

// elements prints the children of a list, joined by commas.
func (p *printer) elements(form schema.Form, list int) {
	row := schema.Property{Form: form}
	for v, end := list+1, int(p.nodes[list].Next); v < end; v = int(p.nodes[v].Next) {
		if v > list+1 {
			p.write(", ")
		}
		p.inline(&row, v)
	}
}

// pairs prints `{ k: v, l: w }`.
func (p *printer) pairs(form schema.Form, m int) {
	row := schema.Property{Form: form}
	end := int(p.nodes[m].Next)
	if m+1 == end {
		p.write("{}")
		return
	}
	p.write("{ ")
	for e := m + 1; e < end; e = int(p.nodes[e].Next) {
		if e > m+1 {
			p.write(", ")
		}
		p.write(p.slice(e + 1))
		p.write(": ")
		p.inline(&row, e+2)
	}
	p.write(" }")
}

// leaf prints a scalar. Its text is the author's but for the quotes that the
// form adds to strings and takes from enum words.
func (p *printer) leaf(row *schema.Property, v int) {
	src := p.slice(v)
	switch kind := p.nodes[v].Kind; {
	case kind == ast.Ident && quotes(row.Form):
		p.out = append(p.out, '"')
		p.write(src)
		p.out = append(p.out, '"')
	case (kind == ast.String || kind == ast.Raw) && bares(row, src[1:len(src)-1]):
		p.write(src[1 : len(src)-1])
	default:
		p.write(src)
	}
}

// quotes tells whether a bare word of a form is a string.
func quotes(form schema.Form) bool { return form == schema.Str || form == schema.Word }

// bares tells whether a quoted text is one of the words of an enum.
func bares(row *schema.Property, text string) bool {
	if row.Form != schema.Enum && row.Form != schema.EnumOrEnv {
		return false
	}
	for i := range row.Values {
		if row.Values[i].Word == text {
			return true
		}
	}
	return false
}

// list prints the list v of member n on its line if it was there and fits,
// else as dash lines.
func (p *printer) list(row *schema.Property, n, v, level int, limit uint32) {
	if p.nodes[v].Flags&ast.FlagDashes != 0 {
		p.newline(p.nodes[n+1].End)
		p.dashes(row, v, level+1)
		p.behind(n, level+1, limit)
		return
	}
	mark := len(p.out)
	p.out = append(p.out, ' ')
	p.inline(row, v)
	if p.fits() || int(p.nodes[v].Next) == v+1 {
		p.newline(p.nodes[n].End)
		return
	}
	p.out = p.out[:mark]
	p.newline(p.nodes[n].End)
	form := schema.Property{Form: element(row.Form)}
	for e := v + 1; e < int(p.nodes[v].Next); e++ {
		p.item(&form, e, level+1)
		p.out = append(p.out, '\n')
	}
}

// dashes prints the items of a dash list with the comments between them.
func (p *printer) dashes(row *schema.Property, v, level int) {
	form := schema.Property{Form: element(row.Form)}
	p.fresh = true
	for e := v + 1; e < int(p.nodes[v].Next); e++ {
		p.leads(p.nodes[e].Start, level, false)
		p.gap(p.nodes[e].Start)
		p.item(&form, e, level)
		p.newline(p.nodes[e].End)
	}
}

func (p *printer) item(row *schema.Property, e, level int) {
	p.indent(level)
	p.write("- ")
	p.leaf(row, e)
}

// block prints an indented text, shifted as a whole to a level. Space-only
// lines become empty.
func (p *printer) block(v, level int) {
	src := p.slice(v)
	margin := literal.Indent(src)
	for src != "" {
		line := src
		if i := strings.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = ""
		}
		if !isBlank(line) {
			p.indent(level)
			p.write(line[margin:])
		}
		p.out = append(p.out, '\n')
	}
	p.end = p.nodes[v].End
}

// isBlank tells whether a line holds only spaces and tabs.
func isBlank(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] != ' ' && line[i] != '\t' {
			return false
		}
	}
	return true
}
