package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/ir"
	"iterion/ir/effective"
)

// untested are the bots that cannot run in this build, with what they say.
var untested = map[string]string{
	"bots/api_guard.bot": "asks for a sandbox",
}

// Every test of the corpus passes.
func TestBotTestsOfTheCorpus(t *testing.T) {
	var out bytes.Buffer
	if code := execute([]string{"test", "../../corpus"}, streams{strings.NewReader(""), &out, &out}); code != exitOK {
		t.Errorf("exit status %d\n%s", code, out.String())
	}
}

// Every bot of the corpus that asks a model is tested, and every one with a
// policy has tests of that too, which pass.
func TestBotsHaveTests(t *testing.T) {
	for _, f := range corpus.Files() {
		if dir, _, _ := strings.Cut(f.Name, "/"); !slices.Contains([]string{"bots", "examples", "run"}, dir) {
			continue
		}
		path := filepath.Join("../../corpus", f.Name)
		p, _, err := childProgram(filepath.Base(path), path)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(path, ".bot")
		if says := untested[f.Name]; says != "" {
			refuses(t, path, says)
		} else if _, err := os.Stat(base + "_test.yaml"); err != nil && asksModels(p) {
			t.Errorf("%s has no tests", f.Name)
		}
		if !gated(p) {
			continue
		}
		var out bytes.Buffer
		if code := execute([]string{"permission", "test", base + ".policy.yaml"}, streams{strings.NewReader(""), &out, &out}); code != exitOK {
			t.Errorf("%s: the tests of its policy end with %d\n%s", f.Name, code, out.String())
		}
	}
}

// refuses holds that a bot cannot run, so that its row goes when it can.
func refuses(t *testing.T, path, says string) {
	t.Helper()
	dir := t.TempDir()
	bot, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	test := filepath.Join(dir, "x_test.yaml")
	text := "bot: " + bot + "\ntests:\n  - vars: { last: v1.0.0 }\n    expect: { failure_code: CAPABILITY_UNSUPPORTED, error: " + says + " }\n"
	if err := os.WriteFile(test, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := execute([]string{"test", test}, streams{strings.NewReader(""), &out, &out}); code != exitOK {
		t.Errorf("%s can run now, or says something else:\n%s", path, out.String())
	}
}

func asksModels(p *ir.Program) bool {
	return slices.ContainsFunc(p.Nodes, func(n *ir.Node) bool {
		return n.LLM != nil || n.Router != nil && n.Router.Mode.V == ir.ModeLLM || n.Human != nil && n.Human.InteractionModel.Set()
	})
}

// gated tells whether a program has a policy of its own.
func gated(p *ir.Program) bool {
	permissions := effective.NewPermissions(p.Workflow)
	return slices.ContainsFunc(p.Nodes, func(n *ir.Node) bool {
		levels := permissions.Levels(n)
		return n.LLM != nil && (levels.Node.Mode != "" || levels.Workflow.Mode != "")
	})
}
