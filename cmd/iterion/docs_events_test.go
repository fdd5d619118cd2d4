package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

var codeWord = regexp.MustCompile("`([a-z_]+)`")

// docs/running.md lists every type of event, and the data of each that the
// runs of the corpus write.
func TestDocumentedEvents(t *testing.T) {
	fields, later := documentedEvents(t)
	for _, known := range outcome.Events() {
		if _, listed := fields[known.Type]; listed == slices.Contains(later, known.Type) {
			t.Errorf("%s must be in the table, or among those that do not occur yet", known.Type)
		}
	}
	if got := len(fields) + len(later); got != len(outcome.Events()) {
		t.Errorf("%d types are documented, there are %d", got, len(outcome.Events()))
	}
	for _, e := range corpusEvents(t) {
		for key := range e.Data {
			if !slices.Contains(fields[e.Type], key) {
				t.Errorf("the data of %s lacks %s", e.Type, key)
			}
		}
	}
}

// documentedEvents reads the table of events and the list behind it.
func documentedEvents(t *testing.T) (fields map[outcome.EventType][]string, later []outcome.EventType) {
	t.Helper()
	raw, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(raw), "\n## Events\n")
	section, _, _ = strings.Cut(section, "\n## ")
	table, rest, _ := strings.Cut(section, "do not occur yet:")
	fields = map[outcome.EventType][]string{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| `") {
			names := codeWords(line)
			fields[outcome.EventType(names[0])] = names[1:]
		}
	}
	for _, name := range codeWords(rest) {
		later = append(later, outcome.EventType(name))
	}
	fields[outcome.BranchFinished] = append(fields[outcome.BranchFinished], fields[outcome.RunFailed]...)
	return fields, later
}

// codeWords are the words of a text that stand between backticks.
func codeWords(text string) (words []string) {
	for _, found := range codeWord.FindAllStringSubmatch(text, -1) {
		words = append(words, found[1])
	}
	return words
}

// corpusEvents runs the bots of the corpus and collects their events.
func corpusEvents(t *testing.T) (all []store.Event) {
	t.Helper()
	for _, r := range corpus.Runs() {
		_, stdout, _ := runCorpus(t, r)
		for line := range strings.Lines(stdout) {
			var e store.Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%s: %v: %s", r.Name, err, line)
			}
			all = append(all, e)
		}
	}
	return all
}
