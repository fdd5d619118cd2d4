package printer

import (
	"strings"

	"iterion/ast"
	"iterion/grammar/schema"
)

// item is what stands at top level.
type item uint8

const (
	nothing item = iota
	remark       // a comment
	header       // dsl: N
	imported
	used
	declared
)

func itemOf(kind ast.Kind) item {
	switch kind {
	case ast.Header:
		return header
	case ast.Import:
		return imported
	case ast.Use:
		return used
	}
	return declared
}

func (p *printer) file(f *ast.File) {
	for _, d := range f.Decls {
		p.text, p.nodes, p.comments = d.Text, d.Nodes, d.Comments
		p.next, p.end = 0, 0
		p.top()
	}
	if len(f.Tail) > 0 {
		p.text, p.comments = f.Source.Text, f.Tail
		p.next, p.end = 0, f.Tail[0].Start
		p.topComments(^uint32(0), remark)
	}
}

// top prints one declaration with the comments around it.
func (p *printer) top() {
	root := p.nodes[0]
	this := itemOf(root.Kind)
	p.topComments(root.Start, this)
	if (p.front || this == header) && p.last != nothing {
		p.blank = true
	}
	p.front = false
	p.between(this, root.Start)
	p.indent(0)
	switch root.Kind {
	case ast.Header:
		p.write("dsl: ")
		p.write(p.slice(1))
		p.newline(root.End)
	case ast.Import:
		p.write("import ")
		p.write(p.slice(1))
		p.newline(root.End)
	case ast.Use:
		p.use()
	default:
		p.declaration(0, 0, uint32(len(p.text)))
	}
	p.last, p.blank, p.fresh = this, false, false
	// What is left stands below something without a body of members. It must
	// lead nothing, and least of all become a prompt's text.
	if p.next < len(p.comments) {
		p.topComments(^uint32(0), remark)
		p.blank = true
	}
}

// topComments prints the comments before an offset; those that lead what
// stands there keep the distance it would keep.
func (p *printer) topComments(limit uint32, this item) {
	if !p.before(limit) {
		return
	}
	lead := len(p.comments)
	if this != remark {
		lead = p.leadStart(limit)
	}
	for p.before(limit) {
		c := p.comments[p.next]
		as := remark
		if p.next >= lead {
			as = this
		}
		p.between(as, c.Start)
		p.indent(0)
		p.frontmatter(p.text[c.Start:c.End])
		p.comment(c)
		p.out = append(p.out, '\n')
		p.last = remark
	}
}

// frontmatter follows the fences; a blank line comes behind the second.
func (p *printer) frontmatter(comment string) {
	if comment != ast.Fence {
		return
	}
	switch {
	case p.last == nothing:
		p.front = true
	case p.front:
		p.front, p.blank = false, true
	}
}

// between writes the blank line between two things at top level.
func (p *printer) between(this item, start uint32) {
	blank := true
	switch {
	case p.last == nothing:
		blank = false
	case p.blank:
	case p.last == imported && this == imported:
		blank = false
	case p.last == remark, p.last == used && this == used:
		if p.end == 0 { // the text before ends with a newline
			blank = strings.IndexByte(p.text[:start], '\n') >= 0
		} else {
			blank = blankLine(p.text[p.end:start])
		}
	}
	p.blank = false
	if blank {
		p.out = append(p.out, '\n')
	}
}

// declaration prints `kind name(params):` and what is below it.
func (p *printer) declaration(n, level int, limit uint32) {
	node := p.nodes[n]
	keyword := word(p.text[node.Start:node.End])
	p.write(keyword)
	end := node.Start + uint32(len(keyword))
	at := n + 1
	if at < int(node.Next) && p.nodes[at].Kind == ast.Ident {
		p.out = append(p.out, ' ')
		p.write(p.slice(at))
		end = p.nodes[at].End
		at++
		if keyword == "group" {
			at, end = p.params(at, end)
		}
	}
	p.out = append(p.out, ':')
	p.newline(end)
	if keyword == "prompt" {
		if at < int(node.Next) {
			p.block(at, level+1)
		}
		return
	}
	p.body(schema.Lookup(keyword), n, at, level+1, limit)
}

// params prints the parameters of a group, if it has a list of them.
func (p *printer) params(at int, end uint32) (int, uint32) {
	if !strings.HasPrefix(strings.TrimLeft(p.text[end:], " \t"), "(") {
		return at, end
	}
	p.out = append(p.out, '(')
	for first := true; at < len(p.nodes) && p.nodes[at].Kind == ast.Param; at, first = at+1, false {
		if !first {
			p.write(", ")
		}
		p.write(p.slice(at))
		end = p.nodes[at].End
	}
	p.out = append(p.out, ')')
	return at, end
}

// word returns the identifier that s starts with.
func word(s string) string {
	i := 0
	for i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z') {
		i++
	}
	return s[:i]
}
