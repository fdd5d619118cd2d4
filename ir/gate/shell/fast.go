package shell

import (
	"strings"
	"sync"
)

// A plain command needs no parser: words of unspecial characters, one blank
// between them, and a program that is not known to do anything but to run.

// Plain is the script of a plain command, in one piece that can be used again.
type Plain struct {
	script Script
	texts  [1]string
	forms  [1]Form
	simple [1]Simple
}

// Read reads a plain command; nil when it is none. The script is valid until
// the next Read.
func (p *Plain) Read(command string) *Script {
	name := plainWords(command)
	if name == 0 || special(command[:name]) {
		return nil
	}
	p.texts[0] = command
	p.forms[0] = whole(command)
	p.simple[0] = Simple{Forms: p.forms[:]}
	p.script = Script{Texts: p.texts[:], Folders: startFolder.list, Simple: p.simple[:]}
	return &p.script
}

// plainWords returns the length of the first word of a plain command, 0 when the
// text is none. In that word the characters are fewer: it is no path, has no
// upper case and is no assignment.
func plainWords(s string) (name int) {
	blank := true
	for i := 0; i < len(s); i++ {
		switch class := plainness[s[i]]; {
		case class == blankByte:
			if blank {
				return 0
			}
			if name == 0 {
				name = i
			}
			blank = true
			continue
		case class == inAnyWord, class == inArgument && name > 0, class == notFirst && !blank && name > 0 && s[i-1] != '=' && s[i-1] != ':':
		default:
			return 0
		}
		blank = false
	}
	if blank {
		return 0
	}
	if name == 0 {
		name = len(s)
	}
	return name
}

const (
	blankByte  = iota + 1
	inAnyWord  // also in the name of a program
	inArgument // in the words behind it
	notFirst   // in them, but not in front: `~`, `#`
)

var plainness = classes()

func classes() (table [256]byte) {
	for _, class := range []struct {
		bytes string
		class byte
	}{
		{" ", blankByte}, {"abcdefghijklmnopqrstuvwxyz0123456789_-.+", inAnyWord},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZ/:,@%=^", inArgument}, {"~#", notFirst},
	} {
		for _, b := range []byte(class.bytes) {
			table[b] = class.class
		}
	}
	return table
}

// special tells whether a command word means more than to run a program of that
// name: a word of the shell's grammar, a builtin that is judged, a wrapper, a
// program that may be neutral, what begins like a number.
func special(name string) bool {
	_, ok := specials()[name]
	return ok || strings.IndexByte(".-+0123456789", name[0]) >= 0
}

var specials = sync.OnceValue(func() map[string]struct{} {
	all := map[string]struct{}{}
	for _, name := range []string{
		"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function", "select", "time", "coproc",
		"export", "declare", "local", "readonly", "typeset", "nameref", "let",
		"cd", "pushd", "popd", "exit", "set", "hash", "read", "printf", "getopts",
		"true", "false", "sleep", "test", "pwd", "break", "continue", "wait", "echo",
	} {
		all[name] = struct{}{}
	}
	for name := range wrappers() {
		all[name] = struct{}{}
	}
	for name := range filters() {
		all[name] = struct{}{}
	}
	return all
})
