package feature

import (
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/lsp/session"
	"iterion/workspace"
)

// mostNames is how many entries of a folder are looked at.
const mostNames = 1000

// folder is where the relative paths of the file begin.
func (c *completer) folder() string {
	if !filepath.IsAbs(c.file.Key) {
		return ""
	}
	return filepath.Dir(c.file.Key)
}

// imports offers the fragments that the file may import: those below `lib`, in
// a fragment those beside it.
func (c *completer) imports() {
	typed := c.content()
	if c.folder() == "" {
		return
	}
	_, _, fragment := workspace.Fragment(c.file.Key)
	switch dir := workspace.Lib + "/"; {
	case fragment:
		if !strings.Contains(typed, "/") {
			c.list("", func(n session.Name) bool { return !n.Folder && isSource(n.Name) })
		}
	case strings.HasPrefix(typed, dir):
		c.files(workspace.Ext, typed)
	default:
		c.list("", func(n session.Name) bool { return n.Folder && n.Name == workspace.Lib })
	}
}

func isSource(name string) bool { return filepath.Ext(name) == workspace.Ext }

// files offers what lies below the file's folder under the path typed so far:
// folders, and files with an extension, any for "".
func (c *completer) files(ext, typed string) {
	dir := typed[:strings.LastIndexByte(typed, '/')+1]
	c.list(dir, func(n session.Name) bool {
		return n.Folder || (ext == "" || path.Ext(n.Name) == ext) && filepath.Join(c.folder(), filepath.FromSlash(dir+n.Name)) != c.file.Key
	})
}

// list offers the entries of a folder below the file's.
func (c *completer) list(dir string, keep func(session.Name) bool) {
	if c.folder() == "" {
		return
	}
	if c.literal != nil { // what is replaced begins behind the last slash
		c.start, c.end = c.partial("-.@+ ~")
		c.start = max(c.start, c.literal.start+1)
	}
	names, more := c.file.Snapshot.Folder(c.folder(), dir, mostNames)
	c.incomplete = c.incomplete || more
	for _, n := range names {
		if strings.ContainsAny(n.Name, "\"\\\n{}") || !keep(n) {
			continue
		}
		kind, text := protocol.CompletionItemKindFile, n.Name
		if n.Folder {
			kind, text = protocol.CompletionItemKindFolder, n.Name+"/"
		}
		c.add(rankUsual, protocol.CompletionItem{Label: text, Kind: kind}, "")
	}
}

// childVars are the variables of the program that a subbot runs, when it lies
// below the file's folder.
func (c *completer) childVars(source string) []suggestion {
	name := filepath.FromSlash(source)
	if c.folder() == "" || !isSource(name) || !filepath.IsLocal(name) {
		return nil
	}
	dir, base := path.Split(path.Clean(source))
	names, _ := c.file.Snapshot.Folder(c.folder(), dir, mostNames)
	for _, n := range names {
		if n.Name != base || n.Folder {
			continue
		}
		if r := c.file.Snapshot.Unit(filepath.Join(c.folder(), name)).Result(); r != nil {
			child := completer{site: &site{scope: r.Scope}}
			return child.vars()
		}
	}
	return nil
}
