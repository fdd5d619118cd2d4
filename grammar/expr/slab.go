package expr

// slab builds many short slices with few allocations. Elements are pushed on
// a stack while nested slices may come and go above them; cut moves those
// above a mark into a slice of their own.
type slab[T any] struct {
	stack []T
	free  []T // unused rest of the current block
	size  int // elements of a block
}

func (s *slab[T]) push(v T) { s.stack = append(s.stack, v) }

func (s *slab[T]) mark() int { return len(s.stack) }

func (s *slab[T]) cut(mark int) []T {
	items := s.stack[mark:]
	n := len(items)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.free = make([]T, max(n, s.size))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, items)
	s.stack = s.stack[:mark]
	return out
}
