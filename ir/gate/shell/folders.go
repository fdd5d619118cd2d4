package shell

import (
	"path"
	"slices"
	"strings"
)

// folders are those where a shell may stand. A value is never changed.
type folders struct {
	list []string
	lost bool // or anywhere else
}

var startFolder = folders{list: []string{""}}

const maxFolders = 16

// outcome is where the shell may stand behind a command, by its exit status.
type outcome struct {
	ok, fail folders
	normal   part // the command as a part of a pipeline
	inner    part // the same without its wrappers
}

// any is where the shell may stand whatever the status.
func (o outcome) any() folders { return o.ok.or(o.fail) }

// ends tells whether nothing runs behind the command.
func (o outcome) ends() bool {
	return len(o.ok.list)+len(o.fail.list) == 0 && !o.ok.lost && !o.fail.lost
}

func (f folders) or(g folders) folders {
	if len(g.list) == 0 && !g.lost || len(f.list) > 0 && len(g.list) > 0 && &f.list[0] == &g.list[0] && len(f.list) == len(g.list) && f.lost == g.lost {
		return f
	}
	if len(f.list) == 0 && !f.lost {
		return g
	}
	all := folders{list: slices.Clip(f.list), lost: f.lost || g.lost}
	for _, dir := range g.list {
		if !contains(all.list, dir) {
			all.list = append(all.list, dir)
		}
	}
	return all.bounded()
}

func (f folders) bounded() folders {
	if len(f.list) > maxFolders {
		return folders{list: f.list[:maxFolders], lost: true}
	}
	return f
}

// astray is any folder.
func (r *reader) astray(f folders) folders {
	r.strayed = true
	return folders{f.list, true}
}

// changed tells whether folders hold more than they did.
func (f folders) changed(before folders) bool {
	if f.lost && !before.lost {
		return true
	}
	for _, dir := range f.list {
		if !contains(before.list, dir) {
			return true
		}
	}
	return false
}

// enter is where a change of folder leads, when it succeeds. `..` is taken
// lexically, as bash does.
func (r *reader) enter(f folders, dir string) folders {
	if rooted(dir) {
		r.folder(dir)
		return folders{list: []string{dir}}
	}
	if len(r.Folders) >= maxFolders*maxFolders {
		r.opaque(tooLarge)
		return r.astray(folders{})
	}
	next := folders{lost: f.lost}
	for _, from := range f.list {
		to := join(from, dir)
		if !contains(next.list, to) {
			next.list = append(next.list, to)
		}
		r.folder(to)
	}
	return next
}

func (r *reader) folder(dir string) {
	if !contains(r.Folders, dir) {
		r.Folders = append(r.Folders, dir)
	}
}

func join(from, dir string) string {
	if rooted(from) && from[0] == '~' {
		return from + "/" + dir // what the home folder is, is not known here
	}
	joined := path.Join(from, dir)
	if joined == "." {
		return ""
	}
	return literalPath(joined)
}

// rooted tells whether a path does not depend on where it is taken from.
func rooted(p string) bool {
	return strings.HasPrefix(p, "/") || p == "~" || strings.HasPrefix(p, "~/")
}

// changeFolder is what `cd`, `pushd` and `popd` do to the shell.
func (r *reader) changeFolder(name string, args []field, at place) outcome {
	out := outcome{fail: at.in}
	for len(args) > 0 && (args[0].is("--") || cdOption(args[0])) {
		args = args[1:]
	}
	switch {
	case name == "cd" && len(args) == 0:
		out.ok = r.enter(at.in, "~")
	case name == "popd" || len(args) != 1 || name == "pushd" && args[0].number():
		out.ok = r.astray(at.in)
	case args[0].home():
		out.ok = r.enter(at.in, args[0].text)
	case args[0].dynamic || args[0].text == "-":
		out.ok = r.astray(at.in)
	default:
		out.ok = r.enter(at.in, literalPath(args[0].text))
	}
	if at.child {
		out.ok = out.ok.or(at.in)
	}
	return out
}

// cdOption tells whether a word is an option of `cd` or `pushd`.
func cdOption(f field) bool {
	return len(f.text) > 1 && f.text[0] == '-' && !f.dynamic && strings.Trim(f.text[1:], "LPe@") == ""
}

// literalPath spells a path so that a `~` in front of it is no home folder.
func literalPath(p string) string {
	if strings.HasPrefix(p, "~") {
		return "./" + p
	}
	return p
}
