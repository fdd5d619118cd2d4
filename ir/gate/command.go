package gate

import (
	"path"
	"strings"

	"iterion/ir/gate/shell"
	"iterion/ir/tools"
)

// commandArgument is a shell command, or a program in some language.
type commandArgument struct {
	gate     *Gate
	text     string
	ok       bool // the text is there
	workdir  string
	language string
	script   *shell.Script // nil where the text is no shell's
	code     bool          // it is no command: only what names it whole opens it
	blocked  string        // why it cannot be read, see unread
}

// textKeys are the keys that hold the text of a tool.
func textKeys(t *tools.Tool) []string {
	switch t.Key {
	case "repl", "codemode":
		return codeKeys
	case "workflow":
		return workflowKeys
	}
	return commandKeys
}

var commandKeys, codeKeys, workflowKeys = []string{"command"}, []string{"code"}, []string{"source", "script"}

func (g *Gate) newCommand(t *tools.Tool, a *arguments, h *held) argument {
	c := &h.command
	c.gate, c.code = g, t.Subject == tools.Code
	if c.text, c.ok = a.text(textKeys(t)...); len(a.fields) > 1 {
		c.language, _ = a.text("language")
		c.readFolder(a)
	}
	if t.Key == "repl" {
		c.code = !shellLanguage(c.language)
	}
	if t.Subject == tools.Command || t.Key == "repl" && (!c.code || c.language == "") {
		if c.workdir == "" {
			c.script = h.plain.Read(c.text)
		}
		if c.script == nil {
			c.script = shell.Parse(c.text, c.workdir)
		}
	}
	return c
}

func (c *commandArgument) readFolder(a *arguments) {
	for _, key := range []string{"workdir", "cwd"} {
		if f := a.find(key); f != nil {
			c.ok = c.ok && f.isText && (c.workdir == "" || c.workdir == f.text)
			c.workdir = f.text
		}
	}
}

func shellLanguage(name string) bool {
	switch strings.ToLower(name) {
	case "sh", "bash", "shell", "zsh", "dash", "ksh", "ash":
		return true
	}
	return false
}

// folder is where the command starts.
func (c *commandArgument) folder() string {
	if abs := c.gate.place.absolute(c.workdir); c.workdir != "" && abs != "" {
		return path.Clean(abs)
	}
	return c.gate.place.cwd
}

func (c *commandArgument) closes(r *boundRow) (string, bool) {
	if c.script == nil {
		return c.text, r.text.closes(c.text)
	}
	for _, text := range c.script.Texts {
		if r.text.closes(text) {
			return text, true
		}
	}
	return "", false
}

func (c *commandArgument) closingTexts(texts []string) []string {
	if c.script == nil {
		return append(texts, c.text)
	}
	return append(texts, c.script.Texts...) // the whole text is the first
}

func (c *commandArgument) openingTexts(texts []string) []string {
	texts = append(texts, c.text)
	if c.script != nil {
		for i := range c.script.Simple {
			for _, f := range c.script.Simple[i].Forms {
				if f.Text != c.text {
					texts = append(texts, f.Text)
				}
			}
		}
	}
	return texts
}

// unread says why the command cannot be read: a part of what runs is not there
// to be seen, or the part that is there begins like a closing row.
func (c *commandArgument) unread(closed []*boundRow) string {
	switch {
	case !c.ok:
		c.blocked = "it carries no command that is a text"
	case c.script == nil || c.code:
	case c.script.Opaque != "":
		c.blocked = c.script.Opaque
	case c.script.DynamicWrite:
		c.blocked = "it redirects to a path that is not static"
	default:
		c.blocked = c.begins(closed)
	}
	return c.blocked
}

func (c *commandArgument) begins(closed []*boundRow) string {
	for _, head := range c.script.Heads {
		for _, r := range closed {
			if static := r.text.head; static != "" && (strings.HasPrefix(head, static) || strings.HasPrefix(static, head)) {
				return "what follows `" + head + "` is not static, and `" + r.Text + "` begins like it"
			}
		}
	}
	return ""
}

// names tells whether a row is the whole command, from the folder where it
// starts anyway.
func (c *commandArgument) names(r *boundRow) bool {
	return c.ok && r.text.exact() && r.text.head == c.text && c.folder() == c.gate.place.cwd
}

func (c *commandArgument) opens(rows []*boundRow) (*boundRow, string) {
	for _, r := range rows {
		if c.names(r) {
			return r, c.text
		}
	}
	if c.blocked != "" || !c.ok || c.code || c.script == nil || c.script.Opaque != "" || c.script.Plain != "" || len(rows) == 0 {
		return nil, ""
	}
	var used *boundRow
	for i := range c.script.Simple {
		s := &c.script.Simple[i]
		r := c.openedSimple(s, rows)
		switch {
		case r != nil && used == nil:
			used = r
		case r == nil && !c.neutral(s):
			return nil, ""
		}
	}
	if used == nil || c.script.DynamicWrite || !c.writesOpen() {
		return nil, ""
	}
	return used, c.text
}

// openedSimple finds the row that opens one simple command. A row without a
// wildcard is a whole command, so it opens a part of several only.
func (c *commandArgument) openedSimple(s *shell.Simple, rows []*boundRow) *boundRow {
	for _, r := range rows {
		if r.text.exact() && len(c.script.Simple) < 2 {
			continue
		}
		for i := range s.Forms {
			if f := &s.Forms[i]; r.text.opens(f.Text, f.Fixed) {
				return r
			}
		}
	}
	return nil
}

// neutral tells whether a simple command needs no rule: it changes nothing, or
// goes to a folder inside the workspace.
func (c *commandArgument) neutral(s *shell.Simple) bool {
	switch s.Neutral {
	case shell.AlwaysNeutral:
		return true
	case shell.ChangesFolder:
		for _, dir := range s.Dirs {
			if !c.gate.place.newPath(dirOf(dir)).within() {
				return false
			}
		}
		return len(s.Dirs) > 0
	}
	return false
}

func dirOf(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// written lists the paths that a redirection writes from some folders.
func (c *commandArgument) written(w *shell.Write, dirs []string) []*filePath {
	var list []*filePath
	for _, dir := range dirs {
		name := w.Path
		if !path.IsAbs(name) && !strings.HasPrefix(name, "~") && dir != "" {
			name = dir + "/" + name
		}
		list = append(list, c.gate.place.newPath(name))
	}
	return list
}

// writesOpen tells whether each redirection is opened as a write.
func (c *commandArgument) writesOpen() bool {
	for i := range c.script.Writes {
		rows := &c.gate.rowsOf("write").rows.lists[AllowList]
		if len(rows.open) > 0 {
			continue
		}
		files := c.written(&c.script.Writes[i], c.script.Writes[i].Dirs)
		if !all(files, func(f *filePath) bool { return openedBy(rows.scoped, f) != nil }) {
			return false
		}
	}
	return true
}

// command is the call's command when it has one that a shell reads.
func (j *judgement) command() *commandArgument {
	if t := j.rows.id.tool; t == nil || t.Subject != tools.Command && t.Subject != tools.Code {
		return nil
	}
	c, _ := j.argument().(*commandArgument)
	if c == nil || c.script == nil {
		return nil
	}
	return c
}

// writesClosedBy finds the first row about `write` that closes a redirection.
func (j *judgement) writesClosedBy(k Kind) *boundRow {
	if j.rows.writes == nil {
		return nil
	}
	rows := &j.rows.writes.lists[k]
	if len(rows.open)+len(rows.scoped) == 0 {
		return nil
	}
	c := j.command()
	if c == nil || len(c.script.Writes) == 0 {
		return nil
	}
	var found *boundRow
	if len(rows.open) > 0 {
		found = rows.open[0]
	}
	for i := range c.script.Writes {
		for _, f := range c.written(&c.script.Writes[i], c.script.Folders) {
			for _, r := range rows.about(f) {
				if found != nil && found.order < r.order {
					break
				}
				if r.path.closes(f) {
					j.note.row(k, r, "write "+f.text, true)
					found = r
				}
			}
		}
	}
	return found
}

// about are the rows that may close a path.
func (l *rowList) about(f *filePath) []*boundRow {
	if l.index == nil {
		return l.scoped
	}
	return l.near(closingOf([]*filePath{f}, nil), nil)
}

// boundsWrites tells whether a closing row with a path bounds what the command
// writes to a place that cannot be read.
func (j *judgement) boundsWrites() bool {
	if j.rows.writes == nil || !j.rows.writes.bounded {
		return false
	}
	c := j.command()
	return c != nil && c.script.DynamicWrite
}

// program is the prefix of the commands that are like this one: its program,
// with the second word where that reads like a subcommand.
func (c *commandArgument) program() (string, bool) {
	if !c.ok || c.script == nil || c.script.Opaque != "" || c.script.Plain != "" || len(c.script.Simple) != 1 {
		return "", false
	}
	s := &c.script.Simple[0].Forms[0]
	words := strings.Split(s.Text[:s.Fixed], " ")
	if words[0] == "" || strings.IndexByte(words[0], shell.Inside) >= 0 || shell.Wrapper(words[0]) {
		return "", false
	}
	if len(words) > 1 && subcommand(words[1]) && (len(words) > 2 || s.Fixed == len(s.Text)) {
		return words[0] + " " + words[1] + ":*", true
	}
	return words[0] + ":*", true
}

func subcommand(word string) bool {
	for i := range len(word) {
		switch c := word[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return word != ""
}
