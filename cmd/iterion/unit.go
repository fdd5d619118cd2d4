package main

import (
	"os"
	"path"
	"path/filepath"

	"iterion/diagnostics/render"
	"iterion/ir/build"
)

// mainFile is the main file of a unit that fills a folder.
const mainFile = "main.bot"

// libFolder holds the fragments of the units beside it.
const libFolder = "lib"

// unit is something to build, and the name that the user gave it.
type unit struct {
	name string
	in   build.Input
}

// unitAt is the unit whose main file is at a path. A fragment keeps the `lib/`
// in its path, so that the compiler can say what it is.
func unitAt(name string) unit {
	dir, main := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	if root, rel, ok := fragment(name); ok {
		dir, main = root, rel
	}
	name = filepath.ToSlash(name)
	return unit{name, build.Input{FS: os.DirFS(dir), Path: filepath.ToSlash(main), Name: name}}
}

// unitOf is a text with, where it has a name, the unit around that name.
func unitOf(text []byte, name string) unit {
	if name == "" {
		return unit{"<stdin>", build.Input{Path: stdinName, Overlay: map[string][]byte{stdinName: text}, Name: "<stdin>"}}
	}
	u := unitAt(name)
	u.in.Overlay = map[string][]byte{u.in.Path: text}
	return u
}

// fragment tells whether a path lies below a folder `lib` that stands beside
// .bot files; rel is the path from the folder that holds both.
func fragment(name string) (root, rel string, ok bool) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", "", false
	}
	for dir := filepath.Dir(abs); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == libFolder && holdsBots(filepath.Dir(dir)) {
			rel, err := filepath.Rel(filepath.Dir(dir), abs)
			return filepath.Dir(dir), rel, err == nil
		}
	}
	return "", "", false
}

func holdsBots(dir string) bool {
	found, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*"+ext))
	return err == nil && len(found) > 0
}

// report is the outcome of a build as every output form takes it.
func (u unit) report(r *build.Result) render.Report {
	p := r.Program()
	out := render.Report{File: u.name, NodeCount: len(p.Nodes), EdgeCount: len(p.Edges), Diagnostics: r.Diagnostics}
	if p.Workflow != nil {
		out.WorkflowName = p.Workflow.Name
	}
	return out
}

// texts returns the look-up of source texts that snippets are drawn from.
func texts(results ...*build.Result) func(name string) (string, bool) {
	byName := map[string]string{}
	for _, r := range results {
		if r == nil {
			continue
		}
		for _, f := range r.Files {
			byName[f.AST.Source.Name] = f.AST.Source.Text
		}
	}
	return func(name string) (string, bool) {
		text, ok := byName[path.Clean(name)]
		if !ok {
			text, ok = byName[name]
		}
		return text, ok
	}
}
