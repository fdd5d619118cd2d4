package expr

import "iterion/grammar/slab"

// lists builds many short slices with few allocations. Elements are pushed on
// a stack while nested slices may come and go above them; cut moves those
// above a mark into a slice of their own.
type lists[T any] struct {
	stack []T
	cuts  slab.Of[T]
}

func (l *lists[T]) push(v T) { l.stack = append(l.stack, v) }

func (l *lists[T]) mark() int { return len(l.stack) }

func (l *lists[T]) cut(mark int) []T {
	items := l.stack[mark:]
	if len(items) == 0 {
		return nil
	}
	out := l.cuts.Slice(len(items))
	copy(out, items)
	l.stack = l.stack[:mark]
	return out
}

// drop empties the stack, which a failed parse leaves full.
func (l *lists[T]) drop() {
	clear(l.stack)
	l.stack = l.stack[:0]
}
