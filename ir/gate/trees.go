package gate

import (
	"path"
	"strings"

	"iterion/ir/tools"
)

// SecretTrees are the folders that no policy opens: mounted secrets, and the
// credentials that agent programs are started with.
var SecretTrees = []string{"/run/iterion/secrets", "/tmp/iterion-claude-config", "/tmp/iterion-codex-config"}

// tree is a folder that is closed to every tool that reads, writes or lists.
type tree struct {
	dir     string
	pattern *pathPattern
	forms   []string // absolute, folded
}

func (g *Gate) newTrees() []tree {
	list := make([]tree, len(g.policy.Trees))
	for i, dir := range g.policy.Trees {
		list[i] = g.newTree(dir)
	}
	return list
}

func (g *Gate) newTree(dir string) tree {
	t := tree{dir: dir, pattern: g.place.compilePath(dir+"/**", true), forms: []string{fold(path.Clean(dir))}}
	if real, ok := g.place.walk(dir); ok {
		t.forms = append(t.forms, fold(real))
	}
	return t
}

// treeBound tells whether the engine's trees are closed to a tool. The shell is
// not bound: a secret is spent through it.
func treeBound(t *tools.Tool) bool {
	if t == nil {
		return false
	}
	switch t.Subject {
	case tools.Path, tools.Directory, tools.Search:
		return true
	}
	return false
}

// secret finds the tree that the call would reach.
func (j *judgement) secret() (dir string, ok bool) {
	if len(j.policy.Trees) == 0 || !treeBound(j.rows.id.tool) {
		return "", false
	}
	trees := j.trees()
	var files []*filePath
	search := false
	switch a := j.argument().(type) {
	case *pathArgument:
		files = a.files
	case *searchArgument:
		files, search = append(a.roots[:len(a.roots):len(a.roots)], a.starts...), true
	}
	for i := range trees {
		t := &trees[i]
		for _, f := range files {
			if t.pattern.closes(f) || search && t.below(f) {
				return t.dir, true
			}
		}
	}
	return "", false
}

// below tells whether the tree lies under a folder: a search reads all that does.
func (t *tree) below(f *filePath) bool {
	for _, candidate := range f.closed {
		if !path.IsAbs(candidate) {
			continue
		}
		for _, form := range t.forms {
			if candidate == "/" || strings.HasPrefix(form, candidate) && (len(form) == len(candidate) || form[len(candidate)] == '/') {
				return true
			}
		}
	}
	return false
}
