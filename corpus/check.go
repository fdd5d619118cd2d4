package corpus

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"
)

// CheckCase is a text that the static checks judge, with its findings.
type CheckCase struct {
	Name  string // file name without its extension
	Doc   string // what is looked at
	Files []File // the main file first, then fragments, included texts, files of a bundle
	Want  []Want // by file, line and code; a Column of 0 takes any column
	Options
}

// bundleEntry is the name of the main file of a case that is a bundle.
const bundleEntry = "main.bot"

// CheckCases returns the cases of the static checks, sorted by name. It panics
// on a case that is itself malformed.
func CheckCases() []CheckCase {
	return archives("check", parseCheckCase)
}

func parseCheckCase(name string, archive *txtar.Archive) (CheckCase, error) {
	return readCase(name, archive, Entry)
}

// readCase reads an archive whose main file has the name entry.
func readCase(name string, archive *txtar.Archive, entry string) (CheckCase, error) {
	c := CheckCase{Name: name, Doc: doc(archive.Comment)}
	for _, section := range archive.Files {
		words := strings.Fields(section.Name)
		section.Name = words[0]
		for _, word := range words[1:] {
			c.read(word)
		}
		if section.Name == "want" {
			wants, err := wantSection(section.Data, entry)
			if err != nil {
				return c, err
			}
			c.Want = append(c.Want, wants...)
			continue
		}
		c.Files = append(c.Files, File{Name: section.Name, Data: section.Data})
		wants, err := wantsBeside(section.Name, string(section.Data))
		if err != nil {
			return c, err
		}
		c.Want = append(c.Want, wants...)
	}
	if len(c.Files) == 0 || c.Files[0].Name != entry && c.Files[0].Name != bundleEntry {
		return c, fmt.Errorf("needs %s first, or %s of a bundle", entry, bundleEntry)
	}
	for i := range c.Want {
		if c.Want[i].File == entry {
			c.Want[i].File = c.Files[0].Name
		}
	}
	slices.SortFunc(c.Want, compareWants)
	return c, nil
}

func compareWants(a, b Want) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column, b.Column))
}

// wantsBeside reads the `## want` comments of a text. One at the end of a line
// speaks of that line, one on a line of its own of the next line of code.
func wantsBeside(file, text string) ([]Want, error) {
	var list, waiting []Want
	for i, line := range strings.Split(text, "\n") {
		code, comment, found := strings.Cut(line, "## want ")
		var here []Want
		if found {
			var err error
			if here, err = parseWants(comment); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
		}
		if code = strings.TrimSpace(code); code == "" || strings.HasPrefix(code, "#") {
			waiting = append(waiting, here...)
			continue
		}
		for _, w := range append(waiting, here...) {
			w.File, w.Line = file, i+1
			list = append(list, w)
		}
		waiting = nil
	}
	if waiting != nil {
		return nil, fmt.Errorf("%s: nothing follows the last expectation", file)
	}
	return list, nil
}

var besideForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\d+) )?([A-Z]\d{3})$`)
})

// parseWants reads `[column] code`, several parted by commas.
func parseWants(text string) ([]Want, error) {
	var list []Want
	for item := range strings.SplitSeq(text, ",") {
		m := besideForm().FindStringSubmatch(strings.TrimSpace(item))
		if m == nil {
			return nil, fmt.Errorf("%q is not [column] code", item)
		}
		column, _ := strconv.Atoi(m[1]) // 0 when left out
		list = append(list, Want{Code: m[2], Column: column})
	}
	return list, nil
}
