package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/build"
	"iterion/workspace"
)

// unit is something to build, and the name that the user gave it.
type unit struct {
	name string
	dir  string // the folder that in.FS stands for; "" for a text without a file
	text []byte // of a unit without a folder
	in   build.Input

	archive string // the packed bundle that holds it; in.FS is opened when it is built
}

// unitAt is the unit whose main file is at a path.
func unitAt(name string) unit {
	if archive, inner, ok := packedPath(name); ok {
		return packedUnit(archive, inner)
	}
	dir, in := workspace.Input(name)
	return unit{name: in.Name, dir: dir, in: in}
}

// unitOf is a text; with a name it is the unit around that name, in which the
// text stands for the file.
func unitOf(text []byte, name string) unit {
	if name == "" {
		return unit{name: "<stdin>", text: text}
	}
	u := unitAt(name)
	u.in.Overlay = map[string]string{u.in.Path: string(text)}
	return u
}

// unitFor is the unit that a verb's only argument names: a file, an author
// document, a folder with main.bot, a packed bundle, or - for the standard
// input.
func unitFor(std streams, cmd *cobra.Command, arg string) (unit, error) {
	if arg == stdinName {
		text, err := readStdin(std.in, cmd, []string{arg}, "")
		return unitOf(text, ""), err
	}
	switch kind, err := workspace.KindOf(arg); kind {
	case workspace.Unreadable:
		return unit{}, failf("%s: %s", arg, reason(err))
	case workspace.Directory:
		main := filepath.Join(arg, workspace.Main)
		if kind, _ := workspace.KindOf(main); kind != workspace.File {
			return unit{}, failf("%s: the folder holds no %s; name a file", arg, workspace.Main)
		}
		return unitAt(main), nil
	case workspace.OtherFile:
		return unit{}, failf("%s: it is no %s file", arg, workspace.Ext)
	}
	return unitAt(arg), nil
}

// build compiles and checks the unit. The error is about the request: its main
// file cannot be read, or its bundle does not open.
func (u unit) build() (*build.Result, error) {
	if u.dir == "" {
		return build.Text(u.name, u.text), nil
	}
	if u.archive != "" {
		var err error
		if u.in.FS, err = openArchive(u.archive); err != nil {
			return nil, err
		}
	}
	return build.Unit(u.in)
}

// reportOf is the outcome of a build as every output form takes it.
func reportOf(name string, r *build.Result) render.Report {
	out := render.Report{File: name, NodeCount: len(r.Scope.Nodes), EdgeCount: len(r.Scope.Edges),
		Diagnostics: r.Diagnostics, Suppressed: r.Suppressed}
	if w := r.Scope.Program.Workflow; w != nil {
		out.WorkflowName = w.Name
	}
	out.BundleName, out.BundleVersion = r.Bundle.Name(), r.Bundle.Version()
	return out
}

// texts are source texts by the names that findings use.
type texts map[string]string

// textsOf returns the texts that a build's findings point into. A build
// without findings needs none, so its files can be let go.
func textsOf(r *build.Result) texts {
	if len(r.Diagnostics)+len(r.Suppressed) == 0 {
		return nil
	}
	t := texts{}
	for _, f := range slices.Concat(r.Files, r.Beside) {
		t[f.Source().Name] = f.Source().Text
	}
	return t
}

func (t texts) find(name string) (string, bool) {
	text, ok := t[name]
	return text, ok
}
