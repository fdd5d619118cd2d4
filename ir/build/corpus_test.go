package build_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// memory is a file system of a case's files.
func memory(files []corpus.File) fs.FS {
	m := fstest.MapFS{}
	for _, f := range files {
		m[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return m
}

// The broken cases give exactly the findings they ask for.
func TestBroken(t *testing.T) {
	for _, c := range corpus.Cases() {
		r, err := build.Unit(build.Input{FS: memory(c.Files), Path: "a.bot"})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, d := range r.Diagnostics {
			if d.Stage != diagnostics.Parse {
				continue
			}
			got = append(got, fmt.Sprintf("%s:%d:%d %s", d.Range.File, d.Range.Start.Line, d.Range.Start.Column, d.Code))
		}
		var want []string
		for _, w := range c.Want {
			want = append(want, w.String())
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s", c.Name, g, w)
		}
	}
}

// The files that load give no error, and the realistic bots no finding at all.
func TestCorpusLoads(t *testing.T) {
	for _, f := range corpus.Files() {
		if f.Fragment() {
			continue
		}
		r, err := build.Unit(build.Input{FS: corpus.FS(), Path: f.Name})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Diagnostics {
			if d.Severity == diagnostics.Error || path.Dir(f.Name) == "bots" {
				t.Errorf("%s:%d:%d: %s [%s]: %s", f.Name, d.Range.Start.Line, d.Range.Start.Column, d.Severity, d.Code, d.Message)
			}
		}
	}
}
