//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"iterion/diagnostics/shown"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store"
)

// calling is a run whose agent makes calls, one a turn, under a policy. Every
// command is a process of its own.
type calling struct {
	t     *testing.T
	dir   string
	stdin *os.File // nil: nothing to read
}

// scriptCall is a tool's call as a script spells it.
func scriptCall(tool string, input map[string]string) string {
	text, err := json.Marshal(map[string]any{"name": tool, "input": input})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func shell(command string) string { return scriptCall("bash", map[string]string{"command": command}) }

func newCalling(t *testing.T, policy string, calls ...string) calling {
	t.Helper()
	a := calling{t: t, dir: t.TempDir()}
	bot := "dsl: 2\n\nagent a:\n  model: \"any/model\"\n  tools: [bash, read_file, write_file, web_fetch]\n  system: \"Work.\"\n  user: \"Go.\"\n\n" +
		"workflow w:\n  entry: a\n  sandbox: none\n" + policy + "\n  a -> done\n"
	script := "nodes:\n  a:\n"
	for _, c := range calls {
		script += "    - tools: [" + c + "]\n"
	}
	a.lay(map[string]string{"main.bot": bot, "script.yaml": script + "    - text: fine\n", "a": "a text\n"})
	return a
}

// lay writes the files of the run's folder.
func (a calling) lay(files map[string]string) {
	a.t.Helper()
	for name, text := range files {
		path := filepath.Join(a.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			a.t.Fatal(err)
		}
	}
}

func (a calling) iterion(want int, args ...string) (stdout, stderr string) {
	a.t.Helper()
	cmd := exec.CommandContext(a.t.Context(), "iterion", append(args, "--store", "store")...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = a.dir, &out, &errs
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ITERION_") }), "GORACE=atexit_sleep_ms=0")
	if a.stdin != nil {
		cmd.Stdin = a.stdin
	}
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != want {
		a.t.Fatalf("%v: exit status %d, want %d\n%s%s", args, got, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

func (a calling) run(want int, flags ...string) (stdout, stderr string) {
	a.t.Helper()
	return a.iterion(want, append([]string{"run", "main.bot", "--script", "script.yaml", "--run-id", "r", "--json"}, flags...)...)
}

func (a calling) resume(want int, flags ...string) (stdout, stderr string) {
	a.t.Helper()
	return a.iterion(want, append([]string{"resume", "r", "--script", "script.yaml", "--json"}, flags...)...)
}

// events are those of a run as `events --json` prints them.
func (a calling) events() (list []store.Event) {
	a.t.Helper()
	out, _ := a.iterion(exitOK, "events", "r", "--json")
	for line := range strings.Lines(out) {
		var e store.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			a.t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// ran are the calls that began, by the text that tells them apart; waits is the
// one that is asked for.
func (a calling) ran() (ran []string, waits string) {
	a.t.Helper()
	for _, e := range a.events() {
		switch e.Type {
		case outcome.ToolStarted:
			ran = append(ran, subject(e))
		case outcome.HumanInputRequested:
			waits = subject(e)
		case outcome.HumanAnswersRecorded:
			waits = ""
		}
	}
	return ran, waits
}

func subject(e store.Event) string {
	var input map[string]string
	text, _ := e.Data["call_input"].(string)
	_ = json.Unmarshal([]byte(text), &input)
	for _, key := range []string{"command", "file_path", "path", "url"} {
		if value, ok := input[key]; ok {
			return value
		}
	}
	return text
}

const askAll = "  permission: ask\n"

// What an answer opens: that call, its kind, its tool; for this run and as long
// as it lives, over processes; and nothing else.
func TestApprovals(t *testing.T) {
	write := func(path string) string {
		return scriptCall("write_file", map[string]string{"file_path": path, "content": "x"})
	}
	const build = "rm -rf build/"
	for _, c := range []struct {
		name    string
		calls   []string
		answers []string // of each pause, flags of resume
		ran     string   // parted by |
		waits   string   // the call that is asked for at last, "" for none
	}{
		{"the same call", []string{shell(build), shell(build)}, []string{"--approve"}, build + "|" + build, ""},
		{"another argument", []string{shell(build), shell("rm -rf dist/")}, []string{"--approve"}, build, "rm -rf dist/"},
		{"one argument more", []string{shell(build), shell(build + " /")}, []string{"--approve"}, build, build + " /"},
		{"a command behind it", []string{shell(build), shell(build + " && id")}, []string{"--approve"}, build, build + " && id"},
		{"a line behind it", []string{shell(build), shell(build + "\nid")}, []string{"--approve"}, build, build + "\nid"},
		{"another folder", []string{shell(build), shell("cd / && " + build)}, []string{"--approve"}, build, "cd / && " + build},
		{"the same text as another tool's", []string{write("ls"), shell("ls")}, []string{"--approve"}, "ls", "ls"},
		{"what looks like a pattern", []string{shell("echo *"), shell("echo a")}, []string{"--approve"}, "echo *", "echo a"},
		{"calls of its kind", []string{shell("git status"), shell("git status -s"), shell("git push")}, []string{"--approve-similar"}, "git status|git status -s", "git push"},
		{"every call of two tools", []string{write("f"), shell("ls"), write("g"), shell("pwd"), write("f")}, []string{"--approve-always", "--approve-always"}, "f|ls|g|pwd|f", ""},
		{"an approval adds to earlier ones", []string{shell("ls"), write("f"), shell("pwd"), shell("ls"), write("f"), shell("pwd")},
			[]string{"--approve", "--approve", "--approve"}, "ls|f|pwd|ls|f|pwd", ""},
		{"a refusal is told and grants nothing", []string{shell("ls"), shell("ls")}, []string{"--deny"}, "", "ls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newCalling(t, askAll, c.calls...)
			a.run(exitPaused)
			for i, answer := range c.answers {
				want := exitPaused
				if c.waits == "" && i == len(c.answers)-1 {
					want = exitOK
				}
				a.resume(want, answer)
			}
			ran, waits := a.ran()
			if got := strings.Join(ran, "|"); got != c.ran || waits != c.waits {
				t.Errorf("ran %q and waits for %q, want %q, %q", got, waits, c.ran, c.waits)
			}
			// Another run begins with no grant.
			a.iterion(exitPaused, "run", "main.bot", "--script", "script.yaml", "--run-id", "other", "--json")
		})
	}
}

// The card, the text of the pause and the events say for each answer what it
// would store, and it is what the grant then opens.
func TestCardsSayWhatIsStored(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{shell("git push origin x"), "allow: bash(git push origin x); allow similar: bash(git push:*); allow always: bash; deny: "},
		{shell("ls && id"), "allow: bash(ls && id); allow always: bash; deny: "},
		{scriptCall("web_fetch", map[string]string{"url": "https://docs.example/a"}),
			"allow: web_fetch(https://docs.example/a); allow similar: web_fetch(domain:docs.example); allow always: web_fetch; deny: "},
		{scriptCall("write_file", map[string]string{"file_path": "pkg/a.go", "content": "x"}),
			"allow: write_file($W/pkg/a.go); allow similar: write_file($W/pkg/**); allow always: write_file; deny: "},
	} {
		a := newCalling(t, askAll, c.call)
		_, stderr := a.run(exitPaused)
		dir, err := filepath.EvalSymlinks(a.dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range a.events() {
			choices, _ := e.Data["choices"].([]any)
			for _, choice := range choices {
				answer, _ := choice.(map[string]any)
				text := fmt.Sprintf("%s: %s", answer["answer"], answer["stores"])
				got = append(got, strings.ReplaceAll(text, dir, "$W"))
				if line := fmt.Sprintf("      %s: for the rest of the run, %s\n", answer["answer"], answer["stores"]); answer["stores"] != "" && !strings.Contains(stderr, line) {
					t.Errorf("the pause does not say %q:\n%s", line, stderr)
				}
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("choices\n%s\nwant\n%s", text, c.want)
		}
	}
}

// Without a person a call that asks pauses the run, whatever the standard input
// is, and ends the process; what a rule allows has run. Under deny it is refused,
// and the run goes on.
func TestNobodyIsThere(t *testing.T) {
	calls := []string{scriptCall("read_file", map[string]string{"path": "a"}), shell("touch RAN")}
	for _, policy := range []string{"  allow: [\"Read(**)\"]\n", "  allow: [\"Read(**)\"]\n  ask: [\"Bash(touch:*)\"]\n"} {
		for name, stdin := range map[string]*os.File{"nothing": nil, "an input that never comes": hold(t, ""), "an answer that was not asked for": hold(t, "allow\nallow\n")} {
			t.Run(name, func(t *testing.T) {
				a := newCalling(t, policy, calls...)
				a.stdin = stdin
				stdout, stderr := a.run(exitPaused, "--permission", "ask")
				ran, waits := a.ran()
				if strings.Join(ran, "|") != "a" || waits != "touch RAN" {
					t.Errorf("ran %q, waits for %q", ran, waits)
				}
				for _, want := range []string{`"status":"paused_waiting_human"`, `"call_input":"{\"command\":\"touch RAN\"}"`, `"tool":"bash"`, `"reason":"`} {
					if !strings.Contains(stdout, want) {
						t.Errorf("the events lack %s:\n%s", want, stdout)
					}
				}
				if strings.Contains(policy, "ask:") && !strings.Contains(stdout, `"rule":"Bash(touch:*)"`) {
					t.Errorf("the events lack the rule:\n%s", stdout)
				}
				if !strings.Contains(stderr, "iterion resume r --store store --approve") {
					t.Errorf("the way on is not said:\n%s", stderr)
				}
				if _, err := os.Stat(filepath.Join(a.dir, "RAN")); err == nil {
					t.Error("the call ran")
				}
			})
		}
	}
	a := newCalling(t, "  allow: [\"Read(**)\"]\n", calls...)
	a.run(exitOK, "--permission", "deny")
	if ran, _ := a.ran(); strings.Join(ran, "|") != "a" {
		t.Errorf("under deny ran %q", ran)
	}
}

// Every character that would not show, or would change how the others do, is
// spelled out wherever a person reads, with a warning; what was approved is the
// call as it is, to the byte.
func TestCardsHideNothing(t *testing.T) {
	for _, c := range []struct {
		name, command, looks string // another command that would look alike, "" for none
		hidden               bool
	}{
		{"right to left", "printf %s 'ls \u202ehcir\u202c' >> ledger; true", "printf %s 'ls hcir' >> ledger; true", true},
		{"isolates", "printf %s 'a\u2066b\u2069' >> ledger", "printf %s 'ab' >> ledger", true},
		{"no width", "printf %s 'a\u200bb' >> ledger", "printf %s 'ab' >> ledger", true},
		{"a line separator", "printf %s 'ls\u2028id' >> ledger", "", true},
		{"a paragraph separator", "printf %s 'ls\u2029id' >> ledger", "", true},
		{"another blank", "printf %s 'a\u00a0b' >> ledger", "printf %s 'a b' >> ledger", true},
		{"a letter that shows nothing", "printf %s 'a\u3164b' >> ledger", "printf %s 'ab' >> ledger", true},
		{"tags", "printf %s 'a\U000e0041b' >> ledger", "printf %s 'ab' >> ledger", true},
		{"a code point of nobody", "printf %s 'a\u0378b' >> ledger", "", true},
		{"of private use", "printf %s 'a\ue000b' >> ledger", "", true},
		{"the terminal's commands", "printf %s 'ls\x1b[2Kid' >> ledger", "", true},
		{"the beginning of the line", "printf %s 'rm\rls' >> ledger", "", true},
		{"a bell", "printf %s 'a\ab' >> ledger", "", true},
		{"C1 controls", "printf %s 'a\u009b2Kb' >> ledger", "", true},
		{"Arabic and emoji", "printf %s 'مرحبا 👋 ☺️' >> ledger", "", false},
		{"lines and tabs", "printf %s 'a\tb\nc' >> ledger", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			calls := []string{shell(c.command)}
			if c.looks != "" {
				calls = append(calls, shell(c.looks))
			}
			a := newCalling(t, askAll, calls...)
			texts := map[string]string{}
			read := func(name string, code int, args ...string) {
				out, errs := a.iterion(code, args...)
				texts[name] = out + errs
			}
			read("run", exitPaused, "run", "main.bot", "--script", "script.yaml", "--run-id", "r")
			read("run --json", exitPaused, "run", "main.bot", "--script", "script.yaml", "--run-id", "second", "--json")
			read("events", exitOK, "events", "r")
			read("events --json", exitOK, "events", "r", "--json")
			read("inspect", exitOK, "inspect", "r")
			read("inspect --json", exitOK, "inspect", "r", "--json")
			read("inspect --node", exitOK, "inspect", "r", "--node", "a")
			read("inspect --node --json", exitOK, "inspect", "r", "--node", "a", "--json")
			read("runs", exitOK, "runs")
			read("runs show --json", exitOK, "runs", "show", "r", "--json")
			read("report", exitOK, "report", "r")
			read("report --html", exitOK, "report", "r", "--html", "report.html")
			page, err := os.ReadFile(filepath.Join(a.dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			texts["report.html"] = string(page)
			for name, text := range texts {
				if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && shown.Hidden(r) }); at >= 0 {
					t.Errorf("%s shows %q", name, text[max(0, at-40):min(len(text), at+20)])
				}
			}
			if got := strings.Contains(texts["run"], "careful: characters that would not show"); got != c.hidden {
				t.Errorf("warned: %v, want %v\n%s", got, c.hidden, texts["run"])
			}
			if got := strings.Contains(texts["run --json"], `"warning":`); got != c.hidden {
				t.Errorf("warned in the events: %v, want %v", got, c.hidden)
			}
			if word := strings.Split(c.command, "'")[1]; !c.hidden && !strings.ContainsAny(word, "\t\n") && !strings.Contains(texts["run"], word) {
				t.Errorf("%q is not readable:\n%s", word, texts["run"])
			}
			end := exitOK
			if c.looks != "" {
				end = exitPaused
			}
			a.resume(end, "--approve")
			got, err := os.ReadFile(filepath.Join(a.dir, "ledger"))
			if want := strings.Split(c.command, "'")[1]; err != nil || string(got) != want {
				t.Errorf("what ran wrote %q, %v, want %q", got, err, want)
			}
			if _, waits := a.ran(); waits != c.looks {
				t.Errorf("the run waits for %q, want %q", waits, c.looks)
			}
		})
	}
}

// A grant is listed with who gave it and when.
func TestGrantsAreListed(t *testing.T) {
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	a := newCalling(t, askAll, shell("ls"))
	a.run(exitPaused)
	a.resume(exitOK, "--approve-always")
	list := runtime.Fold(a.events()).Grants
	if len(list) != 1 || list[0].Scope != "tool" || list[0].By != who.Username || list[0].At.IsZero() {
		t.Fatalf("%+v", list)
	}
	text, _ := a.iterion(exitOK, "inspect", "r")
	for _, want := range []string{"tool", "bash", who.Username, list[0].At.Local().Format(time.DateTime)} {
		if !strings.Contains(text[strings.Index(text, "\ngrants"):], want) {
			t.Errorf("the grant is listed without %q:\n%s", want, text)
		}
	}
}
