package process

import (
	"io"

	"iterion/runtime/redact"
)

// longestSecret is how long a secret in an output may be, in any spelling, to be
// found across a cut.
const longestSecret = 64 << 10

// redacting takes secrets out of what is written, block by block. A block ends
// at a place where no secret is: there both sides redacted are what the whole
// redacted is. Secrets that overlap each other over more than twice the longest
// one are cut: this guards against accidents only.
type redacting struct {
	to      io.Writer
	redact  *redact.Redactor // nil for nothing to redact
	longest int              // of a secret; a block is some times longer
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
	_, err := io.WriteString(r.to, r.redact.Text(string(r.pending[:n])))
	r.pending = append(r.pending[:0], r.pending[n:]...)
	return err
}

// place finds where to end the block: before what covers its last place that is
// far enough from what is not known yet.
func (r *redacting) place() int {
	from, end := len(r.pending)-3*r.longest, len(r.pending)-r.longest
	start, _ := r.redact.Around(string(r.pending[from:]), end-from)
	return from + start
}
