package shell

import (
	"strings"
	"sync"
)

// wrapper is a program that runs the command, or the code, that its words are.
// An option that the row does not know is read with the next word and without it.
type wrapper struct {
	kind   wrapperKind
	flags  string          // letters of options without a value
	values string          // letters of options with one
	maybe  string          // letters of options with one only where it is attached
	code   string          // letters of options whose value is code for a shell
	dir    string          // letters of options whose value is the folder of the command
	words  string          // letters of options whose value is split into words
	long   map[string]byte // long options whose value matters, as their letter
	skip   int             // words that stand before the command
	assign bool            // assignments may stand before it
	shell  string          // letters that ask for a shell when no command follows; "*" for one in any case
	grows  bool            // words are added to its code
	inside bool            // the shell itself runs the command
	loose  bool            // words of its own stand before the command, or none: any may begin it
}

type wrapperKind uint8

const (
	prefix      wrapperKind = iota // the command is behind its options
	joinedWords                    // as prefix, and the words are joined to code
	appended                       // more words are read from its input
	searched                       // the commands are behind its tests
	shellProgram
	evalCode
	sourcedFile
	trapCode
	aliasCode
)

var chdir = map[string]byte{"chdir": 'C', "split-string": 'S', "unset": 'u'}

// wrappers are the programs whose words are looked into, by name.
var wrappers = sync.OnceValue(func() map[string]*wrapper {
	return map[string]*wrapper{
		"env":         {flags: "i0v", values: "u", dir: "C", words: "S", assign: true, long: chdir},
		"command":     {flags: "p", inside: true},
		"builtin":     {inside: true},
		"exec":        {flags: "cl", values: "a"},
		"nohup":       {},
		"nice":        {flags: "0123456789", values: "n"},
		"ionice":      {flags: "t", values: "cnpPu"},
		"time":        {flags: "apqvV", values: "fo"},
		"timeout":     {flags: "v", values: "ks", skip: 1},
		"stdbuf":      {values: "ioe"},
		"setsid":      {flags: "cfw"},
		"taskset":     {flags: "apc", skip: 1},
		"chroot":      {skip: 1, shell: "*"},
		"flock":       {flags: "sxnuoFv", values: "wE", code: "c", skip: 1, long: map[string]byte{"command": 'c'}},
		"watch":       {kind: joinedWords, flags: "bcdegprtxw", values: "nqs"},
		"runuser":     {values: "ugGswT", code: "c", loose: true},
		"sg":          {code: "c", loose: true},
		"script":      {code: "c", loose: true},
		"setarch":     {loose: true},
		"chrt":        {loose: true},
		"unshare":     {loose: true},
		"nsenter":     {loose: true},
		"setpriv":     {loose: true},
		"prlimit":     {loose: true},
		"strace":      {loose: true},
		"ltrace":      {loose: true},
		"pkexec":      {loose: true},
		"systemd-run": {loose: true},
		"firejail":    {loose: true},
		"bwrap":       {loose: true},
		"proot":       {loose: true},
		"fakeroot":    {loose: true},
		"unbuffer":    {loose: true},
		"caffeinate":  {loose: true},
		"parallel":    {kind: joinedWords, loose: true},
		"gtimeout":    {flags: "v", values: "ks", skip: 1},
		"gnice":       {flags: "0123456789", values: "n"},
		"genv":        {flags: "i0v", values: "u", dir: "C", words: "S", assign: true, long: chdir},
		"busybox":     {},
		"toybox":      {},
		"sudo":        {flags: "ABbEeHiKklnNPSsVv", values: "aCcgGhpRrtTUu", dir: "D", assign: true, shell: "is", long: map[string]byte{"chdir": 'D', "login": 'i', "shell": 's'}},
		"doas":        {flags: "Lns", values: "aCu", assign: true, shell: "s"},
		"su":          {flags: "lmpfP-", values: "gGsw", code: "c", skip: 1 << 20, shell: "*", long: map[string]byte{"command": 'c', "session-command": 'c'}},
		"xargs":       {kind: appended, flags: "0rtpxo", values: "adEILnPsR", maybe: "eil", long: map[string]byte{"replace": 'i'}},
		"find":        {kind: searched},
		"sh":          {kind: shellProgram},
		"bash":        {kind: shellProgram},
		"rbash":       {kind: shellProgram},
		"dash":        {kind: shellProgram},
		"ash":         {kind: shellProgram},
		"ksh":         {kind: shellProgram},
		"mksh":        {kind: shellProgram},
		"zsh":         {kind: shellProgram},
		"fish":        {kind: shellProgram},
		"eval":        {kind: evalCode, inside: true},
		"source":      {kind: sourcedFile, inside: true},
		".":           {kind: sourcedFile, inside: true},
		"trap":        {kind: trapCode, inside: true},
		"alias":       {kind: aliasCode, inside: true},

		// Builtins of bash with an option that takes a command or code.
		"jobs":      {flags: "lnprsx"},
		"mapfile":   {flags: "t", values: "dnOsuc", code: "C", grows: true, skip: 1 << 20},
		"readarray": {flags: "t", values: "dnOsuc", code: "C", grows: true, skip: 1 << 20},
		"compgen":   {flags: "abcdefgjksuv", values: "AoFGPSWXV", code: "C", grows: true, skip: 1 << 20},
		"complete":  {flags: "abcdefgjksuvprDEI", values: "AoFGPSWX", code: "C", grows: true, skip: 1 << 20},
	}
})

// option is an option that was read, with its value if it has one.
type option struct {
	letter byte
	value  field
	next   int // the word behind it
}

// scanned is how the words of a wrapper can be read.
type scanned struct {
	starts  []int // where its command may begin
	options []option
}

// asks tells whether one of some options was read.
func (s *scanned) asks(letters string) bool {
	for i := range s.options {
		if strings.IndexByte(letters, s.options[i].letter) >= 0 {
			return true
		}
	}
	return false
}

const maxReadings = 32

type reading struct{ i, skip int }

// scan reads the words behind a wrapper in every way that they can be read.
func (r *reader) scan(w *wrapper, f []field, at place) (s scanned) {
	todo := append(make([]reading, 0, 4), reading{0, w.skip})
	for n := 0; n < len(todo); n++ {
		at0 := todo[n]
		if at0.i >= len(f) {
			continue
		}
		word := f[at0.i]
		if word.split {
			r.head("") // it may be anything, and more words than one
		}
		next, option := w.option(f, at0.i, &s.options)
		switch {
		case option:
			for _, i := range next {
				todo = more(todo, reading{i, at0.skip})
			}
		case w.assign && assignment(word):
			r.assigned(word, at)
			todo = more(todo, reading{at0.i + 1, at0.skip})
		case at0.skip > 0:
			todo = more(todo, reading{at0.i + 1, at0.skip - 1})
			if word.dynamic && word.fixed == 0 {
				todo = more(todo, reading{at0.i + 1, at0.skip}) // it may be an option
			}
		default:
			s.starts = append(s.starts, at0.i)
			if w.loose {
				todo = more(todo, reading{at0.i + 1, 0})
			}
		}
		if len(todo) >= maxReadings && w.skip <= 1 {
			r.head("")
			break
		}
	}
	for _, o := range s.options {
		if o.value.split {
			r.head("")
		}
	}
	return s
}

func more(todo []reading, next reading) []reading {
	for _, known := range todo[max(0, len(todo)-maxReadings):] {
		if known == next {
			return todo
		}
	}
	return append(todo, next)
}

// option reads the word at i as an option; next is where reading may go on.
func (w *wrapper) option(f []field, i int, read *[]option) (next []int, ok bool) {
	word := f[i]
	known := word.text[:word.fixed]
	switch {
	case (w.skip > 1 || w.assign) && word.is("-"):
		return []int{i + 1}, true
	case len(known) < 2 || known[0] != '-':
		return nil, false
	case known == "--" && !word.dynamic:
		return []int{i + 1}, true
	case strings.HasPrefix(known, "--"):
		return w.longOption(f, i, read), true
	}
	for k := 1; k < len(known); k++ {
		c := known[k]
		switch {
		case strings.IndexByte(w.flags, c) >= 0:
			*read = append(*read, option{letter: c, next: i + 1})
		case strings.IndexByte(w.maybe, c) >= 0:
			*read = append(*read, option{c, word.from(k + 1), i + 1})
			return []int{i + 1}, true
		case !w.valued(c):
			return []int{i + 1, i + 2}, true
		case k+1 < len(word.text):
			*read = append(*read, option{c, word.from(k + 1), i + 1})
			return []int{i + 1}, true
		default:
			return valueOf(c, f, i, read), true
		}
	}
	if word.dynamic { // more letters follow
		return []int{i + 1, i + 2}, true
	}
	return []int{i + 1}, true
}

func (w *wrapper) valued(c byte) bool {
	return strings.IndexByte(w.values, c) >= 0 || strings.IndexByte(w.code, c) >= 0 ||
		strings.IndexByte(w.dir, c) >= 0 || strings.IndexByte(w.words, c) >= 0
}

// valueOf reads the next word as the value of an option.
func valueOf(letter byte, f []field, i int, read *[]option) []int {
	if i+1 < len(f) {
		*read = append(*read, option{letter, f[i+1], i + 2})
	}
	return []int{i + 2}
}

// longOption reads `--name` and `--name=value`; a name may be cut short.
func (w *wrapper) longOption(f []field, i int, read *[]option) []int {
	name, _, valued := strings.Cut(f[i].text[2:f[i].fixed], "=")
	var letter byte
	for long, c := range w.long {
		if strings.HasPrefix(long, name) {
			letter = c
		}
	}
	switch {
	case valued:
		*read = append(*read, option{letter, f[i].from(len(name) + 3), i + 1})
		return []int{i + 1}
	case letter == 0 || strings.IndexByte(w.flags+w.maybe, letter) >= 0:
		*read = append(*read, option{letter: letter, next: i + 1})
		return []int{i + 1, i + 2}
	}
	return valueOf(letter, f, i, read)
}

// assignment tells whether a word is read as `name=value`.
func assignment(f field) bool {
	i := strings.IndexByte(f.text[:f.fixed], '=')
	return i > 0
}

func (r *reader) assigned(f field, at place) {
	name, _, _ := strings.Cut(f.text, "=")
	r.variable(name, f, at)
}
