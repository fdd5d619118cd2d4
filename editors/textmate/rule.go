// Package textmate writes the TextMate grammar of `.bot` files: the colours
// that an editor shows before a language server answers. Names of
// declarations, properties and their words come from grammar/schema,
// namespaces from grammar/template, functions from grammar/expr.
//
// TextMate knows lines and no indentation, so a block is a region that begins
// at its header and ends before the first line that is not deeper. Such an end
// is asked for only between values: a raw string may reach the margin.
package textmate

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// rule is one entry of a TextMate grammar. A rule with only Patterns stands
// for them, as in the repository.
type rule struct {
	Include       string          `json:"include,omitempty"`
	Name          string          `json:"name,omitempty"`
	ContentName   string          `json:"contentName,omitempty"`
	Match         string          `json:"match,omitempty"`
	Begin         string          `json:"begin,omitempty"`
	End           string          `json:"end,omitempty"`
	While         string          `json:"while,omitempty"`
	Captures      map[string]rule `json:"captures,omitempty"`
	BeginCaptures map[string]rule `json:"beginCaptures,omitempty"`
	EndCaptures   map[string]rule `json:"endCaptures,omitempty"`
	Patterns      []rule          `json:"patterns,omitempty"`
}

// grammar is the file.
type grammar struct {
	Comment    string          `json:"information_for_contributors"`
	Name       string          `json:"name"`
	ScopeName  string          `json:"scopeName"`
	FileTypes  []string        `json:"fileTypes"`
	Injections map[string]rule `json:"injections"`
	Patterns   []rule          `json:"patterns"`
	Repository map[string]rule `json:"repository"`
}

// encode spells a grammar as JSON that people can read in a diff.
func (g *grammar) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(g)
	return b.Bytes(), err
}

// Pieces of patterns. Names are ASCII; only spaces indent.
const (
	name   = `[A-Za-z_][A-Za-z0-9_]*`
	dotted = name + `(?:\.` + name + `)*`

	// shallower holds at the start of a line that is no part of the block
	// whose header is indented by the first capture. Blank lines and comments
	// end no block.
	shallower = `^(?!\1[ ]+[^\s#]|[ \t]*(?:#|$))`
	// textEnds is the same for texts, where a hash is text.
	textEnds = `^(?!\1[ ]+\S|[ \t]*$)`
)

// scopes names the captures of a pattern by their numbers, from 1; "" leaves
// one without a name.
func scopes(names ...string) map[string]rule {
	captures := map[string]rule{}
	for i, n := range names {
		if n != "" {
			captures[string(rune('1'+i))] = rule{Name: n + suffix}
		}
	}
	return captures
}

const suffix = ".bot"

// use includes entries of the repository.
func use(names ...string) []rule {
	rules := make([]rule, len(names))
	for i, n := range names {
		rules[i] = rule{Include: "#" + n}
	}
	return rules
}

// oneOf is a group that matches one of the words.
func oneOf(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	// The longer first: a word may begin as another does and go on with a dot.
	slices.SortStableFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	return `(?:` + strings.Join(quoted, "|") + `)`
}
