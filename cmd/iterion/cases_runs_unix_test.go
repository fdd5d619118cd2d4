//go:build unix

package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ir/outcome"
)

// oneNode is a bot of one node between its declaration and its edges.
func oneNode(node, edges string) string {
	return "dsl: 2\n\n" + node + "\nworkflow w:\n  entry: t\n  sandbox: none\n\n" + edges
}

// agentRuns is an agent whose script calls bash once.
const agentRuns = "agent t:\n  model: \"any/model\"\n  tools: [bash]\n  system: \"Work.\"\n  user: \"Go.\"\n"

// newRunning is a run of a bot; t, where it is an agent, calls bash once.
func newRunning(t *testing.T, bot, command string) calling {
	t.Helper()
	a := calling{t: t, dir: t.TempDir()}
	script := "nodes: {}\n"
	if command != "" {
		script = "nodes:\n  t:\n    - tools: [" + shell(command) + "]\n    - text: fine\n"
	}
	a.lay(map[string]string{"main.bot": bot, "script.yaml": script})
	return a
}

// lines are those of a file, none when it is not there.
func (a calling) lines(name string) int {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		a.t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}

// What had started when the engine was killed by its own command is not run
// again unasked, wherever it stands: the effect is looked for, or a person says.
func TestStartedEffectsAreNotRepeated(t *testing.T) {
	const (
		effect = "echo one >> ledger; "
		dies   = "test -e died || { : > died; kill -KILL $PPID; sleep 600; }; "
		first  = "test -e died || { : > died; kill -KILL $PPID; sleep 600; }; echo one >> ledger"
		done   = "  t -> done\n"
	)
	tool := func(command, more string) string { return "tool t:\n  command: `" + command + "`\n" + more }
	verified := "  goal: \"It is in the ledger\"\n  postcondition: \"grep -q one ledger\"\n"
	fan := "router t:\n  mode: fan_out_all\n\n" + strings.Replace(tool(effect+dies, ""), "tool t", "tool x", 1) + "\ncompute end:\n  await: wait_all\n  expr:\n    n: \"1\"\n"
	for _, c := range []struct {
		name, node, edges string
		command           string   // of the agent
		resumes           []string // flags of each resume; a first word "!" for one that is refused
		ledger            int
		says              string
	}{
		{"nobody says", tool(effect+dies, ""), done, "", []string{"!", "!"}, 1, "--rerun t to run it again, or with --accept t"},
		{"it counts as done", tool(effect+dies, ""), done, "", []string{"!", "--accept t"}, 1, "the effect may have happened"},
		{"it may run again", tool(effect+dies, ""), done, "", []string{"!", "--rerun t"}, 2, "the effect may have happened"},
		{"the effect is found", tool(effect+dies, verified), done, "", []string{""}, 1, ""},
		{"the effect is looked for in vain", tool(first, verified), done, "", []string{""}, 1, ""},
		{"in a branch", fan, "  t -> x -> end\n  end -> done\n", "", []string{"!", "--accept x@branch_t_x"}, 1, "--rerun x@branch_t_x"},
		{"a model's call", agentRuns, done, effect + dies, []string{""}, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newRunning(t, oneNode(c.node, c.edges), c.command)
			a.run(-1)
			for _, flags := range c.resumes {
				words := strings.Fields(flags)
				if flags != "!" {
					a.resume(exitOK, words...)
					continue
				}
				if _, stderr := a.resume(exitResumable); !strings.Contains(stderr, string(outcome.OutcomeUnknown)) || !strings.Contains(stderr, c.says) {
					t.Errorf("the refusal says\n%s", stderr)
				}
			}
			if got := a.lines("ledger"); got != c.ledger {
				t.Errorf("the effect happened %d times, want %d", got, c.ledger)
			}
			told := false
			for _, e := range a.events() {
				text, _ := e.Data["result"].(string)
				told = told || strings.Contains(text, "outcome unknown")
			}
			if told != (c.command != "") {
				t.Errorf("the model was told that the outcome is unknown: %v", told)
			}
		})
	}
}

// A run goes on with the program that it began with: whatever part of it is
// changed, by one byte, is refused by its name, and taken with --force. What no
// run can observe is no change.
func TestChangedProgramsAreRefused(t *testing.T) {
	const main = `dsl: 2

import "lib/words.bot"

## A comment.
prompt shown:
  {{include "notes.md"}} and more.

schema form:
  ok: bool

human ask:
  output: form
  instructions: "Go on?"

agent t:
  model: "any/model"
  system: style
  user: shown
  tools: []

workflow w:
  entry: ask
  sandbox: none

  ask -> t -> say -> done
`
	files := map[string]string{
		"main.bot": main, "manifest.yaml": "name: w\ndescription: One.\n", "notes.md": "Some notes", "prompts/style.md": "Write well.\nBe brief.\n",
		"lib/words.bot": "tool say:\n  command: \"echo said\"\n",
		"script.yaml":   "nodes: { t: [ { text: fine } ] }\n",
	}
	in := func(file, old, new string) func(map[string]string) {
		return func(f map[string]string) {
			if f[file] = strings.Replace(f[file], old, new, -1); !strings.Contains(files[file], old) {
				panic(old)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(map[string]string)
		says   string // "" for no change
	}{
		{"a prompt's file", in("prompts/style.md", "well", "Well"), "prompt style was changed"},
		{"an included file", in("notes.md", "Some", "some"), "prompt shown was changed"},
		{"a fragment", in("lib/words.bot", "said", "sais"), "node say was changed"},
		{"the prompt of a node", in("main.bot", "and more", "and mora"), "prompt shown was changed"},
		{"a question", in("main.bot", "Go on?", "Go on!"), "node ask was changed"},
		{"a schema", in("main.bot", "ok: bool", "ok: string"), "schema form was changed"},
		{"the tools of a model", in("main.bot", "  tools: []\n", ""), "node t was changed"},
		{"a rule", in("main.bot", "  sandbox: none", "  sandbox: none\n  permission: off"), "workflow was changed"},
		{"what an edge hands on", in("main.bot", "ask -> t -> say", "ask -> t with { a: \"1\" }\n  t -> say"), "edge ask -> t was changed"},
		{"an edge", in("main.bot", "t -> say", "t -> done when \"text == ''\"\n  t -> say"), "edge t -> done was added"},
		{"a further node", func(f map[string]string) {
			in("lib/words.bot", "tool say", "tool other:\n  command: \"true\"\n\ntool say")(f)
			in("main.bot", "say -> done", "say -> other -> done")(f)
		}, "node other was added"},
		{"the ends of lines", func(f map[string]string) {
			for _, name := range []string{"main.bot", "lib/words.bot", "notes.md", "prompts/style.md"} {
				f[name] = strings.ReplaceAll(f[name], "\n", "\r\n")
			}
		}, ""},
		{"a comment", in("main.bot", "A comment", "Another comment"), ""},
		{"the layout", in("main.bot", "workflow w:\n  entry: ask", "workflow   w:\n\n  entry:    ask"), ""},
		{"the description", in("manifest.yaml", "One.", "Two."), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := calling{t: t, dir: t.TempDir()}
			a.lay(files)
			a.run(exitPaused, "--no-interactive")
			now := maps.Clone(files)
			c.change(now)
			a.lay(now)
			if c.says == "" {
				a.resume(exitOK, "--answer", "ok=true")
				return
			}
			_, refused := a.resume(exitUsage, "--answer", "ok=true")
			if status, _ := a.iterion(exitOK, "runs", "show", "r"); !strings.Contains(status, string(outcome.PausedHuman)) {
				t.Errorf("after the refusal the run is\n%s", status)
			}
			_, forced := a.resume(exitOK, "--answer", "ok=true", "--force")
			if !strings.Contains(refused, c.says) || !strings.Contains(refused, "--force") || !strings.Contains(forced, c.says) {
				t.Errorf("want %q:\n%s\n%s", c.says, refused, forced)
			}
		})
	}
	// Formatted, it is the same program.
	a := calling{t: t, dir: t.TempDir()}
	untidy := strings.Replace(strings.Replace(files["main.bot"], "  {{include \"notes.md\"}} and more.\n", "  Text.\n", 1), "import \"lib/words.bot\"\n", "", 1)
	untidy = strings.Replace(strings.Replace(untidy, "system: style", "system: \"s\"", 1), "t -> say -> done", "t ->   done", 1)
	a.lay(map[string]string{"main.bot": untidy, "script.yaml": files["script.yaml"]})
	a.run(exitPaused, "--no-interactive")
	if cmd := exec.Command("iterion", "fmt", filepath.Join(a.dir, "main.bot")); cmd.Run() != nil {
		t.Fatal("fmt fails")
	}
	if text, err := os.ReadFile(filepath.Join(a.dir, "main.bot")); err != nil || string(text) == untidy {
		t.Fatalf("fmt changes nothing, %v", err)
	}
	a.resume(exitOK, "--answer", "ok=true")
}

// A child's program is held to as its parent's is.
func TestChangedChildrenAreRefused(t *testing.T) {
	const child = "dsl: 2\n\ntool stops:\n  command: \"test -e fixed && echo one\"\n\nworkflow child:\n  entry: stops\n  sandbox: none\n\n  stops -> done\n"
	a := calling{t: t, dir: t.TempDir()}
	a.lay(map[string]string{
		"main.bot": oneNode("subbot t:\n  source: \"child.bot\"\n", "  t -> done\n"), "child.bot": child, "script.yaml": "nodes: {}\n",
	})
	a.run(exitResumable)
	a.lay(map[string]string{"child.bot": strings.Replace(child, "one", "two", 1), "fixed": ""})
	if _, stderr := a.resume(exitResumable); !strings.Contains(stderr, "the program of run r.t.1 has changed since it started") {
		t.Errorf("the refusal says\n%s", stderr)
	}
	if _, stderr := a.resume(exitOK, "--force"); !strings.Contains(stderr, "the program of the subbot run r.t.1 has changed") {
		t.Errorf("the warning says\n%s", stderr)
	}
}
