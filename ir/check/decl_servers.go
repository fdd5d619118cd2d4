package check

import (
	"net/url"
	"strings"

	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/gate"
)

// checkServers judges MCP servers: C025 and C038.
func checkServers(c *Context) {
	for _, s := range c.Program.Servers {
		if s.Tainted {
			continue
		}
		r := c.aboutDecl(s.Tree)
		checkServerName(r, s)
		checkTransport(r, s)
		if s.Auth != nil {
			checkAuth(r, s)
		}
	}
}

// checkServerName refuses the names by which the gate knows the run's own
// servers, and those that would join with a tool's name to another server's.
func checkServerName(r report, s *ir.Server) {
	switch {
	case gate.ReservedServer(s.Name):
		r("C025", s.NameSpan, "`%s` is a server of the run itself: its tools are never judged", s.Name).Hintf("Choose another name.")
	case strings.Contains(s.Name, "__"):
		r("C025", s.NameSpan, "`%s` holds `__`, which parts a server from its tools in rules", s.Name).Hintf("Write one `_`.")
	}
}

// checkTransport holds the properties of a server against its transport.
func checkTransport(r report, s *ir.Server) {
	needs, value, kind := "url", s.URL, "an"
	unfit := []struct {
		prop string
		at   source.Span
	}{{"command", s.Command.Span}, {"args", argsSpan(s)}}
	switch s.Transport.V {
	case "":
		r("C025", s.NameSpan, "the server `%s` has no `transport:`", s.Name).
			Hintf("Add `transport:` with %s.", alternatives(schema.Words(rowOf("mcp_server", "transport").Values)))
		return
	case "stdio":
		needs, value, kind = "command", s.Command, "a"
		unfit = unfit[:1]
		unfit[0].prop, unfit[0].at = "url", s.URL.Span
	}
	if value.V == "" {
		at := s.NameSpan
		if value.Set() {
			at = value.Span
		}
		r("C025", at, "%s `%s` server needs `%s:`, and `%s` has none", kind, s.Transport.V, needs, s.Name)
	}
	for _, p := range unfit {
		if !p.at.IsZero() {
			r("C025", p.at, "%s `%s` server takes no `%s:`", kind, s.Transport.V, p.prop).
				See(s.Tree, s.Transport.Span, "the transport")
		}
	}
}

// argsSpan is where a server's arguments stand; an empty list asks for nothing.
func argsSpan(s *ir.Server) source.Span {
	if len(s.Args.V) == 0 {
		return source.Span{}
	}
	return s.Args.Span
}

// checkAuth wants a complete OAuth2 block.
func checkAuth(r report, s *ir.Server) {
	a := s.Auth
	if a.Type.Set() && a.Type.V != "oauth2" {
		r("C038", a.Type.Span, "the server `%s` signs in with %q; only `oauth2` is supported", s.Name, a.Type.V).
			Hintf("Write `type: \"oauth2\"`, or delete the block.")
		return
	}
	var missing []string
	for _, p := range []namedProp{{"type", a.Type}, {"auth_url", a.AuthURL}, {"token_url", a.TokenURL}, {"client_id", a.ClientID}} {
		if p.value.V == "" {
			missing = append(missing, p.prop+":")
		}
	}
	if missing != nil {
		r("C038", a.KeySpan, "the sign-in of the server `%s` lacks %s", s.Name, joined(missing, "and"))
	}
	for _, address := range []ir.Opt[string]{a.AuthURL, a.TokenURL, a.RevokeURL} {
		if text, ok := effective.Settled(address.V); ok && text != "" && !webAddress(text) {
			r("C038", address.Span, "%q is no http or https address with a host", address.V).
				Hintf("Write the whole address, such as `https://id.example.com/token`.")
		}
	}
}

// webAddress tells whether a text is an absolute http(s) URL with a host.
func webAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}
