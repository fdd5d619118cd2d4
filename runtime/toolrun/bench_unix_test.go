//go:build unix

package toolrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"iterion/runtime/backend"
)

// benched runs one call again and again, judging included.
func benched(b *testing.B, w *world, tool string, in fields) {
	text, err := json.Marshal(in)
	if err != nil {
		b.Fatal(err)
	}
	c := backend.Call{Tool: tool, Input: string(text)}
	b.ReportAllocs()
	for b.Loop() {
		v := w.gate.Evaluate(c.Gate())
		permit, ok := v.Permit()
		if got := w.Run(context.Background(), permit, c); !ok || got.Failed {
			b.Fatal(got.Text)
		}
	}
}

func BenchmarkReadSmall(b *testing.B) {
	w := newWorld(b, "deny", "allow Read(**)", "deny Read(.env*)")
	put(b, w.dir+"/sub/f", strings.Repeat("a line of text\n", 50))
	benched(b, w, "read_file", fields{"file_path": "sub/f"})
}

func BenchmarkReadSmallPlain(b *testing.B) {
	w := newWorld(b, "off")
	put(b, w.dir+"/sub/f", strings.Repeat("a line of text\n", 50))
	b.ReportAllocs()
	for b.Loop() {
		content, err := os.ReadFile(w.dir + "/sub/f")
		if err != nil {
			b.Fatal(err)
		}
		var out strings.Builder
		for i, line := range strings.Split(string(content), "\n") {
			fmt.Fprintf(&out, "%6d\t%s\n", i+1, line)
		}
	}
}

// forest lays 10,000 files of 2 KiB in 100 folders; each hundredth matches.
func forest(b *testing.B, w *world) {
	for i := range 10_000 {
		text := strings.Repeat("some line of a program that nobody looks for\n", 45)
		if i%100 == 0 {
			text += "here is the needle 42\n"
		}
		put(b, fmt.Sprintf("%s/d%02d/f%d.go", w.dir, i%100, i), text)
	}
}

const needle = `needle [0-9]+$`

func BenchmarkGrep10000(b *testing.B) {
	w := newWorld(b, "deny", "allow Grep", "deny Read(.env*)", "deny Read(vault/**)")
	forest(b, w)
	benched(b, w, "grep", fields{"pattern": needle, "output_mode": "content"})
}

func BenchmarkGrep10000Off(b *testing.B) {
	w := newWorld(b, "off")
	forest(b, w)
	benched(b, w, "grep", fields{"pattern": needle, "output_mode": "content"})
}

func BenchmarkGrep10000Plain(b *testing.B) {
	w := newWorld(b, "off")
	forest(b, w)
	expr := regexp.MustCompile(needle)
	b.ReportAllocs()
	for b.Loop() {
		found := 0
		err := filepath.WalkDir(w.dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			content, err := os.ReadFile(name)
			for line := range strings.SplitSeq(string(content), "\n") {
				if expr.MatchString(line) {
					found++
				}
			}
			return err
		})
		if err != nil || found != 100 {
			b.Fatal(found, err)
		}
	}
}
