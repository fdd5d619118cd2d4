package gate

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pathPattern is a pattern over paths. Closing, it is folded, its wildcards
// cross folders, and it covers what lies under what it meets. Opening, it is
// read as written, and wildcards stay in their folder.
type pathPattern struct {
	text   string // with a leading `~/` replaced
	wild   bool   // a lone wildcard
	exact  bool
	single bool   // without a slash: tried on single names
	every  bool   // too many alternatives to try: closing, it meets everything
	closed []wild // alternatives, folded; each with what lies under it
	place  *place
}

func (p *place) compilePath(pattern string, closing bool) *pathPattern {
	c := &pathPattern{text: pattern, place: p, wild: isLoneWildcard(pattern)}
	if c.wild {
		return c
	}
	if p.home != "" && (pattern == "~" || strings.HasPrefix(pattern, "~/")) {
		c.text = p.home + pattern[1:]
	}
	c.exact = !strings.ContainsAny(c.text, "*?[{")
	c.single = !strings.Contains(c.text, "/") && !strings.Contains(c.text, `\`)
	if closing {
		c.closing()
	}
	return c
}

// closing compiles every form in which the pattern closes.
func (c *pathPattern) closing() {
	var texts []string
	for _, form := range c.forms() {
		list, ok := alternatives(fold(form))
		if !ok {
			c.every = true
			return
		}
		for _, text := range list {
			for _, alt := range shallow(text) {
				if alt = strings.TrimSuffix(alt, "/"); !slices.Contains(texts, alt) {
					texts = append(texts, alt)
				}
			}
		}
		if len(texts) > 2*mostAlternatives {
			c.every = true
			return
		}
	}
	c.closed = make([]wild, 0, 2*len(texts))
	for _, text := range texts {
		c.closed = append(c.closed, compileWild(text), compileWild(text+"/*"))
	}
}

// shallow lists the readings of a pattern in which `**/` stands for no folder
// too, and drops a final `/**`, since what lies under a folder is covered.
func shallow(text string) []string {
	for strings.HasSuffix(text, "/**") {
		text = text[:len(text)-3]
	}
	list := []string{text}
	for i := 0; i < len(list) && len(list) < 16; i++ {
		if at := strings.Index(list[i], "**/"); at >= 0 && (at == 0 || list[i][at-1] == '/') {
			list = append(list, list[i][:at]+list[i][at+3:])
			list[i] = list[i][:at] + "*/" + list[i][at+3:]
			i--
		}
	}
	return list
}

// forms are the spellings of the rule that are tried: as written, and with what
// stands before its first wildcard absolute, clean, and its links resolved.
func (c *pathPattern) forms() []string {
	forms := []string{c.text}
	static, rest := c.split()
	if c.single && static == "" {
		return forms
	}
	if abs := c.place.absolute(static); abs != "" {
		clean := path.Clean(abs)
		forms = append(forms, join(clean, rest))
		for _, spelled := range []string{abs, clean} {
			if real, ok := c.place.walk(spelled); ok {
				forms = append(forms, join(real, rest))
			}
		}
	} else if static != "" {
		forms = append(forms, join(path.Clean(static), rest))
	}
	return forms
}

// split parts the pattern before the folder or name with its first wildcard.
func (c *pathPattern) split() (static, rest string) {
	at := strings.IndexAny(c.text, "*?[{")
	if at < 0 {
		return c.text, ""
	}
	slash := strings.LastIndexByte(c.text[:at], '/')
	if slash == 0 {
		return "/", c.text[1:]
	}
	if slash < 0 {
		return "", c.text
	}
	return c.text[:slash], c.text[slash+1:]
}

func join(dir, rest string) string {
	switch {
	case rest == "":
		return dir
	case dir == "/":
		return "/" + rest
	}
	return dir + "/" + rest
}

// closes tells whether the pattern meets a path in any spelling.
func (c *pathPattern) closes(f *filePath) bool {
	if c.wild || c.every {
		return true
	}
	for _, candidate := range f.closed {
		if c.closesText(candidate) || c.single && c.closesNames(f, candidate) {
			return true
		}
	}
	return false
}

func (c *pathPattern) closesText(text string) bool {
	for i := range c.closed {
		if c.closed[i].match(text) {
			return true
		}
	}
	return false
}

// closesNames tries single names: the last of any path, and inside the
// workspace every one.
func (c *pathPattern) closesNames(f *filePath, candidate string) bool {
	candidate = strings.TrimSuffix(candidate, "/")
	if c.closesText(candidate[strings.LastIndexByte(candidate, '/')+1:]) {
		return true
	}
	if !f.inside || path.IsAbs(candidate) {
		return false
	}
	for name := range strings.SplitSeq(candidate, "/") {
		if c.closesText(name) {
			return true
		}
	}
	return false
}

// opens tells whether the pattern meets what a path really opens, in every
// reading of it.
func (c *pathPattern) opens(f *filePath) bool {
	if c.wild {
		return true
	}
	if len(f.opened) == 0 {
		return false
	}
	for _, real := range f.opened {
		if !c.opensReal(real) {
			return false
		}
	}
	return true
}

func (c *pathPattern) opensReal(real string) bool {
	rel, within := c.place.relative(real)
	if path.IsAbs(c.text) {
		if c.meets(real) {
			return true
		}
		// The workspace may itself be reached through a link.
		return within && c.place.cwd != c.place.real && c.meets(path.Join(c.place.cwd, rel))
	}
	if !within {
		return false
	}
	return c.meets(rel) || c.single && !c.exact && c.meets(path.Base(rel))
}

// meets is a match as written.
func (c *pathPattern) meets(name string) bool {
	if c.exact {
		return c.text == name
	}
	if dir, ok := strings.CutSuffix(c.text, "/**"); ok && dir == name {
		return true
	}
	ok, err := doublestar.Match(c.text, name)
	return ok && err == nil
}
