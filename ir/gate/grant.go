package gate

import (
	"slices"
	"strings"
	"time"
)

// Scope is how far an approval reaches.
type Scope string

const (
	ForArgument Scope = "argument" // this call
	ForSimilar  Scope = "similar"  // calls of its kind
	ForTool     Scope = "tool"     // every call of the tool
)

// Grant is an operator's approval of one call. What it reaches is compared as a
// value, never read as a pattern.
type Grant struct {
	Tool  string
	Input string // the approved call's, a JSON object
	Scope Scope
	By    string    // who gave it, "" when nobody was named
	At    time.Time // when
}

// grant is an approval that is ready to be compared.
type grant struct {
	*Grant
	id    identity
	value string    // what an argument scope compares; "" for nothing
	like  *boundRow // what a similar scope opens; nil for nothing
}

func (g *Gate) newGrant(from *Grant) grant {
	out := grant{Grant: from, id: identify(from.Tool)}
	h := &held{}
	args := &h.args
	args.read(from.Input)
	arg := g.newArgument(out.id.tool, args, h)
	switch from.Scope {
	case ForArgument:
		out.value = scopeOf(arg, args)
	case ForSimilar:
		if pattern, ok := similar(arg); ok {
			row := &Row{Rule: Rule{Text: pattern, Scoped: true, Pattern: pattern}, From: FromFlag}
			out.like = g.boundRow(row, &out.id, 0, false)
		}
	}
	return out
}

// Reach is what an approval of one scope would open.
type Reach struct {
	Scope Scope
	Rule  string // in the form of a rule, with what the call holds put in its place
}

// Reaches tells what an approval of a call would open, the narrowest scope
// first: for the person who decides. A scope that has no meaning for the call is
// left out.
func (g *Gate) Reaches(c Call) []Reach {
	id := identify(c.Tool)
	h := &held{}
	args := &h.args
	args.read(c.Input)
	arg := g.newArgument(id.tool, args, h)
	var out []Reach
	if value := exactly(arg, args); value != "" {
		out = append(out, Reach{ForArgument, c.Tool + "(" + value + ")"})
	}
	if pattern, ok := similar(arg); ok {
		out = append(out, Reach{ForSimilar, c.Tool + "(" + pattern + ")"})
	}
	return append(out, Reach{ForTool, c.Tool})
}

// exactly is what an argument scope holds, for a person: scopeOf's value without
// what marks its kind.
func exactly(arg argument, args *arguments) string {
	if a, ok := arg.(*commandArgument); ok && a.ok {
		return a.text
	}
	kind, value, _ := strings.Cut(scopeOf(arg, args), " ")
	if kind == "files" || kind == "root" {
		value = strings.ReplaceAll(value, "\x00", ", ")
	}
	return value
}

// scopeOf is what an argument scope holds of a call, as one text: the command
// with its folder, the files, the folder of a search, the address, else the
// whole input.
func scopeOf(arg argument, args *arguments) string {
	switch a := arg.(type) {
	case *commandArgument:
		if a.ok {
			return "command " + a.folder() + "\x00" + a.language + "\x00" + a.text
		}
	case *pathArgument:
		if reals, ok := realsOf(a.files); ok && a.why == "" {
			return "files " + reals
		}
	case *searchArgument:
		if reals, ok := realsOf(append(a.roots[:len(a.roots):len(a.roots)], a.starts...)); ok && a.why == "" {
			return "root " + reals
		}
	case *urlArgument:
		if a.why == "" {
			return "address " + a.raw
		}
	}
	if args.unread {
		return ""
	}
	return "input " + args.whole()
}

// realsOf lists what some paths really open; not ok when one opens nothing.
func realsOf(files []*filePath) (string, bool) {
	var list []string
	for _, f := range files {
		if len(f.opened) == 0 {
			return "", false
		}
		list = append(list, f.opened...)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "\x00"), len(list) > 0
}

// similar is the pattern of the calls that are like one: the program with its
// subcommand, the folder, the host.
func similar(arg argument) (pattern string, ok bool) {
	switch a := arg.(type) {
	case *commandArgument:
		return a.program()
	case *pathArgument:
		if a.why == "" && len(a.files) == 1 && len(a.files[0].opened) == 1 {
			return under(parent(a.files[0].opened[0])), true
		}
	case *searchArgument:
		if a.why == "" && len(a.roots) == 1 && len(a.roots[0].opened) == 1 {
			return "path:" + under(a.roots[0].opened[0]), true
		}
	case *urlArgument:
		if a.why == "" && !a.user {
			return "domain:" + a.host, true
		}
	}
	return "", false
}

func parent(file string) string {
	if at := strings.LastIndexByte(file, '/'); at > 0 {
		return file[:at]
	}
	return "/"
}

// under is the pattern of what lies under a folder, which is compared as it is
// spelled: its special characters are none.
func under(dir string) string {
	return strings.TrimSuffix(quoteGlob(dir), "/") + "/**"
}

func quoteGlob(name string) string {
	if !strings.ContainsAny(name, `*?[]{}\`) {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(`*?[]{}\`, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// granted tells whether an operator's approval reaches the call.
func (j *judgement) granted(unread string) bool {
	value, read := "", false
	for i := range j.grants {
		g := &j.grants[i]
		if !g.id.same(&j.rows.id) {
			continue
		}
		switch {
		case g.Scope == ForTool:
			if unread == "" || !j.bounded() {
				return true
			}
		case g.Scope == ForSimilar && g.like != nil:
			if row, _ := j.argument().opens([]*boundRow{g.like}); row != nil && unread == "" {
				return true
			}
		case g.Scope == ForArgument && g.value != "":
			if !read {
				value, read = scopeOf(j.argument(), j.input()), true
			}
			if value == g.value {
				return true
			}
		}
	}
	return false
}

// same tells whether two calls are of one tool; of an MCP tool the server and
// the tool count by themselves, in their own case.
func (id *identity) same(other *identity) bool {
	return id.tool == other.tool && id.name == other.name && id.mcp == other.mcp
}
