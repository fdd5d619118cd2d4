package gate

import (
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// address is the URL of a call.
type address struct {
	raw    string
	host   string // canonical; "" when the text names none that can be read
	port   string // with its colon, "" for the scheme's own
	user   bool   // it carries credentials
	climbs bool   // its path leaves a folder
	whole  string // scheme, host, port and path with what follows, canonical; "" without a host
}

func newAddress(raw string) *address {
	a := &address{raw: raw}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Opaque != "" {
		return a
	}
	scheme := strings.ToLower(u.Scheme)
	host, ok := canonicalHost(u.Hostname())
	if scheme != "http" && scheme != "https" || !ok {
		return a
	}
	a.host, a.port, a.user = host, portOf(scheme, u.Port()), u.User != nil
	rest := u.EscapedPath()
	if rest == "" {
		rest = "/"
	}
	a.climbs = climbs(rest)
	if u.RawQuery != "" || u.ForceQuery {
		rest += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		rest += "#" + u.EscapedFragment()
	}
	a.whole = scheme + "://" + bracketed(host) + a.port + rest
	return a
}

// canonicalHost writes a host in the one form in which hosts are compared:
// lower case, in ASCII, an address in its usual form. It is not ok for a text
// that is no host.
func canonicalHost(host string) (string, bool) {
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if host == "" {
		return "", false
	}
	if addr, ok := numericHost(host); ok {
		return addr, true
	}
	if plainHost(host) {
		return strings.ToLower(host), true
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		if ascii, err = idna.Punycode.ToASCII(strings.ToLower(host)); err != nil {
			return "", false
		}
	}
	if strings.ContainsAny(ascii, " /\\@?#%<>\"") {
		return "", false
	}
	if addr, ok := numericHost(ascii); ok { // digits of another script
		return addr, true
	}
	return strings.TrimSuffix(ascii, "."), true
}

// plainHost tells whether a host is of plain letters, digits, dots and dashes,
// and holds no label in another script.
func plainHost(host string) bool {
	for i := range len(host) {
		switch c := host[i] | 0x20; {
		case 'a' <= c && c <= 'z', '0' <= host[i] && host[i] <= '9', host[i] == '.', host[i] == '-', host[i] == '_':
		default:
			return false
		}
	}
	return !strings.Contains(strings.ToLower(host), "xn--")
}

// numericHost reads an address in any spelling that resolvers take: four, three,
// two or one number, each decimal, octal or hexadecimal, and IPv6.
func numericHost(host string) (string, bool) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone("").String(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var value uint64
	for i, part := range parts {
		n, ok := number(part)
		if !ok {
			return "", false
		}
		limit, shift := uint64(255), 8*uint(3-i)
		if i == len(parts)-1 {
			limit, shift = 1<<(8*uint(4-i))-1, 0
		}
		if n > limit {
			return "", false
		}
		value |= n << shift
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}).String(), true
}

func number(text string) (uint64, bool) {
	base := 10
	switch {
	case len(text) > 2 && (text[:2] == "0x" || text[:2] == "0X"):
		base, text = 16, text[2:]
	case len(text) > 1 && text[0] == '0':
		base, text = 8, text[1:]
	}
	n, err := strconv.ParseUint(text, base, 64)
	return n, err == nil && text[0] != '+'
}

func portOf(scheme, port string) string {
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return ""
	}
	return ":" + port
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// climbs tells whether a path leaves a folder, escaped or by a backslash too.
func climbs(escaped string) bool {
	for range 3 {
		for part := range strings.FieldsFuncSeq(escaped, func(r rune) bool { return r == '/' || r == '\\' || r == ';' }) {
			if part == ".." {
				return true
			}
		}
		decoded, err := url.PathUnescape(escaped)
		if err != nil {
			return true // an escape that cannot be read
		}
		if decoded == escaped {
			return false
		}
		escaped = decoded
	}
	return true
}

// resolved is the whole address with the dots of its path resolved.
func (a *address) resolved() string {
	head, rest := splitWhole(a.whole)
	cut := strings.IndexAny(rest, "?#")
	if cut < 0 {
		cut = len(rest)
	}
	decoded, err := url.PathUnescape(rest[:cut])
	if err != nil {
		decoded = rest[:cut]
	}
	clean := path.Clean("/" + strings.ReplaceAll(decoded, `\`, "/"))
	if strings.HasSuffix(decoded, "/") && clean != "/" {
		clean += "/"
	}
	return head + clean + rest[cut:]
}

// splitWhole parts a whole address before its path.
func splitWhole(whole string) (head, rest string) {
	_, after, _ := strings.Cut(whole, "://")
	slash := strings.IndexByte(after, '/')
	if slash < 0 {
		return whole, ""
	}
	at := len(whole) - len(after) + slash
	return whole[:at], whole[at:]
}

// webPattern is a pattern over addresses: a host, or a whole address.
type webPattern struct {
	wild   bool   // anything
	under  bool   // `*.host`: what is under it
	host   string // canonical; "" for a whole address or a text over hosts
	anyTLD wild   // a host with other wildcards, for closing only
	other  bool   // anyTLD counts
	scheme string // of a whole address
	head   string // its host and port, canonical
	rest   textPattern
	whole  bool
	raw    textPattern
}

func compileWeb(pattern string) *webPattern {
	w := &webPattern{raw: compileGlob(pattern)}
	name, domain := strings.CutPrefix(pattern, "domain:")
	switch {
	case isLoneWildcard(pattern) || domain && isLoneWildcard(name):
		w.wild = true
	case !domain && strings.Contains(pattern, "://"):
		w.address(pattern)
	default:
		w.hostname(name)
	}
	return w
}

func (w *webPattern) hostname(name string) {
	if rest, ok := strings.CutPrefix(name, "*."); ok {
		w.under, name = true, rest
	}
	if strings.Contains(name, "*") {
		w.other, w.anyTLD = true, compileWild(strings.ToLower(name))
		return
	}
	if host, port, ok := strings.Cut(name, ":"); ok && !strings.Contains(port, ":") && digits(port) {
		name = host
		w.head = ":" + port
	}
	w.host, _ = canonicalHost(name)
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// address reads a pattern over whole addresses. Its host and port are compared
// by themselves, so no wildcard goes on with them.
func (w *webPattern) address(pattern string) {
	scheme, after, _ := strings.Cut(pattern, "://")
	authority, rest, slash := strings.Cut(after, "/")
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		authority = authority[at+1:]
	}
	w.whole, w.scheme = true, strings.ToLower(scheme)
	if star := strings.IndexByte(authority, '*'); star >= 0 {
		w.other, w.anyTLD = true, compileWild(strings.ToLower(authority))
	} else if u, err := url.Parse(w.scheme + "://" + authority); err == nil {
		w.host, _ = canonicalHost(u.Hostname())
		w.head = portOf(w.scheme, u.Port())
	}
	if !slash && strings.HasSuffix(authority, "*") {
		rest = "*" // as a text, it went on with the path
	}
	w.rest = compileGlob("/" + rest)
}

// closes reads wide: a host covers its subdomains, a whole address either
// scheme; what cannot be read is tried as it is.
func (w *webPattern) closes(a *address) bool {
	if w.wild || w.raw.closes(a.raw) {
		return true
	}
	if a.host == "" {
		return false
	}
	if !w.closesHost(a) {
		return false
	}
	if !w.whole {
		return true
	}
	for _, whole := range []string{a.whole, a.resolved()} {
		if _, rest := splitWhole(whole); w.rest.closes(rest) {
			return true
		}
	}
	return false
}

func (w *webPattern) closesHost(a *address) bool {
	switch {
	case w.other:
		return w.anyTLD.match(a.host) || w.anyTLD.match(a.host+a.port)
	case w.host == "":
		return false
	case w.whole:
		return a.host == w.host && (w.head == "" || w.head == a.port)
	}
	return a.host == w.host || strings.HasSuffix(a.host, "."+w.host)
}

// opens reads narrow: the host exactly, or what is under it where the pattern
// says so; credentials and a climbing path are met by no wildcard.
func (w *webPattern) opens(a *address) bool {
	switch {
	case w.wild, w.whole && w.raw.exact() && w.raw.head == a.raw:
		return true
	case a.host == "" || a.user:
		return false
	case w.other || w.host == "":
		return false
	case w.whole:
		return w.opensWhole(a)
	case w.head != a.port && w.head != "":
		return false
	case w.under:
		return strings.HasSuffix(a.host, "."+w.host)
	}
	return a.host == w.host
}

func (w *webPattern) opensWhole(a *address) bool {
	head, rest := splitWhole(a.whole)
	if head != w.scheme+"://"+bracketed(w.host)+w.head {
		return false
	}
	if w.rest.exact() {
		return w.rest.head == rest
	}
	return !a.climbs && w.rest.opens(rest, len(rest))
}

// names tells whether the pattern is one address, and this one: as written, or
// as it reads.
func (w *webPattern) names(a *address) bool {
	if !w.whole || !w.raw.exact() {
		return false
	}
	return w.raw.head == a.raw || a.host != "" && !a.user && w.opensWhole(a) && w.rest.exact()
}
