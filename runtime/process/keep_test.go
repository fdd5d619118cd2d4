package process

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// However an output is written, what is kept and what is counted is the same.
func TestHead(t *testing.T) {
	text := strings.Repeat("0123456789", 10)
	for _, piece := range []int{1, 7, 50, 100} {
		h, spilled := &head{limit: 30}, &head{limit: 30, dir: t.TempDir()}
		for rest := text; rest != ""; rest = rest[min(piece, len(rest)):] {
			_, _ = h.Write([]byte(rest[:min(piece, len(rest))]))
			_, _ = spilled.Write([]byte(rest[:min(piece, len(rest))]))
		}
		h.close()
		spilled.close()
		if h.text() != text[:30] || h.lost() != 70 || h.spilled() != nil {
			t.Errorf("pieces of %d: %q kept, %d lost", piece, h.text(), h.lost())
		}
		s, sum := spilled.spilled(), sha256.Sum256([]byte(text))
		if s == nil || s.Size != 100 || s.SHA256 != hex.EncodeToString(sum[:]) || spilled.lost() != 0 || spilled.text() != text[:30] {
			t.Fatalf("pieces of %d: %+v, %d lost", piece, s, spilled.lost())
		}
		if got, err := os.ReadFile(s.Path); err != nil || string(got) != text {
			t.Errorf("pieces of %d: the file holds %q, %v", piece, got, err)
		}
	}
}

func TestShortOutputNeedsNoFile(t *testing.T) {
	dir := t.TempDir()
	h := &head{limit: 3, dir: dir}
	_, _ = h.Write([]byte("abc"))
	h.close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 || h.spilled() != nil || h.text() != "abc" {
		t.Errorf("%v, %v, %q", entries, err, h.text())
	}
}

// A file that cannot be written on is removed; what it had is counted.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	h := &head{limit: 4, dir: dir}
	_, _ = h.Write([]byte("abcdef"))
	if err := h.file.out.Close(); err != nil { // stands for any error of writing
		t.Fatal(err)
	}
	_, _ = h.Write([]byte("ghi"))
	_, _ = h.Write([]byte("jk"))
	h.close()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 || h.err == nil || h.lost() != 7 || h.text() != "abcd" || h.spilled() != nil {
		t.Errorf("%v, %v; error %v, %d lost, %q kept", entries, err, h.err, h.lost(), h.text())
	}
}

func TestFileIsBounded(t *testing.T) {
	h := &head{limit: 1, dir: t.TempDir()}
	_, _ = h.Write([]byte("ab"))
	h.total, h.file.taken = maxSpill-3, maxSpill-3
	_, _ = h.Write([]byte("cdefgh"))
	_, _ = h.Write([]byte("i"))
	h.close()
	if got, err := os.ReadFile(h.file.out.Name()); err != nil || string(got) != "abcde" || h.lost() != 4 {
		t.Errorf("%q, %v, %d lost", got, err, h.lost())
	}
}

// A cut splits no character, and what is no text is shown as that.
func TestTextIsValid(t *testing.T) {
	for in, want := range map[string]string{
		"ab€": "ab", "abc€": "abc", "a€b": "a€", "\xff\xfe\xfd\xfcx": "\uFFFD", "a\x80\x80\x80\x80": "a\uFFFD", "abcd": "abcd",
	} {
		h := &head{limit: 4}
		_, _ = h.Write([]byte(in))
		if got := h.text(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTail(t *testing.T) {
	l := &tail{limit: 4}
	for _, s := range []string{"ab", "cde", "", "fghijk", "l"} {
		_, _ = l.Write([]byte(s))
	}
	if l.text() != "ijkl" {
		t.Errorf("%q", l.text())
	}
}
