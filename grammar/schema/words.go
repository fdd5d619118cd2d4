package schema

// words finds the place of a name in a list that never changes. Every key of a
// file is looked up, and the lists are short: a hash of a few bytes and one
// comparison beat a map.
type words struct {
	list  []string
	slots []uint8 // place + 1, 0 for none; a power of two
}

func newWords(list []string) *words {
	size := 8
	for size < 2*len(list) {
		size *= 2
	}
	w := &words{list, make([]uint8, size)}
	for i, word := range list {
		at := hash(word)
		for *w.slot(at) != 0 {
			at++
		}
		*w.slot(at) = uint8(i + 1)
	}
	return w
}

func (w *words) slot(at uint) *uint8 { return &w.slots[at&uint(len(w.slots)-1)] }

func hash(word string) uint {
	if word == "" {
		return 0
	}
	n := len(word)
	return uint(n) + 3*uint(word[0]) + 7*uint(word[n/2]) + 11*uint(word[n-1])
}

// find returns the place of a word, or -1. A nil table is empty.
func (w *words) find(word string) int {
	if w == nil {
		return -1
	}
	for at := hash(word); ; at++ {
		i := int(*w.slot(at)) - 1
		if i < 0 || w.list[i] == word {
			return i
		}
	}
}
