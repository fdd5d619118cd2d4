package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// interpreters run a script by its `language:`.
var interpreters = map[string][2]string{
	"js": {"node", ".js"}, "node": {"node", ".js"},
	"py": {"python3", ".py"}, "python": {"python3", ".py"}, "python3": {"python3", ".py"},
	"sh": {"sh", ".sh"}, "bash": {"bash", ".sh"},
}

// ScriptCommand runs a script by the interpreter of a `language:`.
func ScriptCommand(language, script string) (Command, error) {
	in, ok := interpreters[language]
	if !ok {
		return Command{}, fmt.Errorf("no interpreter runs the language %s", language)
	}
	return Command{Args: []string{in[0]}, Script: script, Suffix: in[1]}, nil
}

// arguments are the words to execute, the program's path first. The script's
// file is there until remove is called.
func (c Command) arguments() (args []string, remove func(), err error) {
	program, err := c.program()
	if err != nil {
		return nil, nil, err
	}
	args = append([]string{program}, c.Args[1:]...)
	if c.Suffix == "" {
		return args, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "iterion-script-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	file := filepath.Join(dir, "script"+c.Suffix)
	if err := os.WriteFile(file, []byte(c.Script), 0o600); err != nil {
		remove()
		return nil, nil, err
	}
	return append(args, file), remove, nil
}

// program finds the command's program. A relative folder in the PATH would
// let a file of the workspace stand in for a program of the system.
func (c Command) program() (string, error) {
	name, path := c.Args[0], os.Getenv("PATH")
	if filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, v := range c.Env {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s is not installed", name)
}
