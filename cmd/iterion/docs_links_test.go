package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkForm    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingForm = regexp.MustCompile(`(?m)^#+ (.+)$`)
	codeForm    = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]*`")
	anchorDrops = regexp.MustCompile(`[^\pL\pN _-]`)
)

// Relative links of the documentation lead to a file, and to a heading in it.
func TestDocumentedLinks(t *testing.T) {
	for _, file := range documents(t) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range linkForm.FindAllStringSubmatch(codeForm.ReplaceAllString(string(raw), ""), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(found[1], "#")
			target := filepath.Join(filepath.Dir(file), path)
			if path == "" {
				target = file
			}
			switch text, err := os.ReadFile(target); {
			case err != nil && !isDir(target):
				t.Errorf("%s: there is no %s", file, found[1])
			case anchor != "" && !slices.Contains(anchors(string(text)), anchor):
				t.Errorf("%s: there is no heading %s", file, found[1])
			}
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// anchors are the names by which the headings of a page can be linked to.
func anchors(page string) (list []string) {
	for _, found := range headingForm.FindAllStringSubmatch(page, -1) {
		name := anchorDrops.ReplaceAllString(strings.ToLower(found[1]), "")
		list = append(list, strings.ReplaceAll(name, " ", "-"))
	}
	return list
}
