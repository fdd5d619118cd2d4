package process

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"os"
	"strings"
	"unicode/utf8"
)

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
// is longer than the limit and there is a folder for it. It counts the rest.
type head struct {
	limit int
	dir   string

	kept []byte
	lost int64
	file *os.File
	size int64 // of the file
	sum  hash.Hash
	err  error // of the file, which is removed then
}

func (h *head) Write(p []byte) (int, error) {
	room := min(len(p), h.limit-len(h.kept))
	if room < len(p) && h.file == nil && h.dir != "" && h.err == nil {
		h.open()
	}
	h.kept = append(h.kept, p[:room]...)
	if h.file == nil {
		h.lost += int64(len(p) - room)
		return len(p), nil
	}
	h.spill(p)
	return len(p), nil
}

// open begins the file with what was kept so far.
func (h *head) open() {
	h.sum = sha256.New()
	if h.file, h.err = os.CreateTemp(h.dir, "output-*.txt"); h.err == nil {
		h.spill(h.kept)
	}
}

// spill writes to the file as much as may stand there. Without the file, what
// it had beyond the beginning is lost.
func (h *head) spill(p []byte) {
	take := min(int64(len(p)), maxSpill-h.size)
	h.lost += int64(len(p)) - take
	h.size += take
	if _, err := h.file.Write(p[:take]); err != nil {
		h.lost += h.size - int64(len(h.kept))
		h.drop(err)
		return
	}
	h.sum.Write(p[:take])
}

func (h *head) drop(err error) {
	_ = h.file.Close()
	_ = os.Remove(h.file.Name())
	h.file, h.err = nil, err
}

// close ends the file, when all is written.
func (h *head) close() {
	if h.file == nil {
		return
	}
	if err := h.file.Close(); err != nil {
		h.lost += h.size - int64(len(h.kept))
		h.drop(err)
	}
}

// spilled describes the file, nil when there is none.
func (h *head) spilled() *Spill {
	if h.file == nil {
		return nil
	}
	return &Spill{Path: h.file.Name(), Size: h.size, SHA256: hex.EncodeToString(h.sum.Sum(nil))}
}

// text is the beginning as text: a character that the cut splits is left out.
func (h *head) text() string {
	kept := h.kept
	if h.file != nil || h.lost > 0 {
		kept = whole(kept)
	}
	return valid(kept)
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
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}
