package shell

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// What is read of one command. Beyond, it is opaque: reading stays linear in
// the size of the input, and the recursion within what a stack bears.
const (
	maxText  = 1 << 20 // bytes
	maxNest  = 500     // brackets and compound commands inside each other
	maxSteps = 200     // readings of one simple command
	maxDepth = 12      // codes and wrappers inside of each other
)

// textLimit bounds what the texts of a command may come to, and the code in it.
func textLimit(command string) int { return 1<<16 + 24*len(command) }

// reader collects what one command comes to.
type reader struct {
	*Script
	seen     map[string]struct{} // the texts, once they are many
	left     int                 // bytes that texts and codes may still take
	buf      []byte              // scratch
	pool     []field             // where the words of commands are put
	forms    []Form              // where forms are put
	files    inputs
	steps    int   // commands read for one simple command
	strayed  bool  // some change of folder leads where it is not known
	deferred []int // the writes in code that runs at another time
}

// place is where a command stands.
type place struct {
	src     string  // the text that positions point into
	depth   int     // of codes and wrappers around it
	in      folders // from where it may run
	stdin   input
	extra   []input  // here-documents on other descriptors
	names   *forName // of the loops around it
	timed   string   // `time` before it, as written
	piped   bool     // it reads a pipe
	open    bool     // more words may follow those that are written
	child   bool     // another process runs it: a change of folder is not ours
	later   bool     // it runs at another time
	opening bool     // it is a part of the text itself, not of a code in it
}

type forName struct {
	name  string
	outer *forName
}

func (n *forName) has(name string) bool {
	for ; n != nil; n = n.outer {
		if n.name == name {
			return true
		}
	}
	return false
}

func (r *reader) opaque(why string) {
	if r.Opaque == "" {
		r.Opaque = why
	}
}

func (r *reader) unplain(why string, at place) {
	if r.Plain == "" && at.opening {
		r.Plain = why
	}
}

const tooLarge = "it is too large to be read"

// spend counts bytes against the limit, and tells whether they are left.
func (r *reader) spend(n int) bool {
	if r.left -= n; r.left < 0 {
		r.opaque(tooLarge)
	}
	return r.left >= 0
}

const fewTexts = 24 // compared one by one

// text adds a text that a closing pattern is tried on.
func (r *reader) text(text string) {
	if text == "" || r.known(text) || !r.spend(len(text)) {
		return
	}
	r.Texts = append(r.Texts, text)
	if r.seen != nil {
		r.seen[text] = struct{}{}
	}
}

func (r *reader) known(text string) bool {
	if r.seen == nil && len(r.Texts) < fewTexts {
		return contains(r.Texts, text)
	}
	if r.seen == nil {
		r.seen = make(map[string]struct{}, 2*fewTexts)
		for _, t := range r.Texts {
			r.seen[t] = struct{}{}
		}
	}
	_, ok := r.seen[text]
	return ok
}

// head adds the static start of a text that is not static as a whole.
func (r *reader) head(text string) {
	if len(r.Heads) >= maxHeads {
		text = "" // which begins every pattern
	}
	if !contains(r.Heads, text) && r.spend(len(text)) {
		r.Heads = append(r.Heads, text)
	}
}

const maxHeads = 256

func contains(list []string, text string) bool {
	for _, t := range list {
		if t == text {
			return true
		}
	}
	return false
}

// readers are used again, for the rooms that they have.
var readers = sync.Pool{New: func() any { return &reader{pool: make([]field, 0, 64)} }}

const maxKept = 1 << 10 // words, of 64 bytes each; larger rooms are not kept

func newReader(command string) *reader {
	r := readers.Get().(*reader)
	*r = reader{buf: r.buf, pool: r.pool, left: textLimit(command), forms: make([]Form, 0, 8), Script: &Script{
		Texts:   append(make([]string, 0, 12), command),
		Folders: append(make([]string, 0, 2), ""),
		Simple:  make([]Simple, 0, 4),
	}}
	return r
}

// release gives a reader back; nothing that it read is kept.
func (r *reader) release() {
	if clear(r.pool); cap(r.pool) <= maxKept && cap(r.buf) <= 64*maxKept {
		*r = reader{buf: r.buf[:0], pool: r.pool[:0]}
		readers.Put(r)
	}
}

// parser is one that is used again.
type parser struct {
	*syntax.Parser
	text strings.Reader
}

var parsers = sync.Pool{New: func() any { return &parser{Parser: syntax.NewParser(syntax.Variant(syntax.LangBash))} }}

// unit reads a text or a code. It returns where the shell may stand behind it.
func (r *reader) unit(src string, at place) outcome {
	at.src = src
	file, why := parse(src)
	if why != "" {
		r.opaque(why)
	}
	if file == nil {
		return outcome{ok: at.in, fail: at.in}
	}
	return r.list(file.Stmts, at)
}

// code reads a text that some shell takes as code.
func (r *reader) code(src string, at place) outcome {
	at.depth++
	at.opening = false
	at.piped = false
	at.timed = ""
	if at.depth > maxDepth || !r.spend(len(src)) {
		r.opaque(tooLarge)
		return outcome{ok: at.in, fail: at.in}
	}
	r.text(strings.TrimRight(src, "\n"))
	return r.unit(src, at)
}

// parse reads a text as bash; why says why it cannot be read. Besides what is
// wrong for bash that is what bash and the parser are known to read apart. What
// can be read of such a text still closes.
func parse(src string) (file *syntax.File, why string) {
	switch {
	case len(src) > maxText || nesting(src) > maxNest:
		return nil, tooLarge
	case strings.ContainsAny(src, "\x00\r"):
		return nil, "it holds a NUL byte or a carriage return"
	}
	p := parsers.Get().(*parser)
	p.text.Reset(src)
	file, err := p.Parse(&p.text, "")
	p.text.Reset("")
	parsers.Put(p)
	if err != nil {
		return nil, "it does not parse as bash"
	}
	if joinsComment(src, file) {
		return nil, "a comment in it ends with a backslash"
	}
	return file, misread(src, file)
}

// nesting bounds how deep brackets and compound commands lie inside each other,
// quoting aside. Short texts cannot nest deep.
func nesting(src string) int {
	if len(src) < maxNest {
		return 0
	}
	most, depth, from := 0, 0, 0
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case c >= 'a' && c <= 'z':
			continue
		case c == '(' || c == '{' || c == '[':
			depth++
		case depth > 0 && (c == ')' || c == '}' || c == ']'):
			depth--
		}
		depth = max(0, depth+keywords[src[from:i]])
		most, from = max(most, depth), i+1
	}
	return most
}

// keywords says which words begin and end what nests.
var keywords = map[string]int{
	"if": 1, "while": 1, "until": 1, "for": 1, "case": 1, "select": 1, "time": 1, "coproc": 1, "function": 1,
	"fi": -1, "done": -1, "esac": -1,
}
