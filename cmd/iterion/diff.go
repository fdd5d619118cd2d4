package main

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// noNewline follows a last line that has no newline, as patch expects it.
const noNewline = "\n\\ No newline at end of file\n"

// unified is the difference of two texts in a form that `git apply` takes.
func unified(name string, before, after []byte) []byte {
	var b bytes.Buffer
	name = filepath.ToSlash(filepath.Clean(name))
	difflib.WriteUnifiedDiff(&b, difflib.UnifiedDiff{ // a buffer takes everything
		A: linesOf(before), FromFile: "a/" + name,
		B: linesOf(after), ToFile: "b/" + name,
		Context: 3,
	})
	return b.Bytes()
}

func linesOf(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	} else {
		lines[last] += noNewline
	}
	return lines
}
