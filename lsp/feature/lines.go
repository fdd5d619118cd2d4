package feature

import (
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// hunk replaces the lines from start until before end, from 0.
type hunk struct {
	start, end int
	with       string
}

// hunks are the differences of two texts by lines, from the first to the last.
func hunks(before, after string) (list []hunk) {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	i, j := 0, 0
	for _, at := range anchors(a, b) {
		list = appendHunks(list, a[i:at.a], b[j:at.b], i)
		i, j = at.a+1, at.b+1
	}
	return appendHunks(list, a[i:], b[j:], i)
}

// anchor is a line that both texts have once.
type anchor struct{ a, b int }

// anchors part texts into short pieces: a comparison of whole texts takes time
// that grows with the third power of their lines when these repeat.
func anchors(a, b []string) (list []anchor) {
	const more = -1
	places := map[string]int{}
	for j, line := range b {
		if _, again := places[line]; again {
			j = more
		}
		places[line] = j
	}
	seen := map[string]int{}
	for _, line := range a {
		seen[line]++
	}
	last := -1
	for i, line := range a {
		if j, ok := places[line]; ok && j > last && seen[line] == 1 {
			list = append(list, anchor{i, j})
			last = j
		}
	}
	return list
}

// mostCompared is how long pieces may be that are compared line by line; the
// difference of longer ones is one hunk.
const mostCompared = 200

func appendHunks(list []hunk, a, b []string, start int) []hunk {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b, start = a[head:len(a)-tail], b[head:len(b)-tail], start+head
	switch {
	case len(a) == 0 && len(b) == 0:
		return list
	case len(a) == 0 || len(b) == 0 || len(a) > mostCompared || len(b) > mostCompared:
		return append(list, hunk{start, start + len(a), strings.Join(b, "")})
	}
	for _, op := range difflib.NewMatcherWithJunk(a, b, false, nil).GetOpCodes() {
		if op.Tag != 'e' {
			list = append(list, hunk{start + op.I1, start + op.I2, strings.Join(b[op.J1:op.J2], "")})
		}
	}
	return list
}
