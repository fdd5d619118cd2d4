// Package slab hands out values that live and die together from a few large
// allocations: a parsed and compiled file is a great many small ones.
package slab

// Of is a supply of T. The zero value allocates what is asked for and no more.
type Of[T any] struct {
	Step int // how many are allocated at once, at least
	free []T
}

// Reserve makes room for n values.
func (s *Of[T]) Reserve(n int) {
	if n > len(s.free) {
		s.free = make([]T, n)
	}
}

// New returns one zero value.
func (s *Of[T]) New() *T { return &s.Slice(1)[0] }

// Slice returns n zero values, never nil; appending to them copies.
func (s *Of[T]) Slice(n int) []T {
	if n > len(s.free) || s.free == nil {
		s.free = make([]T, max(n, s.Step))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// Run builds one list after the other in shared memory.
type Run[T any] struct {
	Step  int // how many values are allocated at once, at least
	block []T
	from  int // where the open list begins
}

// Add appends to the open list.
func (r *Run[T]) Add(v T) {
	if len(r.block) == cap(r.block) {
		open := r.block[r.from:]
		r.block = append(make([]T, 0, max(r.Step, 2*len(open), 1)), open...)
		r.from = 0
	}
	r.block = append(r.block, v)
}

// Cut closes the open list and returns it, nil when it is empty; appending to
// it copies.
func (r *Run[T]) Cut() []T {
	if r.from == len(r.block) {
		return nil
	}
	out := r.block[r.from:len(r.block):len(r.block)]
	r.from = len(r.block)
	return out
}
