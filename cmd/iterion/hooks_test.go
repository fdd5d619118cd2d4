package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// commitHook is an entry of .pre-commit-hooks.yaml.
type commitHook struct {
	ID, Name, Description, Language, Entry, Files string
	PassFilenames                                 *bool `yaml:"pass_filenames"`
}

func readHooks(t *testing.T) (hooks []commitHook) {
	t.Helper()
	raw, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalWithOptions(raw, &hooks, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return hooks
}

// The hooks call verbs that exist, for the files that those verbs read.
func TestHooks(t *testing.T) {
	reads := map[string]string{
		"iterion-fmt":      "a.bot x/lib/b.bot",
		"iterion-validate": "a.bot a.bot.yaml manifest.yaml x/manifest.yml prompts/p.md x/skills/s/SKILL.md",
	}
	for _, h := range readHooks(t) {
		names, ok := reads[h.ID]
		delete(reads, h.ID)
		if !ok || h.Language != "golang" || h.Name == "" || h.Description == "" {
			t.Errorf("%+v", h)
		}
		words := strings.Fields(h.Entry)
		verb, _, err := wholeRoot(streams{}).Find(words[1:])
		if words[0] != "iterion" || err != nil || verb.Name() != words[1] {
			t.Errorf("%s: %q is no verb: %v", h.ID, h.Entry, err)
		}
		if paths := len(words) > 2; paths == (h.PassFilenames == nil || *h.PassFilenames) {
			t.Errorf("%s names paths of its own, or else is given those that changed", h.ID)
		}
		files := regexp.MustCompile(h.Files)
		for _, name := range strings.Fields(names) {
			if !files.MatchString(name) {
				t.Errorf("%s does not see %s", h.ID, name)
			}
		}
		for _, name := range []string{"README.md", "a.bots", "a.botz", "a_test.yaml", "abot"} {
			if files.MatchString(name) {
				t.Errorf("%s sees %s", h.ID, name)
			}
		}
	}
	if len(reads) > 0 {
		t.Errorf("no hooks for %v", reads)
	}
}
