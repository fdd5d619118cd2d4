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
	return archives("broken", parseCase)
}

// archives reads the archives of a folder, sorted by name.
func archives[T any](folder string, parse func(name string, a *txtar.Archive) (T, error)) []T {
	var list []T
	for _, f := range glob(folder, ".txtar", "") {
		name := strings.TrimSuffix(strings.TrimPrefix(f.Name, folder+"/"), ".txtar")
		v, err := parse(name, txtar.Parse(f.Data))
		if err != nil {
			panic(fmt.Errorf("%s: %w", f.Name, err))
		}
		list = append(list, v)
	}
	return list
}

func parseCase(name string, archive *txtar.Archive) (Case, error) {
	c := Case{Name: name, Doc: doc(archive.Comment)}
	wanted := false
	for _, section := range archive.Files {
		if section.Name != "want" {
			c.Files = append(c.Files, File{Name: section.Name, Data: unmark(section.Data)})
			continue
		}
		wanted = true
		wants, err := wantSection(section.Data, Entry)
		if err != nil {
			return c, err
		}
		c.Want = append(c.Want, wants...)
	}
	if !wanted || len(c.Files) == 0 || c.Files[0].Name != Entry {
		return c, fmt.Errorf("needs %s first and a want section", Entry)
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
	return regexp.MustCompile(`^(?:(\S+\.(?:bot|md|ya?ml)):)?(\d+):(\d+) ([A-Z]\d{3})$`)
})

// wantSection reads one wanted finding a line. One without a file is in main.
func wantSection(data []byte, main string) ([]Want, error) {
	var list []Want
	for line := range strings.Lines(string(data)) {
		w, err := parseWant(strings.TrimSpace(line), main)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, nil
}

// parseWant reads `[file:]line:column code`; without a file it is the main one.
func parseWant(line, main string) (Want, error) {
	m := wantForm().FindStringSubmatch(line)
	if m == nil {
		return Want{}, fmt.Errorf("%q is not [file:]line:column code", line)
	}
	w := Want{File: m[1], Code: m[4]}
	if w.File == "" {
		w.File = main
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
