package bottest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func written(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a"+Suffix)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// What no test could mean is refused with its place.
func TestRefusedFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "`tests:` is missing or empty",
		"tests: []":                     "`tests:` is missing or empty",
		"tests: [":                      "[1:8]",
		"tests: [{ name: a }]\n---\n{}": "it is more than one document",
		"tests:\n- nam: a":              `[2:3] unknown field "nam"`,
		"tests:\n- name: a\n- name: a":  `[3:7] two tests are called "a"`,
		"tests:\n- name: a\n  name: b":  "already defined",
		"tests:\n- permission: never":   "[2:15] `permission:` is one of off, ask, deny, not \"never\"",
		"tests:\n- approvals: [{ tool: Bash, answer: maybe }]":              "[2:15] an approval has",
		"tests:\n- approvals: [{ tool: Bash, answr: allow }]":               `unknown field "answr"`,
		"tests:\n- tools: { a: { stdout: x, output: { b: 1 } } }":           "`output:` is what stdout says",
		"tests:\n- tools: { a: { ext: 1 } }":                                `unknown field "ext"`,
		"tests:\n- files: { ../x: a }":                                      `the file "../x" is not below the workspace`,
		"tests:\n- files: { /etc/x: a }":                                    `the file "/etc/x" is not below the workspace`,
		"tests:\n- expect: { files: { ../x: a } }":                          `the file "../x" is not below the workspace`,
		"tests:\n- expect: { files: { x: { containz: a } } }":               `unknown field "containz"`,
		"tests:\n- expect: { status: done }":                                "[2:21] `status:` is one of [finished failed",
		"tests:\n- expect: { statu: done }":                                 `[2:13] unknown field "statu"`,
		"tests:\n- expect: { denied: [{ tol: x }] }":                        `unknown field "tol"`,
		"tests:\n- script: gone.yaml":                                       "[2:11]",
		"tests:\n- script: { nodes: { a: [{ txt: x }] } }":                  `unknown field "txt"`,
		"tests:\n- script: { nodes: { a: [{ text: x }, { delay: -1s }] } }": "node a, turn 2: delay: -1s is negative",
		"tests:\n- script: 3\n":                                             "[2:11]",
		"tests:\n- answers: { a: x }":                                       "[2:17]",
	} {
		_, err := Load(written(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// The program is the one of the file's name, a folder of that name, or named.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one.bot", "both.bot", "two/main.bot", "both/main.bot"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"one": "one.bot", "two": "two", "both": "both.bot", "none": "", "two/main": "two/main.bot"} {
		path := filepath.Join(dir, name+Suffix)
		if err := os.WriteFile(path, []byte("tests: [{}]"), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Program()
		if (err != nil) != (want == "") || want != "" && got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
