package feature

import (
	"regexp"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"iterion/grammar/expr"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
)

// expression completes an expression, given its text before the cursor.
func (c *completer) expression(r *reading, before string) {
	if open := openQuote(before); open >= 0 {
		c.compared(r, before[:open])
		return
	}
	path := pathBefore(before)
	switch {
	case len(path) == 0:
		c.operand(r, before)
	case !c.readable(r, path[0]):
	case expr.IsNamespace(path[0]):
		c.segment(r, path[0], path[1:])
	}
}

// openQuote is where a string begins that is open at the end of an expression's
// text, -1 for none.
func openQuote(text string) int {
	open, quote := -1, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (open >= 0 || text[i+1] != '"'):
			i++
		case open < 0 && (c == '\'' || c == '"'):
			open, quote = i, c
		case open >= 0 && c == quote:
			open = -1
		}
	}
	return open
}

var trailingPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`((?:[A-Za-z_]\w*\s*\.\s*)+)\w*$`) })

// pathBefore are the names of a path before the one that is being typed.
func pathBefore(text string) []string {
	found := trailingPath().FindString(text)
	if found == "" {
		return nil
	}
	path := strings.Split(found, ".")
	for i := range path {
		path[i] = strings.TrimSpace(path[i])
	}
	return path[:len(path)-1]
}

// readable tells whether an expression may read a namespace.
func (c *completer) readable(r *reading, namespace string) bool {
	switch r.role {
	case compile.RouteWhen:
		return namespace == "vars"
	case compile.LoopCap:
		return namespace == "vars" || namespace == "outputs"
	}
	return true
}

var parameters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\w+)\s*(?:,\s*(\w+)\s*\))?\s*\)?\s*=>`) })

// operand offers what an operand can begin with.
func (c *completer) operand(r *reading, before string) {
	for _, bound := range parameters().FindAllStringSubmatch(before, -1) {
		for _, name := range bound[1:] {
			if name != "" {
				c.add(rankRequired, protocol.CompletionItem{Label: name, Detail: "parameter", Kind: protocol.CompletionItemKindVariable}, "")
			}
		}
	}
	for _, s := range r.bare {
		for _, f := range c.fields(s) {
			c.add(rankNear, protocol.CompletionItem{Label: f.name, Detail: f.detail, Kind: protocol.CompletionItemKindField}, "")
		}
	}
	for _, ns := range template.Namespaces {
		if expr.IsNamespace(ns) && c.readable(r, ns) {
			c.namespace(ns)
		}
	}
	for i := range expr.Functions {
		c.function(&expr.Functions[i])
	}
	for _, word := range []string{"true", "false", "not", "and", "or"} {
		c.add(rankLast, protocol.CompletionItem{Label: word, Kind: protocol.CompletionItemKindKeyword}, "")
	}
}

func (c *completer) function(f *expr.Function) {
	item := protocol.CompletionItem{Label: f.Name, Detail: f.Signature, Kind: protocol.CompletionItemKindFunction, Data: "function:" + f.Name}
	text := f.Name + "("
	switch {
	case strings.HasPrefix(c.text[c.end:], "("):
		text = f.Name
	case c.snippets:
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
		text = f.Name + "($1)$0"
	}
	c.add(rankRest, item, text)
}

var comparison = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_][\w.]*)\s*[!=]=\s*\\?$`) })

// compared offers the words of the enum that a string is compared with.
func (c *completer) compared(r *reading, before string) {
	found := comparison().FindStringSubmatch(before)
	if found == nil {
		return
	}
	c.names(c.enumAt(r, strings.Split(found[1], ".")), protocol.CompletionItemKindEnumMember)
}

// enumAt are the words that a path of an expression can have as its value.
func (c *completer) enumAt(r *reading, path []string) (list []suggestion) {
	last := path[len(path)-1]
	words := func(enum ir.List) {
		for _, w := range ir.Strings(enum) {
			list = append(list, suggestion{w, last})
		}
	}
	fields := func(of []*ir.Schema) {
		for _, s := range of {
			if f := s.Field(last); f != nil {
				words(f.Enum)
			}
		}
	}
	switch {
	case path[0] == "vars" && len(path) == 2:
		if v := c.scope.Program.Var(last); v != nil {
			words(v.Enum)
		}
	case path[0] == "outputs" && len(path) > 2:
		if n := c.nodeNamed(strings.Join(path[1:len(path)-1], ".")); n != nil {
			fields(c.schemas(n.Common.Output))
		}
	case len(path) == 1, path[0] == "input" && len(path) == 2:
		fields(r.input)
	}
	return list
}
