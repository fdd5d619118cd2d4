package toolrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"iterion/ir/gate"
)

// locate returns the file or folder that a call is about: the one that its path
// led to when the gate allowed it. The gate is asked once more about that very
// path, since a link may have changed while it judged. What is returned holds no
// link, and is to be opened so.
func (r *Runner) locate(a args, text string) (real string, err error) {
	switch {
	case len(a.Opens) != 1 || a.Opens[0] == "":
		return "", errors.New("the path leads nowhere: its links go in a circle, or the working directory is not known")
	case len(text) >= 5 && strings.EqualFold(text[:5], "file:"):
		return "", errors.New("a path is needed here, and no URI: write it without `file:`")
	}
	real = a.Opens[0]
	if !utf8.ValidString(real) {
		return "", errors.New("the path leads to a name that is no UTF-8, which no rule can be about")
	}
	if ofProcesses(real) {
		return "", errors.New("files under /proc are those of this program here, its environment and memory among them, and are not opened; use a shell command")
	}
	if err := r.confirm(a, real); err != nil {
		return "", err
	}
	r.hook("open")
	return real, nil
}

// place returns the folder of the file that a call is about, and its name there.
func (r *Runner) place(a args, text string) (folder, name string, err error) {
	real, err := r.locate(a, text)
	if err != nil {
		return "", "", err
	}
	if folder, name = parted(real); name == "" || strings.HasSuffix(text, "/") {
		return "", "", errFolder
	}
	return folder, name, nil
}

// ofProcesses tells whether a path leads into what the kernel shows of processes.
func ofProcesses(real string) bool { return real == "/proc" || strings.HasPrefix(real, "/proc/") }

// confirm judges a call with the path that it leads to.
func (r *Runner) confirm(a args, real string) error {
	key := "file_path"
	if a.search() {
		key = "path"
	}
	fields := map[string]json.RawMessage{}
	if a.search() {
		if err := json.Unmarshal([]byte(a.Input), &fields); err != nil {
			return err
		}
	}
	fields[key] = quoted(real)
	input, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if r.Gate == nil {
		return errors.New("there is no gate to judge by")
	}
	if v := r.Gate().Evaluate(gate.Call{Tool: a.Tool, Input: string(input)}); v.Decision != gate.Allowed {
		return fmt.Errorf("the path leads to %s, which is not allowed: %s", show(real), v.Reason())
	}
	return nil
}

// quoted is a path as JSON.
func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text) // of a string it never fails
	return b
}

// workspace is the working directory with its links resolved.
func (r *Runner) workspace() string {
	if real, err := filepath.EvalSymlinks(r.Dir); err == nil {
		return filepath.ToSlash(real)
	}
	return filepath.ToSlash(filepath.Clean(r.Dir))
}

// under returns a path relative to a folder, "." for the folder itself.
func under(dir, real string) (string, bool) {
	switch rest, ok := strings.CutPrefix(real, strings.TrimSuffix(dir, "/")); {
	case real == dir:
		return ".", true
	case ok && strings.HasPrefix(rest, "/"):
		return rest[1:], true
	}
	return "", false
}

// show writes a path for the model. One with characters that do not show, a line
// break among them, is quoted: it must not look like a line of the answer.
func show(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(name)
	}
	return name
}
