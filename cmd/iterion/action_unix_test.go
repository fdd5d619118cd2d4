//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// actionFile is what is looked at of the GitHub Action.
type actionFile struct {
	Inputs map[string]struct {
		Default string
	}
	Runs struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, Uses, Shell, Run string
	Env                    map[string]string
}

var inputForm = regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`)

func readAction(t *testing.T) (a actionFile) {
	t.Helper()
	raw, err := os.ReadFile("../../action/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// What a workflow hands over reaches no script but as a variable.
func TestActionPastesNothing(t *testing.T) {
	a := readAction(t)
	scripts := 0
	for _, step := range a.Runs.Steps {
		if step.Run == "" {
			continue
		}
		scripts++
		if strings.Contains(step.Run, "${{") || step.Shell != "bash" {
			t.Errorf("%s: %s runs %q", step.Name, step.Shell, step.Run)
		}
		for name, value := range step.Env {
			found := inputForm.FindStringSubmatch(value)
			if found == nil {
				t.Errorf("%s: %s is %q", step.Name, name, value)
			} else if _, ok := a.Inputs[found[1]]; !ok {
				t.Errorf("%s: there is no input %s", step.Name, found[1])
			}
		}
	}
	if scripts != 2 || a.Runs.Using != "composite" {
		t.Errorf("%d scripts of a %s action", scripts, a.Runs.Using)
	}
}

const (
	soundBot  = "agent a:\n  model: \"m\"\n  user: \"Go.\"\n\nworkflow w:\n  entry: a\n\n  a -> done\n"
	brokenBot = "workflow w:\n  entry: nope\n"
)

// The steps of the action, run as a runner does.
func TestAction(t *testing.T) {
	a := readAction(t)
	temp := t.TempDir()
	if out, code := a.step(t, "Build iterion", t.TempDir(), temp, nil); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	for _, c := range []struct {
		name   string
		files  map[string]string
		inputs map[string]string
		code   int
		want   []string // each a part of the output
		not    string
	}{
		{"sound", map[string]string{"a.bot": soundBot}, map[string]string{"fmt": "true", "max-warnings": "0"}, 0, nil, "::"},
		{
			"broken", map[string]string{"b.bot": brokenBot}, nil, 1,
			[]string{"::error file=b.bot,line=2,col=10,endLine=2,endColumn=14,title=C008 missing-entry::"}, "",
		},
		{
			"not canonical", map[string]string{"x,1/%a:b.bot": strings.ReplaceAll(soundBot, "  ", "    ")}, map[string]string{"fmt": "true"}, 1,
			[]string{"::error file=x%2C1/%25a%3Ab.bot,title=format::This file is not"}, "",
		},
		{
			"does not parse", map[string]string{"::error::c.bot": "agent a\n"}, map[string]string{"fmt": "true"}, 2,
			[]string{"fmt: ::error::c.bot:1:"}, "\n::error::c.bot",
		},
		{
			"some paths", map[string]string{"a/a.bot": soundBot, "b/b.bot": brokenBot, "$(touch ran).bot": soundBot},
			map[string]string{"paths": "a\n\n$(touch ran).bot\r\n"}, 0, nil, "::error",
		},
		{"no such path", nil, map[string]string{"paths": "nowhere"}, 2, []string{"::error file=nowhere,title=not checked::"}, ""},
		{"a flag for a path", nil, map[string]string{"paths": "--watch"}, 2, []string{"::error file=--watch,title=not checked::"}, ""},
		{"no path", nil, map[string]string{"paths": "\n"}, 2, []string{"::error title=iterion action::paths names nothing"}, ""},
		{"no number", nil, map[string]string{"max-warnings": "1; touch ran"}, 2, []string{"::error title=iterion action::max-warnings takes"}, "touch"},
		{"no bool", nil, map[string]string{"fmt": "true\n::set-output::x"}, 2, []string{"::error title=iterion action::fmt takes"}, "set-output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				writeUnder(t, dir, name, text)
			}
			out, code := a.step(t, "Check", dir, temp, c.inputs)
			if code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			for _, part := range c.want {
				if !strings.Contains(out, part) {
					t.Errorf("no %q", part)
				}
			}
			if c.not != "" && strings.Contains("\n"+out, c.not) {
				t.Errorf("there is %q", c.not)
			}
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("a name was run")
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}
}

func writeUnder(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// step runs the script of a step in a workspace.
func (a actionFile) step(t *testing.T, name, dir, temp string, inputs map[string]string) (output string, code int) {
	t.Helper()
	home, err := filepath.Abs("../../action")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", a.Runs.Steps[at].Run)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+home, "RUNNER_TEMP="+temp)
	for variable, value := range a.Runs.Steps[at].Env {
		input := inputForm.FindStringSubmatch(value)[1]
		text, given := inputs[input]
		if !given {
			text = a.Inputs[input].Default
		}
		cmd.Env = append(cmd.Env, variable+"="+text)
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
