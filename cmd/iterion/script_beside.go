package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"iterion/backends/scripted"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/workspace"
)

// largestScript is the largest script that is read beside a bot, in bytes.
const largestScript = 16 << 20

// scriptBeside reads the script of a bot whose file asks for one, NAME.script.yaml
// beside NAME.bot. It comes with the bot, so nothing outside of the bot's folder
// is opened, whatever links it has. The error names the file and what to do.
func scriptBeside(file string) (s *scripted.Script, name string, err error) {
	if _, _, packed := packedPath(file); packed || file == stdinName {
		return nil, "", failf("%s: `backend: scripted` reads a script beside the bot's file, which is not in a folder here: name one with --script FILE", file)
	}
	if kind, _ := workspace.KindOf(file); kind == workspace.Directory {
		file = filepath.Join(file, workspace.Main)
	}
	dir, base := filepath.Split(file)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), workspace.Ext)
	name = filepath.Join(dir, base+".script.yaml")
	text, err := readInside(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return nil, name, failf("%s, which `backend: scripted` asks for: %s; write the models' turns into it, or name another file with --script FILE", name, reason(err))
	}
	if s, err = scripted.Parse(text); err != nil {
		return nil, name, failf("%s: %s", name, err)
	}
	return s, name, nil
}

// readInside reads a regular file of a folder.
func readInside(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer would hold us
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	text, err := io.ReadAll(io.LimitReader(f, largestScript+1))
	if err == nil && len(text) > largestScript {
		err = fmt.Errorf("it is larger than %d MiB", largestScript>>20)
	}
	return text, err
}

// names tells whether a program's file names a backend: not where a value that
// only a run knows does.
func names(p *ir.Program, name string, env func(string) (string, bool)) bool {
	is := func(t ir.Opt[ir.Text]) bool { return t.Set() && expr.ExpandEnv(t.V.Value(), env) == name }
	if is(p.Workflow.DefaultBackend) {
		return true
	}
	for _, n := range p.Nodes {
		if n.Router != nil && is(n.Router.Backend) || n.LLM != nil && is(n.LLM.Backend) {
			return true
		}
	}
	return false
}

// absent is a backend that only a run turned out to need.
type absent struct{ cause error }

func (absent) Info() backend.Info       { return backend.Info{Name: scripted.Name} }
func (absent) Priced(backend.Task) bool { return true }
func (a absent) Run(context.Context, backend.Task, backend.Sink) (backend.Result, error) {
	return backend.Result{}, backend.Errorf(outcome.Unsupported, "%s", a.cause)
}
