package bottest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"iterion/backends/claw"
	"iterion/ir/build"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
)

// tried runs the one test of a file on a program and returns what is wrong. files
// are names and texts of further files beside the tests.
func tried(t *testing.T, program, test string, files ...string) (problems string, out Outcome) {
	t.Helper()
	r := build.Text("a.bot", []byte("dsl: 2\n\n"+program))
	if !r.Valid() {
		t.Fatal(r.Diagnostics)
	}
	name := written(t, "tests:\n  - name: x\n"+test)
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(filepath.Dir(name), files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	b := Bench{
		Program: r.Program(), Timeout: time.Minute,
		Backend: func(m backend.LanguageModel) backend.Backend { return claw.New(m, disk.Links{}) },
		Lookup: func(name string) (string, bool) {
			if name == "PATH" || name == "TMPDIR" {
				return os.LookupEnv(name)
			}
			return "from-outside", name == "CANARY"
		},
	}
	out = b.Run(t.Context(), f.Tests[0])
	return strings.Join(out.Problems, "\n"), out
}

const oneTool = `
workflow w:
  entry: a
  worktree: none

  a -> done
`

// A test sees what it says itself and little else, and leaves nothing behind.
func TestATestIsAlone(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	problems, _ := tried(t, `
vars:
  word: string = "${OWN:-none} ${CANARY:-none}"

tool a:
  command: "printf '%s|%s|%s|' \"$CANARY\" \"$OWN\" {{vars.word}}; ls; cd && ls; ls .. | tr '\\n' ' '"
`+oneTool, `
    env: { OWN: mine }
    files: { in/x: "1" }
    expect:
      outputs: { a: { result: "|mine|mine none|in\nartifacts home workspace" } }
`)
	if problems != "" {
		t.Error(problems)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Secrets have values that are nobody's, as files too; attachments are files
// beside the tests.
func TestWhatIsHandedOver(t *testing.T) {
	const program = `
secrets:
  key:
    as: file
    env: KEY_FILE
  word: "${WORD}"

attachments:
  guide: file
    required: true

tool a:
  command: "cat {{secrets.key.path}} | wc -c; cat \"$KEY_FILE\" | wc -c; printf %s {{secrets.word}} | wc -c; cat {{attachments.guide.path}}"
` + oneTool
	problems, _ := tried(t, program, `
    secrets: { word: abc }
    attachments: { guide: guide.md }
    expect: { outputs: { a: { result: "15\n15\n3\nRead me." } } }
`, "guide.md", "Read me.")
	if problems != "" {
		t.Error(problems)
	}
	for test, want := range map[string]string{
		"    secrets: { wrod: abc }\n    attachments: { guide: a_test.yaml }": "secrets.wrod: the program has no such secret",
		"    attachments: { guide: gone.md }":                                 "gone.md",
		"    unused: true":                                                    "guide",
		"    attachments: { guide: a_test.yaml }\n    vars: { n: 1 }":         "there is no variable n",
	} {
		if problems, _ := tried(t, program, test); !strings.Contains(problems, want) {
			t.Errorf("%s: %q, want %q", test, problems, want)
		}
	}
}

const asking = `
agent a:
  model: "m"
  user: "Go."
  tools: [bash, read_file]
  permission: ask
  deny: ["Bash(rm:*)"]
` + oneTool

// Approvals are given in their order and to the calls they are about; what is
// refused, and by what, can be demanded.
func TestApprovals(t *testing.T) {
	const script = `
    script:
      nodes:
        a:
          - tools: [{ name: bash, input: { command: echo one } }]
          - tools: [{ name: bash, input: { command: echo two } }, { name: bash, input: { command: rm x } }, { name: grep, input: { pattern: x } }]
          - text: done
`
	for test, want := range map[string]string{
		script + `
    approvals: [{ tool: Bash, match: echo one, answer: allow }, { tool: bash, match: two, answer: deny }]
    expect:
      allowed: [{ tool: Bash, match: echo one }]
      asked: [{ tool: Bash, match: one }, { tool: Bash, match: two }]
      denied: [{ tool: Bash, match: two }, { tool: Bash, match: rm x, rule: "Bash(rm:*)" }, { tool: grep }]`: "",
		script + `
    approvals: [{ tool: Bash, answer: allow always }]
    expect: { allowed: [{ tool: Bash, match: two }], denied: [{ tool: Bash, rule: "Bash(rm:*)" }] }`: "",
		script + `
    approvals: [{ tool: Bash, match: two, answer: allow }, { tool: Bash, match: one, answer: allow }]
    unused: true
    expect: { status: paused_waiting_human }`: `approvals: the next is for Bash two, and a asks for bash {"command":"echo one"}`,
		script + `
    unused: true
    expect: { status: paused_waiting_human, asked: [{ tool: Bash, match: one }] }`: "",
		script + `
    approvals: [{ tool: Bash, answer: allow always }]
    expect: { denied: [], asked: [] }`: "denied:\n    want no call\n    got  bash",
		script + `
    approvals: [{ tool: Bash, answer: allow always }]
    expect: { denied: [{ tool: Bash, rule: "Bash(git:*)" }] }`: "denied:\n    want Bash by Bash(git:*)",
	} {
		problems, out := tried(t, asking, test)
		if (want == "") != (problems == "") || !strings.Contains(problems, want) {
			t.Errorf("%s\n%s\nwant %q; the run: %s", test, problems, want, out.Ending)
		}
	}
}

// Answers that do not fit, and costs above their bound, are said.
func TestOtherProblems(t *testing.T) {
	const person = `
schema form:
  n: int

human a:
  output: form
  instructions: "How many?"
` + oneTool
	for test, want := range map[string]string{
		"    answers: { a: { n: many } }":                                                       "answers.a: it does not fit: n: ",
		"    answers: { a: [{ n: 1 }, { n: 2 }] }":                                              "1 answer of a not asked for",
		"    expect: { status: failed }":                                                        "got  paused_waiting_human; a waits for an answer",
		"    answers: { a: { n: 1 } }\n    expect: { files: { x: null }, artifacts: { n: 1 } }": "artifacts.n:\n    want 1\n    got  nothing",
	} {
		if problems, _ := tried(t, person, test); !strings.Contains(problems, want) {
			t.Errorf("%s: %q, want %q", test, problems, want)
		}
	}
	for expect, want := range map[string]string{
		"max_tokens: 29":     "max_tokens:\n    want 29\n    got  30",
		"max_tokens: 30":     "",
		"max_cost_usd: 0.01": "max_cost_usd: the cost is not known: 1 turn without",
	} {
		test := "    script: { nodes: { a: [{ text: x, usage: { input_tokens: 10, output_tokens: 20 } }] } }\n    expect: { " + expect + " }"
		if problems, _ := tried(t, asking, test); (want == "") != (problems == "") || !strings.Contains(problems, want) {
			t.Errorf("%s: %q, want %q", expect, problems, want)
		}
	}
}
