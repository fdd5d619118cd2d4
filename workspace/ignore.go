package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignores are the .gitignore files that hold for a folder, outermost first.
type ignores []ignoreFile

type ignoreFile struct {
	dir   string // absolute; its patterns are relative to it
	rules []ignoreRule
}

type ignoreRule struct {
	glob    string
	keep    bool // `!pattern`
	dirOnly bool // `pattern/`
}

// ignoresAbove reads the .gitignore files from the root of the repository that
// holds dir down to dir's parent, none outside a repository.
func ignoresAbove(dir string) ignores {
	root := Repository(dir)
	if root == "" {
		return nil
	}
	var folders []string
	for d := dir; d != root; {
		d = filepath.Dir(d)
		folders = append(folders, d)
	}
	var list ignores
	for i := len(folders) - 1; i >= 0; i-- {
		list = list.with(folders[i])
	}
	return list
}

// with adds the .gitignore of a folder, if it has one.
func (list ignores) with(dir string) ignores {
	raw, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return list
	}
	f := ignoreFile{dir: dir}
	for line := range strings.Lines(string(raw)) {
		if r, ok := parseIgnore(strings.TrimRight(line, "\r\n")); ok {
			f.rules = append(f.rules, r)
		}
	}
	return append(list[:len(list):len(list)], f)
}

func parseIgnore(line string) (ignoreRule, bool) {
	if trimmed := strings.TrimRight(line, " "); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	var r ignoreRule
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.keep = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return r, false
	}
	// Braces mean nothing to git, but alternatives to the glob library.
	line = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	if strings.Contains(line, "/") {
		r.glob = strings.TrimPrefix(line, "/")
	} else {
		r.glob = "**/" + line
	}
	return r, doublestar.ValidatePattern(r.glob)
}

// ignored tells whether git would leave a path out. The last matching line of
// the innermost file that says anything about it counts.
func (list ignores) ignored(path string, isDir bool) bool {
	for i := len(list) - 1; i >= 0; i-- {
		rel, err := filepath.Rel(list[i].dir, path)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		rules := list[i].rules
		for j := len(rules) - 1; j >= 0; j-- {
			if r := rules[j]; (isDir || !r.dirOnly) && doublestar.MatchUnvalidated(r.glob, rel) {
				return !r.keep
			}
		}
	}
	return false
}
