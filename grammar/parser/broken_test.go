package parser

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/reference/sample"
)

// ofParser matches a finding that a file's own text shows.
var ofParser = regexp.MustCompile(`^\d+:\d+ E0([0-3]\d|4[0-5])$`)

// ofLinker are findings with a parser's code that only the place of a file in
// its unit shows: a main imports from lib, a fragment does not.
var ofLinker = map[string]string{"broken/e045_paths.txtar": "3:8 E045"}

// unescape decodes `<<EF>>`, a byte that an archive cannot hold.
func unescape(data []byte) []byte {
	return regexp.MustCompile(`<<[0-9A-F]{2}>>`).ReplaceAllFunc(data, func(m []byte) []byte {
		b, _ := strconv.ParseUint(string(m[2:4]), 16, 8)
		return []byte{byte(b)}
	})
}

// TestBrokenFiles: each archive with a single file has the findings that its
// want section lists, as far as they are the parser's.
func TestBrokenFiles(t *testing.T) {
	for _, archive := range sample.Archives(t) {
		ar := txtar.Parse(archive.Raw)
		if len(ar.Files) != 2 {
			continue
		}
		var want []string
		for _, line := range strings.Split(strings.TrimSpace(string(ar.Files[1].Data)), "\n") {
			if ofParser.MatchString(line) && ofLinker[archive.Name] != line {
				want = append(want, line)
			}
		}
		f := File(source.Load(ar.Files[0].Name, unescape(ar.Files[0].Data)))
		got := findings(f)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q\n%s", archive.Name, got, want, strings.Join(problems(f), "\n"))
		}
	}
}

// findings lists `line:column code` of every problem.
func findings(f *ast.File) []string {
	var list []string
	add := func(p ast.Problem, base uint32) {
		at := f.Source.Position(int(p.Span.Start + base))
		list = append(list, fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Code))
	}
	for i, d := range f.Decls {
		for _, p := range d.Problems {
			add(p, f.Bases[i])
		}
	}
	for _, p := range f.Problems {
		add(p, 0)
	}
	return list
}
