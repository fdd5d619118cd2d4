package gate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"iterion/ir/tools"
)

// Rule is one entry of a list, read. The text is kept as written: a rule is
// compared as its author wrote it.
type Rule struct {
	Text    string
	Subject string // the tool's key, an MCP tool's full name, a glob, or a class
	Kind    SubjectKind
	Scoped  bool   // it has a pattern
	Pattern string // between the brackets
}

// SubjectKind is how a rule says which tools it is about.
type SubjectKind uint8

const (
	OneTool SubjectKind = iota
	Glob                // every tool whose name matches
	Class               // every tool of a class
)

// RuleError says why an entry cannot be read, and where in its text.
type RuleError struct {
	At      int // byte offset
	Message string
	Hint    string // what to write, "" for nothing better than the rule's form
}

func (e *RuleError) Error() string { return e.Message }

const classMark = "class:"

// ParseRule reads an entry: a tool, a glob over tools or `class:NAME`, and
// behind it perhaps a pattern in brackets. The first bracket opens the pattern
// and the last character of the entry closes it. The error is a *RuleError.
func ParseRule(text string) (Rule, error) {
	body := strings.TrimRight(text, blanks)
	start := len(body) - len(strings.TrimLeft(body, blanks))
	if start == len(body) {
		return Rule{}, fault(0, "the entry is empty")
	}
	subject, rest, scoped := strings.Cut(body[start:], "(")
	rule := Rule{Text: text, Scoped: scoped}
	if scoped {
		at := start + len(subject) + 1
		pattern, err := parsePattern(rest, at)
		if err != nil {
			return Rule{}, err
		}
		rule.Pattern = pattern
	}
	if i := strings.IndexByte(subject, ')'); i >= 0 {
		return Rule{}, fault(start+i, "a `)` closes nothing")
	}
	if strings.TrimSpace(subject) == "" {
		return Rule{}, fault(start, "no tool stands before the `(`")
	}
	return rule, rule.about(strings.TrimRight(subject, blanks), start)
}

const blanks = " \t\r\n"

// parsePattern reads what follows the opening bracket; at is its offset.
func parsePattern(rest string, at int) (string, error) {
	end := strings.LastIndexByte(rest, ')')
	switch {
	case end < 0:
		return "", fault(at+len(rest), "the `(` is never closed")
	case end != len(rest)-1:
		return "", fault(at+end+1, "text stands behind the last `)`")
	}
	pattern := rest[:end]
	switch strings.TrimSpace(pattern) {
	case "":
		return "", fault(at, "the pattern is empty").hint("Write the tool's name alone for every call of it.")
	case ":*":
		return "", fault(at, "the pattern is a prefix of nothing").hint("Write the tool's name alone for every call of it.")
	}
	return pattern, nil
}

// about reads the subject; at is its offset.
func (r *Rule) about(subject string, at int) error {
	if len(subject) >= len(classMark) && strings.EqualFold(subject[:len(classMark)], classMark) {
		name := strings.ToLower(strings.TrimSpace(subject[len(classMark):]))
		for _, class := range tools.Classes() {
			if class == name {
				r.Kind, r.Subject = Class, name
				return nil
			}
		}
		return fault(at+len(classMark), "no class is called %q", name).
			hint("Name a class that exists: " + strings.Join(tools.Classes(), ", ") + ".")
	}
	if strings.Contains(subject, "*") {
		r.Kind, r.Subject = Glob, subject
		return nil
	}
	if mcp, ok := tools.SplitMCP(subject); ok {
		if mcp.Tool == "" {
			return fault(at, "%q names an MCP server and none of its tools", subject).
				hint("Write `mcp__" + mcp.Server + "__*` for all tools of the server.")
		}
		r.Subject = mcp.Name()
		return nil
	}
	r.Subject = strings.ToLower(subject)
	if tool := tools.Lookup(subject); tool != nil {
		r.Subject = tool.Key
	}
	return nil
}

func fault(at int, format string, args ...any) *RuleError {
	return &RuleError{At: at, Message: fmt.Sprintf(format, args...)}
}

func (e *RuleError) hint(text string) *RuleError {
	e.Hint = text
	return e
}

// Column is the position of the fault in an entry, from 1, in characters.
func (e *RuleError) Column(text string) int {
	return utf8.RuneCountInString(text[:min(e.At, len(text))]) + 1
}

// Tool returns the catalogue's row that the rule is about, nil for a glob, a
// class, an MCP tool and a tool that the catalogue does not know.
func (r *Rule) Tool() *tools.Tool {
	if r.Kind != OneTool {
		return nil
	}
	return tools.Lookup(r.Subject)
}

// Covers tells whether the rule, closing, is about a tool: a glob is tried on
// every spelling, since a call may use any of them. Its pattern does not count.
func (r *Rule) Covers(t *tools.Tool) bool {
	switch r.Kind {
	case Class:
		return t.InClass(r.Subject)
	case Glob:
		if matches(r.Subject, t.Key) {
			return true
		}
		for _, s := range t.Spellings {
			if matches(r.Subject, s) {
				return true
			}
		}
		return false
	}
	return r.Subject == t.Key
}

// Opens tells whether the rule, opening, is about a tool: a glob is tried on
// the tool's key alone. Its pattern does not count.
func (r *Rule) Opens(t *tools.Tool) bool {
	if r.Kind == Glob {
		return matches(r.Subject, t.Key)
	}
	return r.Covers(t)
}

// IsPrefix tells whether the pattern is a prefix, `text:*`, and returns the text.
func (r *Rule) IsPrefix() (text string, ok bool) { return strings.CutSuffix(r.Pattern, ":*") }

// IsWild tells whether the pattern admits anything: none, or a lone wildcard.
func (r *Rule) IsWild() bool {
	return !r.Scoped || r.Pattern == "*" || r.Pattern == "**"
}

// matches tries a glob over names, in any case; only `*` is special.
func matches(glob, name string) bool {
	glob, name = strings.ToLower(glob), strings.ToLower(name)
	head, rest, wild := strings.Cut(glob, "*")
	if !wild {
		return glob == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	name = name[len(head):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], next
	}
}
