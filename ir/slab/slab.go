// Package slab hands out values that live and die together from a few large
// allocations, since a compiled file is a great many small ones.
package slab

// Of is a supply of T. The zero value allocates what is asked for and no more.
type Of[T any] struct {
	free []T
	// Step is how many are allocated at once when none is left; 0 for as many
	// as are wanted at that moment.
	Step int
}

// Reserve makes room for n values more.
func (s *Of[T]) Reserve(n int) {
	if n > len(s.free) {
		s.free = make([]T, n)
	}
}

// New returns one zero value.
func (s *Of[T]) New() *T { return &s.Slice(1)[0] }

// Slice returns n zero values that nothing is appended to in place.
func (s *Of[T]) Slice(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, s.Step))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// Copy returns the values of list in a slice of their own, nil for none.
func (s *Of[T]) Copy(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.Slice(len(list))
	copy(out, list)
	return out
}
