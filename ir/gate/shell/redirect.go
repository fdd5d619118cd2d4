package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// input is what a command reads. The zero value is not known.
type input struct {
	kind  inputKind
	word  *syntax.Word   // of a here-document or a here-string
	body  bool           // it is a here-document
	raw   bool           // whose delimiter is quoted: nothing in it is expanded
	tabs  bool           // its lines lose their leading tabs
	stmts []*syntax.Stmt // whose output it is
	from  *input         // what they read
}

type inputKind uint8

const (
	unknownInput inputKind = iota
	fileInput              // what a file holds is not read
	wordInput
	pipeInput
)

// inputs notes what may turn /dev/stdout into a file that is read.
type inputs struct {
	read    []Write // files opened for input
	reopen  bool    // /dev/stdout or /dev/stderr is opened by its name
	crossed bool    // descriptors lead elsewhere than they usually do
}

// redirects reads the redirections of a command, and returns the place with
// what it reads then.
func (r *reader) redirects(list []*syntax.Redirect, at place) place {
	outer := at
	for _, rd := range list {
		r.expansions(rd.Word, outer)
		if rd.N != nil && strings.HasPrefix(rd.N.Value, "{") {
			r.unplain("a redirection that sets a variable", at)
		}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			r.hereText(rd, outer, &at)
		case syntax.RdrIn, syntax.DplIn:
			r.redirectIn(rd, outer, &at)
		case syntax.DplOut:
			f := r.field(rd.Word, outer)
			if descriptor(f) {
				r.crossing(strings.TrimSuffix(f.text, "-"))
				continue
			}
			r.write(f, outer)
		default:
			if rd.Op == syntax.RdrInOut && standardInput(rd) {
				at.stdin = input{kind: fileInput}
			}
			r.write(r.field(rd.Word, outer), outer)
		}
	}
	return at
}

func standardInput(rd *syntax.Redirect) bool { return rd.N == nil || rd.N.Value == "0" }

func (r *reader) hereText(rd *syntax.Redirect, outer place, at *place) {
	in := hereInput(rd)
	if in.body {
		r.expansions(rd.Hdoc, outer)
	} else {
		r.field(rd.Word, outer) // for what it quotes
	}
	if standardInput(rd) {
		at.stdin = in
		return
	}
	at.extra = append(at.extra[:len(at.extra):len(at.extra)], in)
}

func hereInput(rd *syntax.Redirect) input {
	if rd.Op == syntax.WordHdoc {
		return input{kind: wordInput, word: rd.Word}
	}
	delimiter := rd.Word.Lit()
	raw := delimiter == "" || strings.Contains(delimiter, `\`)
	return input{kind: wordInput, word: rd.Hdoc, body: true, raw: raw, tabs: rd.Op == syntax.DashHdoc}
}

func (r *reader) redirectIn(rd *syntax.Redirect, outer place, at *place) {
	f := r.field(rd.Word, outer)
	in := input{}
	switch sub := substitution(f); {
	case rd.Op == syntax.DplIn && descriptor(f):
		r.crossing(strings.TrimSuffix(f.text, "-"))
	case sub != nil:
		in = input{kind: pipeInput, stmts: sub.Stmts}
	case f.dynamic:
		r.unplain("an input from a path that is not static", outer)
	default:
		r.network(f, outer)
		r.files.read = append(r.files.read, Write{literalPath(f.text), outer.in.list})
		if !device(f.text) {
			in.kind = fileInput
		}
	}
	if standardInput(rd) {
		at.stdin = in
		return
	}
	r.files.crossed = true
	if in.kind == pipeInput {
		at.extra = append(at.extra[:len(at.extra):len(at.extra)], in)
	}
}

// substitution returns the process substitution that a word is, nil when it is none.
func substitution(f field) *syntax.ProcSubst {
	if f.word == nil || len(f.word.Parts) != 1 {
		return nil
	}
	p, _ := f.word.Parts[0].(*syntax.ProcSubst)
	return p
}

// descriptor tells whether the word behind `>&` or `<&` names a descriptor, and
// no path.
func descriptor(f field) bool {
	return !f.dynamic && (f.text == "-" || allDigits(strings.TrimSuffix(f.text, "-")))
}

// crossing notes that a descriptor is duplicated that may be one for input.
func (r *reader) crossing(fd string) {
	if fd != "" && fd != "1" && fd != "2" {
		r.files.crossed = true
	}
}

// device tells whether a path may lead to what another part of the command
// provides, or to a network.
func device(p string) bool { return strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/") }

func (r *reader) network(f field, at place) {
	if strings.HasPrefix(f.text, "/dev/tcp/") || strings.HasPrefix(f.text, "/dev/udp/") {
		r.unplain("a network device", at)
	}
}

// write notes an output redirection.
func (r *reader) write(f field, at place) {
	switch f.text {
	case "/dev/null":
		return
	case "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2":
		r.files.reopen = true
		return
	}
	if substitution(f) != nil {
		return
	}
	r.network(f, at)
	p := f.text
	if !f.home() {
		p = literalPath(p)
	}
	if f.dynamic || at.in.lost && !rooted(p) {
		r.DynamicWrite = true
	}
	if at.later {
		r.deferred = append(r.deferred, len(r.Writes))
	}
	r.addWrite(Write{p, at.in.list})
}

func (r *reader) addWrite(w Write) {
	if len(w.Dirs) == 0 {
		w.Dirs = startFolder.list // nothing is known, or needed
	}
	if r.spend(len(w.Path)) {
		r.Writes = append(r.Writes, w)
	}
}

// settle says from where the writes may be done that come at another time: from
// every folder that is named.
func (r *reader) settle() {
	for _, i := range r.deferred {
		if w := &r.Writes[i]; !rooted(w.Path) {
			w.Dirs = r.Folders
			r.DynamicWrite = r.DynamicWrite || r.strayed
		}
	}
}

// reopened closes a detour: where a descriptor for input was put in the place
// of another, /dev/stdout opens its file again, for output.
func (r *reader) reopened() {
	if r.files.reopen && r.files.crossed {
		for _, w := range r.files.read {
			r.addWrite(w)
		}
	}
}
