package toolrun

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageText is the text of an HTML page. It goes over the tokens and makes no
// tree: what a tree holds can be a thousand times the page (formatting elements
// are opened again in each paragraph), and a page is nobody's friend.
func pageText(page string, base *url.URL) string {
	w := writer{base: base, tokens: html.NewTokenizer(strings.NewReader(page))}
	for w.out.Len() <= mostOfPage { // the rest would be cut
		switch w.tokens.Next() {
		case html.ErrorToken: // the end
			return w.text()
		case html.TextToken:
			w.words(string(w.tokens.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(w.tokens.Token())
		case html.EndTagToken:
			name, _ := w.tokens.TagName()
			w.end(atom.Lookup(name))
		}
	}
	return w.text()
}

// writer writes a page as text: blocks as lines, headings, list entries and
// addresses marked.
type writer struct {
	base   *url.URL
	tokens *html.Tokenizer
	out    strings.Builder
	hidden hidden
	pre    int    // open elements whose blanks count
	link   string // the open link's address
	breaks int    // line breaks that stand at the end of out
	blank  bool   // a blank is due before the next word
}

// dropped are elements whose text is not a reader's.
var dropped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true,
	atom.Svg: true, atom.Math: true, atom.Canvas: true, atom.Select: true, atom.Textarea: true, atom.Noembed: true, atom.Noframes: true,
}

// lineBreaks are the line breaks around an element that is a block.
var lineBreaks = map[atom.Atom]int{
	atom.P: 2, atom.H1: 2, atom.H2: 2, atom.H3: 2, atom.H4: 2, atom.H5: 2, atom.H6: 2, atom.Ul: 2, atom.Ol: 2, atom.Table: 2,
	atom.Pre: 2, atom.Blockquote: 2, atom.Hr: 2, atom.Title: 2, atom.Section: 2, atom.Article: 2, atom.Header: 2, atom.Footer: 2,
	atom.Nav: 2, atom.Main: 2, atom.Aside: 2, atom.Dl: 2, atom.Figure: 2,
	atom.Div: 1, atom.Li: 1, atom.Tr: 1, atom.Br: 1, atom.Dt: 1, atom.Dd: 1, atom.Option: 1, atom.Figcaption: 1, atom.Caption: 1,
	atom.Form: 1, atom.Details: 1, atom.Summary: 1, atom.Body: 1,
}

// leads are what stands before an element's text.
var leads = map[atom.Atom]string{
	atom.Li: "- ", atom.H1: "# ", atom.H2: "## ", atom.H3: "### ", atom.H4: "#### ", atom.H5: "##### ", atom.H6: "###### ",
	atom.Td: "| ", atom.Th: "| ",
}

func (w *writer) start(t html.Token) {
	if w.hidden.start(t) {
		return
	}
	w.line(lineBreaks[t.DataAtom])
	if lead := leads[t.DataAtom]; lead != "" {
		w.blank = true
		w.put(lead)
	}
	switch t.DataAtom {
	case atom.Pre:
		w.pre++
	case atom.A:
		w.link = w.address(attribute(t, "href"))
	case atom.Img:
		if alt := strings.TrimSpace(attribute(t, "alt")); alt != "" {
			w.words(" [" + alt + "] ")
		}
	}
}

func (w *writer) end(name atom.Atom) {
	if w.hidden.end(name) {
		return
	}
	switch name {
	case atom.Pre:
		w.pre = max(0, w.pre-1)
	case atom.A:
		if w.link != "" {
			w.words(" (" + w.link + ")")
		}
		w.link = ""
	}
	w.line(lineBreaks[name])
}

// address is where a link leads, "" for a place on the page and for what is no
// web address.
func (w *writer) address(href string) string {
	u, err := w.base.Parse(strings.TrimSpace(href))
	if err != nil || href == "" || href[0] == '#' || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// words writes text, its blanks as one.
func (w *writer) words(text string) {
	if w.hidden.any() {
		return
	}
	text = shown(text)
	if w.pre > 0 {
		w.put(text)
		return
	}
	const blanks = " \n\t"
	w.blank = w.blank || text != "" && strings.Contains(blanks, text[:1])
	for word := range strings.FieldsSeq(text) {
		w.put(word)
		w.blank = true
	}
	w.blank = text != "" && strings.Contains(blanks, text[len(text)-1:]) || text == "" && w.blank
}

// put writes text as it is, with the blank that is due.
func (w *writer) put(text string) {
	if text == "" {
		return
	}
	if w.blank && w.breaks == 0 && w.out.Len() > 0 {
		w.out.WriteByte(' ')
	}
	w.out.WriteString(text)
	w.blank, w.breaks = false, len(text)-len(strings.TrimRight(text, "\n"))
}

// line makes the text end in so many line breaks at least.
func (w *writer) line(breaks int) {
	for breaks > w.breaks && w.out.Len() > 0 {
		w.out.WriteByte('\n')
		w.breaks++
	}
	if breaks > 0 {
		w.blank = false
	}
}

func (w *writer) text() string { return strings.TrimSpace(w.out.String()) }

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// deepestNode bounds how many open elements are told apart inside a hidden one.
const deepestNode = 256

// hidden are the open elements of a part that no reader sees, the outermost
// first.
type hidden struct {
	open []atom.Atom
	more int // open ones beyond deepestNode
}

func (h *hidden) any() bool { return len(h.open) > 0 }

// voids have no end.
var voids = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true, atom.Img: true, atom.Input: true,
	atom.Link: true, atom.Meta: true, atom.Param: true, atom.Source: true, atom.Track: true, atom.Wbr: true,
}

// lapses are elements that another of their kind ends.
var lapses = map[atom.Atom]bool{
	atom.P: true, atom.Li: true, atom.Dt: true, atom.Dd: true, atom.Tr: true, atom.Td: true, atom.Th: true, atom.Option: true,
}

// start tells whether an element is hidden or inside of one that is.
func (h *hidden) start(t html.Token) bool {
	name := t.DataAtom
	if len(h.open) == 1 && h.more == 0 && h.open[0] == name && lapses[name] {
		h.open = h.open[:0]
	}
	if !h.any() && !isHidden(t) {
		return false
	}
	switch {
	case voids[name], t.Type == html.SelfClosingTagToken && (name == 0 || name == atom.Svg || name == atom.Math):
	case len(h.open) == deepestNode:
		h.more++
	default:
		h.open = append(h.open, name)
	}
	return true
}

// end tells whether the end of an element belongs to a hidden part. The end of
// an element around that part ends it.
func (h *hidden) end(name atom.Atom) bool {
	if !h.any() {
		return false
	}
	if h.more > 0 {
		h.more--
		return true
	}
	for at := len(h.open) - 1; at >= 0; at-- {
		if h.open[at] == name {
			h.open = h.open[:at]
			return true
		}
	}
	h.open = h.open[:0]
	return false
}

func isHidden(t html.Token) bool {
	if dropped[t.DataAtom] {
		return true
	}
	for _, a := range t.Attr {
		if a.Key == "hidden" {
			return true
		}
		if a.Key == "style" {
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
