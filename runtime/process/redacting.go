package process

import "io"

const (
	// longestSecret is how long a secret in an output may be, in any spelling,
	// to be found across a cut.
	longestSecret = 64 << 10
	// cutTries bounds the search for a place between secrets.
	cutTries = 1 << 12
)

func redacted(b []byte, redact func(string) string) []byte {
	if redact == nil {
		return b
	}
	return []byte(redact(string(b)))
}

// redacting takes secrets out of what is written, block by block. A block ends
// at a place where no secret is: there both sides redacted are what the whole
// redacted is. What is redacted must not depend on what stands before it.
type redacting struct {
	to      io.Writer
	redact  func(string) string // nil for nothing to redact
	longest int                 // of a secret; a block is some times longer
	pending []byte
}

func (r *redacting) write(p []byte) error {
	if r.redact == nil {
		_, err := r.to.Write(p)
		return err
	}
	r.pending = append(r.pending, p...)
	if len(r.pending) < 16*r.longest {
		return nil
	}
	return r.emit(r.place())
}

func (r *redacting) flush() error { return r.emit(len(r.pending)) }

func (r *redacting) emit(n int) error {
	if n == 0 {
		return nil
	}
	_, err := r.to.Write(redacted(r.pending[:n], r.redact))
	r.pending = append(r.pending[:0], r.pending[n:]...)
	return err
}

// place finds where to end the block. Where secrets stand so close that there is
// no place, one is cut: this guards against accidents only.
func (r *redacting) place() int {
	end := len(r.pending) - r.longest
	for at := end; at > end-cutTries; at-- {
		if r.between(at) {
			return at
		}
	}
	return end
}

// between tells whether a place lies outside of all secrets.
func (r *redacting) between(at int) bool {
	left, right := string(r.pending[at-r.longest:at]), string(r.pending[at:at+r.longest])
	return r.redact(left)+r.redact(right) == r.redact(left+right)
}
