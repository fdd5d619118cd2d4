package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"iterion/cmd/bottest"
)

// documented is a program of the documentation. The words behind ```bot say
// what it is there for: `run` runs it, `exit=N` is how that ends, a word that
// begins with `--` is an argument of the run. A fence with `with=PATH` holds a
// further file of the program before it, `script` and `answers` what the run
// is given. Tests of a policy or of the bot among them must pass.
type documented struct {
	place string // file:line
	files map[string]string
	run   bool
	exit  int
	args  []string
}

// Every program in the documentation is valid and canonical, and ends as its
// words say.
func TestDocumentedBots(t *testing.T) {
	for _, file := range documents(t) {
		for _, d := range documentedIn(t, file) {
			t.Run(d.place, func(t *testing.T) { d.hold(t) })
		}
	}
}

func (d documented) hold(t *testing.T) {
	dir := t.TempDir()
	for name, text := range d.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main := filepath.Join(dir, "main.bot")
	d.want(t, exitOK, "validate", "--max-warnings", "0", main)
	d.want(t, exitOK, "fmt", "--check", "--diff", dir)
	if _, ok := d.files["main.bot.yaml"]; ok {
		d.want(t, exitOK, "fmt", "--check", "--diff", main+".yaml")
	}
	for name := range d.files {
		if strings.HasSuffix(name, ".policy.yaml") {
			d.want(t, exitOK, "permission", "test", filepath.Join(dir, name))
		}
		if strings.HasSuffix(name, bottest.Suffix) {
			d.want(t, exitOK, "test", filepath.Join(dir, name))
		}
	}
	if !d.run {
		return
	}
	args := append([]string{"run", "--no-interactive"}, d.args...)
	for flag, name := range map[string]string{"--script": "script", "--answers-file": "answers"} {
		if _, ok := d.files[name]; ok {
			args = append(args, flag, filepath.Join(dir, name))
		}
	}
	d.want(t, d.exit, append(args, main)...)
}

func (d documented) want(t *testing.T, exit int, args ...string) {
	t.Helper()
	var out bytes.Buffer
	if code := execute(args, streams{strings.NewReader(""), &out, &out}); code != exit {
		t.Errorf("%s: %s ends with %d, want %d\n%s", d.place, args[0], code, exit, out.String())
	}
}

func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no documentation", err)
	}
	return append(files, "../../README.md", "../../corpus/README.md")
}

// documentedIn reads the programs of a file.
func documentedIn(t *testing.T, file string) (list []documented) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	for i := 0; i < len(lines); i++ {
		info, ok := strings.CutPrefix(strings.TrimSuffix(lines[i], "\n"), "```")
		if !ok {
			continue
		}
		start := i + 1
		for i = start; i < len(lines) && lines[i] != "```\n"; i++ {
		}
		words, text := strings.Fields(info), strings.Join(lines[start:i], "")
		switch name := beside(words); {
		case name != "":
			list[len(list)-1].files[name] = text
		case len(words) > 0 && words[0] == "bot":
			list = append(list, documentedAs(t, fmt.Sprintf("%s:%d", filepath.Base(file), start), words[1:], text))
		}
	}
	return list
}

// beside is the name of a file that belongs to the program before it, or "".
func beside(words []string) string {
	if len(words) < 2 {
		return ""
	}
	if name, ok := strings.CutPrefix(words[1], "with="); ok {
		return name
	}
	if words[1] == "script" || words[1] == "answers" {
		return words[1]
	}
	return ""
}

func documentedAs(t *testing.T, place string, words []string, text string) documented {
	t.Helper()
	d := documented{place: place, files: map[string]string{"main.bot": text}}
	for _, word := range words {
		exit, isExit := strings.CutPrefix(word, "exit=")
		switch {
		case word == "run":
			d.run = true
		case strings.HasPrefix(word, "--"):
			d.args = append(d.args, word)
		case isExit:
			var err error
			if d.exit, err = strconv.Atoi(exit); err == nil {
				continue
			}
			fallthrough
		default:
			t.Errorf("%s: what is %q?", place, word)
		}
	}
	return d
}
