package main

import (
	"fmt"
	"path/filepath"
	"sync"

	"iterion/backends/claw"
	"iterion/backends/scripted"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
)

// watching puts something before a model.
type watching func(backend.LanguageModel) backend.LanguageModel

// backendsFor finds the backends of a run. With --script every model is replaced.
// Without it `backend: scripted`, in the file or by the flag, has the script
// beside the file; this build has no other backend.
func (d drive) backendsFor(file string, p *ir.Program, env func(string) (string, bool), watched watching) (func(name string) (backend.Backend, bool), error) {
	if d.script != "" {
		s, err := scripted.Load(d.script)
		if err != nil {
			return nil, failf("--script: %s", err)
		}
		b, err := playing("--script", s, p, watched)
		return func(string) (backend.Backend, bool) { return b, true }, err
	}
	beside := sync.OnceValues(func() (backend.Backend, error) {
		s, name, err := scriptBeside(file)
		if err != nil {
			return nil, err
		}
		return playing(name, s, p, watched)
	})
	if d.backend == scripted.Name || names(p, scripted.Name, env) {
		if _, err := beside(); err != nil {
			return nil, err
		}
	}
	return func(name string) (backend.Backend, bool) {
		if name != scripted.Name {
			return nil, false
		}
		b, err := beside()
		if err != nil {
			b = absent{err}
		}
		return b, true
	}, nil
}

// playing is the loop over a script, whose keys have to be the program's.
func playing(what string, s *scripted.Script, p *ir.Program, watched watching) (backend.Backend, error) {
	for key := range s.Nodes {
		if err := known(what, scripted.Node(key), p, ir.KindAgent, ir.KindJudge, ir.KindRouter, ir.KindHuman, ir.KindSubbot); err != nil && len(children(p)) == 0 {
			return nil, err
		}
	}
	return claw.New(watched(scripted.New(s)), disk.Links{}), nil
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
