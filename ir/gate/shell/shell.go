// Package shell says what the text of a shell command comes to, for the
// permission gate. It knows no rule: it returns the texts that a rule may be
// tried on, and what keeps a text from being read.
//
// Two readings are taken from one walk over the parsed text. Closing is read
// wide: whatever may run is among Texts, in several spellings, and what cannot
// be known is said (Opaque, Heads, DynamicWrite). Opening is read narrow: every
// simple command stands in Simple as it was written, and a shape that could do
// more than its words say is named in Plain.
//
// The text is read as bash reads it. It is never run, and what files hold is
// not read.
package shell

import "strings"

// Script is what a command text comes to. It is immutable.
type Script struct {
	// Texts are what a closing pattern is tried on, each once: the whole text
	// first, then every simple command and pipeline that may run, at every
	// level, as written and in normal form. In normal form assignments,
	// redirections and static quoting are gone, braces are expanded, words are
	// joined by one blank, and the program is also spelled by its last path
	// segment and in lower case; the command inside a wrapper is a text of its
	// own. A part that is not static stands as it was written.
	Texts []string

	// Heads are the texts before the first part that is not static, of each of
	// Texts that has such a part. A head that begins the static start of a
	// closing pattern, or is begun by it, makes the command unreadable for that
	// pattern. The empty head begins every pattern: words that are not known
	// may be any command.
	Heads []string

	// Opaque says why the command is unreadable whatever the patterns are, ""
	// when it is not.
	Opaque string

	// Writes are the output redirections to paths. A dynamic one is listed as
	// written, and sets DynamicWrite.
	Writes []Write

	// DynamicWrite tells that a redirection writes to a path that is not known.
	// Such a command is unreadable, and no pattern for a write opens it.
	DynamicWrite bool

	// Folders are all folders that the start or a change of folder names: a
	// closing rule is tried on the relative path of a write from each of them.
	// They are spelled as those of Write.
	Folders []string

	// Plain says which shape keeps prefixes and globs from opening the command,
	// "" when only plain shapes occur.
	Plain string

	// Simple are the simple commands, for opening.
	Simple []Simple
}

// Write is an output redirection to a path.
type Write struct {
	Path string // `~/x` is below the home folder, `./~/x` is below one that is called `~`
	// Dirs are the folders from where it may be written: "" is the start folder,
	// others are relative to it or absolute, "~" is the home folder.
	Dirs []string
}

// Simple is one simple command.
type Simple struct {
	Forms   []Form  // a rule that opens one of them opens the command
	Neutral Neutral // what it is beside the commands that rules open
	Dirs    []string
}

// Form is a spelling of a simple command, without its redirections. The words
// are joined by one blank, either as written or with static quoting removed. In
// the latter a blank, tab or newline inside of a word is written as Inside, so
// that only a wildcard can meet it. `time`, `timeout` and harmless assignments
// are peeled in some forms.
type Form struct {
	Text  string
	Fixed int // bytes of Text that are static; what lies behind is opened by an open tail only
}

// Inside stands for a blank inside of a word. No text that the gate lets pass
// holds it.
const Inside = '\x00'

// Neutral says whether a simple command is harmless beside one that a rule opens.
type Neutral uint8

const (
	NotNeutral    Neutral = iota
	AlwaysNeutral         // it does nothing but compute, print or end
	ChangesFolder         // to one of Simple.Dirs: neutral when all of them are inside the workspace
)

// Parse reads a command. A working directory other than "" counts as a change
// of folder before it.
func Parse(command, workdir string) *Script {
	if workdir == "" {
		var plain Plain
		if s := plain.Read(command); s != nil {
			return s
		}
	}
	return guarded(command, workdir)
}

// guarded reads a command by the parser. A fault in reading it closes.
func guarded(command, workdir string) (s *Script) {
	defer func() {
		if recover() != nil {
			s = &Script{Texts: []string{command}, Folders: []string{""}, Opaque: "it cannot be read", Plain: "it cannot be read", DynamicWrite: true}
		}
	}()
	return read(command, workdir)
}

// read reads a command by the parser.
func read(command, workdir string) *Script {
	r := newReader(command)
	in := startFolder
	if workdir != "" {
		in = r.enter(in, workdir)
		r.text("cd " + workdir)
		r.Simple = append(r.Simple, Simple{Forms: []Form{whole("cd " + marked(workdir))}, Neutral: ChangesFolder, Dirs: in.list})
	}
	r.unit(command, place{in: in, opening: true})
	if i := strings.IndexAny(command, "$`*?[{~"); i >= 0 && len(r.Simple) > 1 {
		r.head(command[:i]) // a pattern may be about several commands
	}
	r.reopened()
	r.settle()
	script := r.Script
	r.release()
	return script
}

// Wrapper tells whether a program is known to run the command, or the code,
// that its words are. The name is compared by its last path segment, in any case.
func Wrapper(name string) bool {
	_, ok := wrappers()[lower(base(name))]
	return ok
}

func whole(text string) Form { return Form{text, len(text)} }
