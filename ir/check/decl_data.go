package check

import (
	"net/netip"
	"path"
	"regexp"
	"strings"
	"sync"

	"iterion/ir"
)

// checkAttachments judges the media types that attachments accept: C052.
func checkAttachments(c *Context) {
	for _, a := range c.Program.Attachments {
		if tainted(&a.Decl) {
			continue
		}
		for _, item := range a.AcceptMIME.V {
			if !mediaType(item.Text) {
				c.add("C052", a.Tree, item.Span, "%q is no media type; `%s` can match no file by it", item.Text, a.Name)
			}
		}
	}
}

// tainted tells whether an entry holds a parse error or stands in a declaration
// that does. In a workflow every member stands by itself.
func tainted(d *ir.Decl) bool {
	return d.Tainted || d.Tree.Tainted(0) && d.Tree.Keyword() != "workflow"
}

// mediaType tells whether a text has both halves of `type/subtype`.
func mediaType(text string) bool {
	kind, sub, _ := strings.Cut(text, "/")
	return strings.TrimSpace(kind) != "" && strings.TrimSpace(sub) != "" && !strings.Contains(sub, "/")
}

// checkPresets holds the values of presets against their variables: C070, C071.
func checkPresets(c *Context) {
	for _, p := range c.Program.Presets {
		if tainted(&p.Decl) {
			continue
		}
		for _, line := range p.Values {
			v := c.Program.Var(line.Var)
			switch {
			case v == nil && !c.Incomplete:
				c.add("C070", p.Tree, line.VarSpan, "the preset `%s` sets `%s`, which is no declared variable", p.Name, line.Var).
					Near(line.Var, varNames(c))
			case v != nil && !v.Tainted && line.Value.Set() && !fits(line.Value.V.Kind, v.Type):
				c.add("C071", p.Tree, line.Value.Span, "`%s` is %s, and the preset `%s` gives it %s",
					line.Var, typeNoun(v.Type), p.Name, literalNoun(line.Value.V.Kind)).
					See(v.Tree, v.TypeSpan, "declared here")
			}
		}
	}
}

func varNames(c *Context) []string {
	list := make([]string, len(c.Program.Vars))
	for i, v := range c.Program.Vars {
		list[i] = v.Name
	}
	return list
}

// fits tells whether a literal may stand for a value of the type: `json` and
// `string[]` are written as text. An unknown type is a fault of its own.
func fits(kind ir.LiteralKind, typ string) bool {
	switch typ {
	case "string", "json", "string[]":
		return kind == ir.StringLiteral
	case "bool":
		return kind == ir.BoolLiteral
	case "int":
		return kind == ir.IntLiteral
	case "float":
		return kind == ir.IntLiteral || kind == ir.FloatLiteral
	}
	return true
}

func typeNoun(typ string) string {
	if typ == "int" {
		return "an `int`"
	}
	return "a `" + typ + "`"
}

func literalNoun(kind ir.LiteralKind) string {
	switch kind {
	case ir.IntLiteral:
		return "a whole number"
	case ir.FloatLiteral:
		return "a number with a fraction"
	case ir.BoolLiteral:
		return "a bare word"
	}
	return "a quoted text"
}

// checkSecrets judges the hosts and the file form of secrets: C092, C094.
func checkSecrets(c *Context) {
	for _, s := range c.Program.Secrets {
		if tainted(&s.Decl) {
			continue
		}
		for _, host := range s.Hosts.V {
			if !bareHost(host.Text) {
				c.add("C092", s.Tree, host.Span, "%q is no bare host name or address", host.Text)
			}
		}
		checkFileSecret(c.aboutDecl(s.Tree), s)
	}
}

func checkFileSecret(r report, s *ir.Secret) {
	if !oneOf(r, "C094", s.As, "secrets", "as") {
		return
	}
	if s.As.V != "file" {
		for _, p := range []namedProp{{"mount_path", s.MountPath}, {"env", s.Env}} {
			if p.value.Set() {
				r("C094", p.value.Span, "`%s:` needs `as: file`, and the secret `%s` is a value", p.prop, s.Name).
					Hintf("Add `as: file`, or delete `%s:`.", p.prop)
			}
		}
		return
	}
	if p := s.MountPath; p.Set() && (!path.IsAbs(p.V) || path.Clean(p.V) != p.V) {
		f := r("C094", p.Span, "the path of the secret `%s` is not absolute and clean: %q", s.Name, p.V)
		if path.IsAbs(p.V) {
			f.Hintf("Write `%s`.", path.Clean(p.V))
		}
	}
	if s.Env.Set() && !identifier().MatchString(s.Env.V) {
		r("C094", s.Env.Span, "%q cannot name a variable of the environment", s.Env.V).
			Hintf("Use letters, digits and underscores, and no digit in front.")
	}
}

var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN_-]+(\.[\pL\pN_-]+)*$`)
})

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
})

// bareHost tells whether a text is a host name, a parent domain or an IP address.
func bareHost(text string) bool {
	if hostName().MatchString(text) {
		return true
	}
	_, err := netip.ParseAddr(text)
	return err == nil
}
