package gate

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Files is what the gate asks of the file system: never what a file holds.
// Names are absolute and slash-separated. A nil Files has no links.
type Files interface {
	// Link returns the target of a symbolic link. ok is false for anything
	// else; missing tells that nothing has this name.
	Link(name string) (target string, ok, missing bool)
}

// place is the folder that relative paths start from.
type place struct {
	files Files
	cwd   string // absolute, clean, as spelled; "" when it is not known
	real  string // with its links resolved
	home  string // absolute, clean; "" when it is not known
}

func newPlace(files Files, cwd, home string) *place {
	p := &place{files: files}
	if path.IsAbs(cwd) {
		p.cwd = path.Clean(cwd)
		p.real = p.cwd
		if real, ok := p.walk(p.cwd); ok {
			p.real = real
		}
	}
	if path.IsAbs(home) {
		p.home = path.Clean(home)
	}
	return p
}

// mostLinks is how many links a path may lead through, as kernels count.
const mostLinks = 40

// walk goes along an absolute path as the kernel does: a link is followed where
// it stands, and `..` leaves what it led to. What does not exist is kept as
// spelled. It is not ok for a loop.
func (p *place) walk(name string) (real string, ok bool) {
	if p.files == nil {
		return path.Clean(name), true
	}
	if isClean(name) && !p.crossesLink(name) {
		return name, true
	}
	todo := strings.Split(name, "/")
	at, links, gone := "/", 0, false
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, part)
		if gone {
			at = next
			continue
		}
		target, link, missing := p.files.Link(next)
		gone = missing
		if !link {
			at = next
			continue
		}
		if links++; links > mostLinks {
			return "", false
		}
		if path.IsAbs(target) {
			at = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return at, true
}

// crossesLink tells whether a clean absolute path leads through a link.
func (p *place) crossesLink(name string) bool {
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		switch _, link, missing := p.files.Link(name[:i]); {
		case link:
			return true
		case missing:
			return false
		}
	}
	return false
}

// isClean tells whether a path is one that path.Clean leaves as it is.
func isClean(name string) bool {
	if name == "" {
		return false
	}
	start := 0
	if name[0] == '/' {
		start = 1
	}
	if start == len(name) {
		return true
	}
	for i := start; ; i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		if part := name[start:i]; part == "" || part == "." || part == ".." {
			return false
		}
		if i >= len(name) {
			return true
		}
		start = i + 1
	}
}

// absolute makes a path absolute without cleaning it. A leading `~/` is the
// home folder. It is "" when nothing tells where the path starts.
func (p *place) absolute(name string) string {
	switch {
	case name == "~" && p.home != "":
		return p.home
	case strings.HasPrefix(name, "~/") && p.home != "":
		return p.home + name[1:]
	case path.IsAbs(name):
		return name
	case p.cwd != "":
		return p.cwd + "/" + name
	}
	return ""
}

// relative returns an absolute path relative to the workspace, "." for the
// workspace itself.
func (p *place) relative(abs string) (string, bool) {
	for _, root := range []string{p.real, p.cwd} {
		switch {
		case root == "":
		case abs == root:
			return ".", true
		case root == "/":
			return abs[1:], true
		case strings.HasPrefix(abs, root) && abs[len(root)] == '/':
			return abs[len(root)+1:], true
		}
	}
	return "", false
}

// readings are the paths that a text could mean: as sent, as a URI, with its
// escapes decoded, with its backslashes read as slashes.
func readings(text string) []string {
	list := []string{text}
	add := func(s string) {
		for _, have := range list {
			if have == s {
				return
			}
		}
		list = append(list, s)
	}
	for i := 0; i < len(list) && len(list) < 16; i++ {
		if rest, ok := fileURI(list[i]); ok {
			add(rest)
		}
		if strings.Contains(list[i], "%") {
			if decoded, err := url.PathUnescape(list[i]); err == nil {
				add(decoded)
			}
		}
		if strings.Contains(list[i], `\`) {
			add(strings.ReplaceAll(list[i], `\`, "/"))
		}
	}
	return list
}

// fileURI returns the path of a `file:` URI.
func fileURI(text string) (string, bool) {
	if len(text) < 5 || !strings.EqualFold(text[:5], "file:") {
		return "", false
	}
	rest := text[5:]
	if strings.HasPrefix(rest, "//") {
		_, after, ok := strings.Cut(rest[2:], "/")
		if !ok {
			return "/", true
		}
		return "/" + after, true
	}
	return rest, true
}

// fold writes a path in the one form in which case, normal form and slashes do
// not tell two names apart.
func fold(name string) string {
	plain := true
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || c == '\\' || 'A' <= c && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	name = strings.ReplaceAll(name, `\`, "/")
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// filePath is one path of a call.
type filePath struct {
	place  *place
	text   string
	closed []string // closing candidates, folded, each once
	inside bool     // it lies inside the workspace, by some reading
	opened []string // what every reading really opens, absolute; nil for a loop or nowhere

	most [4]string // what closed holds of a plain path
	only [1]string // what opened holds of it
}

// newPath reads a path of a call.
func (p *place) newPath(text string) *filePath {
	f := &filePath{place: p, text: text}
	f.closed, f.opened = f.most[:0], f.only[:0]
	if p.plain(text) && f.readPlain() {
		return f
	}
	loop := false
	for _, r := range readings(text) {
		f.candidate(r)
		f.candidate(path.Clean(r))
		abs := p.absolute(r)
		if abs == "" {
			loop = true
			continue
		}
		f.located(path.Clean(abs))
		// The kernel leaves a link's target by `..`; a program that cleans the
		// text first leaves the link's folder.
		for _, spelled := range []string{abs, path.Clean(abs)} {
			real, ok := p.walk(spelled)
			if !ok {
				loop = true
				continue
			}
			f.located(real)
			f.opens(real)
		}
	}
	if loop {
		f.opened = nil
	}
	return f
}

// plain tells whether a text has one reading only.
func (p *place) plain(text string) bool {
	return p.cwd != "" && isClean(text) && !strings.ContainsAny(text, `%\:~`)
}

// readPlain is newPath for a path of one reading. It is not ok for a loop.
func (f *filePath) readPlain() bool {
	abs := f.text
	if !path.IsAbs(abs) {
		abs = join(f.place.cwd, abs)
		f.candidate(f.text)
	}
	f.located(abs)
	real, ok := f.place.walk(abs)
	if !ok {
		f.closed = f.closed[:0]
		return false
	}
	if real != abs {
		f.located(real)
	}
	f.opens(real)
	return true
}

// closingOf adds what closing patterns meet of some paths: whole spellings, and
// single names.
func closingOf(files []*filePath, texts []string) []string {
	for _, f := range files {
		for _, c := range f.closed {
			texts = append(texts, c)
			c = strings.TrimSuffix(c, "/")
			for name := range strings.SplitSeq(c, "/") {
				texts = append(texts, name)
			}
		}
	}
	return texts
}

// openingOf adds what opening patterns meet: what is really opened, and what
// that is called from the workspace.
func openingOf(files []*filePath, texts []string) []string {
	for _, f := range files {
		for _, real := range f.opened {
			texts = append(texts, real)
			if rel, ok := f.place.relative(real); ok {
				texts = append(texts, rel, path.Base(rel), path.Join(f.place.cwd, rel))
			}
		}
	}
	return texts
}

func (f *filePath) candidate(text string) {
	text = fold(text)
	for _, have := range f.closed {
		if have == text {
			return
		}
	}
	f.closed = append(f.closed, text)
}

// located adds an absolute path, and its form relative to the workspace.
func (f *filePath) located(abs string) {
	f.candidate(abs)
	if rel, ok := f.place.relative(abs); ok {
		f.inside = true
		f.candidate(rel)
	}
}

func (f *filePath) opens(real string) {
	for _, have := range f.opened {
		if have == real {
			return
		}
	}
	f.opened = append(f.opened, real)
}
