package corpus

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"
)

// Entry is the name of the main file of every broken case.
const Entry = "a.bot"

// Case is a bad input with the findings that it must draw.
type Case struct {
	Name  string // file name without its extension
	Doc   string // what is wrong, one sentence
	Files []File // the main file first, its fragments under lib/
	Want  []Want // in the order of reports, empty for a clean text
}

// Want is one expected finding. Line and Column start at 1, columns count code
// points.
type Want struct {
	File         string
	Line, Column int
	Code         string
}

func (w Want) String() string {
	return fmt.Sprintf("%s:%d:%d %s", w.File, w.Line, w.Column, w.Code)
}

// Cases returns the broken texts, sorted by name. It panics on a case that is
// itself malformed.
func Cases() []Case {
	var cases []Case
	for _, f := range glob("broken", ".txtar", "") {
		c, err := parseCase(f)
		if err != nil {
			panic(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func parseCase(f File) (Case, error) {
	archive := txtar.Parse(f.Data)
	name := strings.TrimSuffix(strings.TrimPrefix(f.Name, "broken/"), ".txtar")
	c := Case{Name: name, Doc: doc(archive.Comment)}
	wanted := false
	for _, section := range archive.Files {
		if section.Name != "want" {
			c.Files = append(c.Files, File{Name: section.Name, Data: unmark(section.Data)})
			continue
		}
		wanted = true
		for line := range strings.Lines(string(section.Data)) {
			w, err := parseWant(strings.TrimSpace(line))
			if err != nil {
				return c, fmt.Errorf("%s: %w", f.Name, err)
			}
			c.Want = append(c.Want, w)
		}
	}
	if !wanted || len(c.Files) == 0 || c.Files[0].Name != Entry {
		return c, fmt.Errorf("%s: needs %s first and a want section", f.Name, Entry)
	}
	return c, nil
}

func doc(comment []byte) string {
	var lines []string
	for line := range strings.Lines(string(comment)) {
		lines = append(lines, strings.TrimSpace(strings.TrimLeft(line, "# ")))
	}
	return strings.Join(lines, " ")
}

var wantForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\S+\.(?:bot|md)):)?(\d+):(\d+) ([A-Z]\d{3})$`)
})

// parseWant reads `[file:]line:column code`; without a file it is the main one.
func parseWant(line string) (Want, error) {
	m := wantForm().FindStringSubmatch(line)
	if m == nil {
		return Want{}, fmt.Errorf("%q is not [file:]line:column code", line)
	}
	w := Want{File: m[1], Code: m[4]}
	if w.File == "" {
		w.File = Entry
	}
	w.Line, _ = strconv.Atoi(m[2])
	w.Column, _ = strconv.Atoi(m[3])
	return w, nil
}

var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<<[0-9A-F]{2}>>`)
})

// unmark turns <<0D>> into the byte 0D: an archive of text lines cannot carry a
// byte order mark, a carriage return, a NUL or bytes that are not UTF-8.
func unmark(text []byte) []byte {
	return marker().ReplaceAllFunc(slices.Clone(text), func(m []byte) []byte {
		b, _ := strconv.ParseUint(string(m[2:4]), 16, 8)
		return []byte{byte(b)}
	})
}
