package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"iterion/runtime/redact"
)

// lookahead is how much more than shown is kept of an output, so that it is cut
// between secrets.
const lookahead = 2 * longestSecret

// maxSpill bounds the file of one output, in bytes: a command that prints
// without end must not fill the disk.
const maxSpill = 1 << 30

// Spill is an output in a file of its own.
type Spill struct {
	Path   string
	Size   int64
	SHA256 string // of the file, in hex
}

// head keeps the beginning of what is written, and all of it in a file once it
// is longer than the limit and there is a folder for it.
type head struct {
	limit  int
	dir    string
	redact *redact.Redactor // nil for nothing to redact

	kept  []byte // more than the limit by lookahead
	total int64
	file  *spillFile
	err   error // of the file, which is removed then
}

func (h *head) Write(p []byte) (int, error) {
	h.total += int64(len(p))
	if h.total > int64(h.limit) && h.file == nil && h.dir != "" && h.err == nil {
		h.file, h.err = newSpill(h.dir, h.redact)
		h.spill(h.kept)
	}
	room := min(len(p), h.limit+lookahead-len(h.kept))
	h.kept = append(h.kept, p[:room]...)
	h.spill(p)
	return len(p), nil
}

func (h *head) spill(p []byte) {
	if h.file != nil {
		h.check(h.file.write(p))
	}
}

// check removes a file that cannot be written on.
func (h *head) check(err error) {
	if err != nil {
		_ = h.file.out.Close()
		_ = os.Remove(h.file.out.Name())
		h.file, h.err = nil, err
	}
}

// close ends the file, when all is written.
func (h *head) close() {
	if h.file != nil {
		h.check(h.file.close())
	}
}

// text is the beginning as text. What is cut is redacted first, and up to a
// place between secrets: of a secret that a cut goes through, nothing would be
// found. A character that the cut splits is left out.
func (h *head) text() string {
	kept := h.kept
	if h.total <= int64(h.limit) {
		return valid(kept)
	}
	if h.redact != nil {
		text := string(kept)
		_, end := h.redact.Around(text, h.limit)
		kept = []byte(h.redact.Text(text[:end]))
	}
	return valid(whole(kept[:min(len(kept), h.limit)]))
}

// lost is how many bytes stand neither in the text nor in the file.
func (h *head) lost() int64 {
	if h.file != nil {
		return h.total - h.file.taken
	}
	return max(0, h.total-int64(h.limit))
}

// spilled describes the file, nil when there is none.
func (h *head) spilled() *Spill {
	if h.file == nil {
		return nil
	}
	return &Spill{Path: h.file.out.Name(), Size: h.file.size, SHA256: hex.EncodeToString(h.file.sum.Sum(nil))}
}

// spillFile is the file of an output, without its secrets.
type spillFile struct {
	out   *os.File
	in    redacting
	taken int64 // of the output
	size  int64 // of the file
	sum   hash.Hash
}

func newSpill(dir string, redact *redact.Redactor) (*spillFile, error) {
	out, err := os.CreateTemp(dir, "output-*.txt")
	if err != nil {
		return nil, err
	}
	f := &spillFile{out: out, sum: sha256.New()}
	f.in = redacting{to: io.MultiWriter(f.out, f.sum), redact: redact, longest: longestSecret}
	return f, nil
}

func (f *spillFile) write(p []byte) error {
	take := min(int64(len(p)), maxSpill-f.taken)
	f.taken += take
	return f.in.write(p[:take])
}

func (f *spillFile) close() error {
	err := f.in.flush()
	if info, e := f.out.Stat(); e == nil {
		f.size = info.Size()
	}
	return errors.Join(err, f.out.Close())
}

// whole is a text without the first part of a character at its end.
func whole(b []byte) []byte {
	for back := 1; back <= min(utf8.UTFMax, len(b)); back++ {
		if rest := b[len(b)-back:]; utf8.RuneStart(rest[0]) {
			if !utf8.FullRune(rest) {
				return b[:len(b)-back]
			}
			break
		}
	}
	return b
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// tail keeps the end of what is written.
type tail struct {
	limit  int
	redact *redact.Redactor
	kept   []byte // as head.kept
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit - lookahead; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	kept := t.kept
	if len(kept) > t.limit {
		if t.redact != nil {
			text := string(kept)
			start, _ := t.redact.Around(text, len(text)-t.limit)
			kept = []byte(t.redact.Text(text[start:]))
		}
		kept = kept[max(0, len(kept)-t.limit):]
	}
	return valid(kept)
}
