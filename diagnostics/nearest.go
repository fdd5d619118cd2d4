package diagnostics

import "slices"

// Nearest returns the candidate closest to word, when exactly one lies within
// an edit distance of 2 (1 for words of up to three letters) and closest.
// Swapped neighbours count one.
func Nearest(word string, candidates []string) (string, bool) {
	limit := 2
	if len(word) <= 3 {
		limit = 1
	}
	if near := Closest(word, candidates, limit); len(near) == 1 {
		return near[0], true
	}
	return "", false
}

// Closest returns the candidates closest to word, each once, of those that
// differ from it and lie within an edit distance.
func Closest(word string, candidates []string, limit int) []string {
	best, found := limit, []string(nil)
	for _, c := range candidates {
		if c == word || abs(len(c)-len(word)) > best {
			continue
		}
		switch d := distance(word, c, limit); {
		case d < best:
			best, found = d, []string{c}
		case d == best && !slices.Contains(found, c):
			found = append(found, c)
		}
	}
	return found
}

// distance is the optimal string alignment distance in bytes. One beyond the
// limit is not counted to its end.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	var rows [3][65]int
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	least := 0 // of the row before; a swap reaches back two rows
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		lowest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
			lowest = min(lowest, cur[j])
		}
		if min(least, lowest) > limit {
			return limit + 1
		}
		least = lowest
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

func abs(n int) int { return max(n, -n) }
