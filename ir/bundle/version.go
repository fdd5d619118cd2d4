package bundle

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

var (
	release = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)*$`) })
	atLeast = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:>=)?\s*v?([0-9]+(?:\.[0-9]+)*)$`) })
)

// Orderable tells whether a version is a release: numbers parted by dots, with
// or without a `v`. Others have no place in the order.
func Orderable(version string) bool { return release().MatchString(version) }

// CompareReleases orders two releases; a number that is left out is zero.
func CompareReleases(a, b string) int {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := range max(len(x), len(y)) {
		if c := compareNumbers(number(x, i), number(y, i)); c != 0 {
			return c
		}
	}
	return 0
}

func number(parts []string, i int) string {
	if i >= len(parts) {
		return ""
	}
	return strings.TrimLeft(parts[i], "0")
}

// compareNumbers orders digits of any length without leading zeros.
func compareNumbers(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// floorOf reads a requirement, `>= X.Y.Z` or `X.Y.Z`.
func floorOf(text string) (release string, ok bool) {
	m := atLeast().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", false
	}
	return m[1], true
}
