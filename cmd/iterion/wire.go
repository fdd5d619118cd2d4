package main

import (
	"fmt"
	"path/filepath"

	"iterion/backends/claw"
	"iterion/backends/scripted"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
)

// backendsFor finds the backends of a run. With a script every model is
// replaced; this build has no other backend. watched stands before the model.
func backendsFor(script string, p *ir.Program, watched func(backend.LanguageModel) backend.LanguageModel) (func(name string) (backend.Backend, bool), error) {
	if script == "" {
		return func(string) (backend.Backend, bool) { return nil, false }, nil
	}
	s, err := scripted.Load(script)
	if err != nil {
		return nil, failf("--script: %s", err)
	}
	for key := range s.Nodes {
		if err := known("--script", scripted.Node(key), p, ir.KindAgent, ir.KindJudge, ir.KindRouter, ir.KindHuman, ir.KindSubbot); err != nil && len(children(p)) == 0 {
			return nil, err
		}
	}
	b := claw.New(watched(scripted.New(s)), disk.Links{})
	return func(string) (backend.Backend, bool) { return b, true }, nil
}

// children lists the subbots of a program, whose nodes a script may name too.
func children(p *ir.Program) (list []*ir.Node) {
	for _, n := range p.Nodes {
		if n.Kind == ir.KindSubbot {
			list = append(list, n)
		}
	}
	return list
}

// childProgram compiles the program of a subbot, which is named relative to
// the file that holds the line.
func childProgram(source, from string) (*ir.Program, string, error) {
	name := filepath.Join(filepath.Dir(filepath.FromSlash(from)), filepath.FromSlash(source))
	file, err := filepath.Abs(name)
	if err != nil {
		return nil, "", err
	}
	u := unitAt(name)
	u.in.Engine = languageLevel
	r, err := u.build()
	if err != nil {
		return nil, "", err
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diagnostics.Error {
			return nil, "", fmt.Errorf("%s:%d:%d: %s: %s", d.Range.File, d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message)
		}
	}
	return r.Program(), file, nil
}
