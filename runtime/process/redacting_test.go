package process

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// longest is what a secret of these tests takes at most.
const longest = 512

func hide(secrets ...string) func(string) string {
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "[secret]")
	}
	return strings.NewReplacer(pairs...).Replace
}

// However an output is written, its file is the whole redacted.
func TestRedacting(t *testing.T) {
	secrets := []string{"hunter2\n", "k" + strings.Repeat("-ey", 100), "bb"}
	redact := hide(secrets...)
	rapid.Check(t, func(t *rapid.T) {
		var all strings.Builder
		parts := rapid.SliceOfN(rapid.SampledFrom(append(secrets, "hunter", "b", "x\n", "k-ey")), 1, 20).Draw(t, "parts")
		for all.Len() < 50*longest {
			all.WriteString(strings.Join(parts, "") + strings.Repeat("x", rapid.IntRange(0, 2_000).Draw(t, "between")))
		}
		var out bytes.Buffer
		r := redacting{to: &out, redact: redact, longest: longest}
		piece := rapid.SampledFrom([]int{1 << 10, 9_991, 40 * longest}).Draw(t, "piece")
		for rest := all.String(); rest != ""; rest = rest[min(piece, len(rest)):] {
			if err := r.write([]byte(rest[:min(piece, len(rest))])); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.flush(); err != nil || out.String() != redact(all.String()) {
			t.Fatalf("%v, %d bytes instead of %d", err, out.Len(), len(redact(all.String())))
		}
	})
}

// Nothing but secrets: the output comes all the same.
func TestOnlySecrets(t *testing.T) {
	var out bytes.Buffer
	r := redacting{to: &out, redact: hide("hunter2\n"), longest: longest}
	if err := r.write(bytes.Repeat([]byte("hunter2\n"), 10*longest)); err != nil {
		t.Fatal(err)
	}
	if err := r.flush(); err != nil || strings.Trim(out.String(), "[secrt]") != "" {
		t.Errorf("%v, %q", err, strings.Trim(out.String(), "[secrt]"))
	}
}

// A cut goes through no secret, at either end.
func TestCutsAreRedacted(t *testing.T) {
	text := "aaa hunter2 bbb hunter2 ccc"
	for limit := range len(text) {
		h, l := &head{limit: limit, dir: t.TempDir(), redact: hide("hunter2")}, &tail{limit: limit, redact: hide("hunter2")}
		_, _ = h.Write([]byte(text))
		_, _ = l.Write([]byte(text))
		h.close()
		file, err := os.ReadFile(h.spilled().Path)
		want := "aaa [secret] bbb [secret] ccc"
		if err != nil || string(file) != want || h.spilled().Size != int64(len(want)) || h.lost() != 0 {
			t.Errorf("%d: the file holds %q, %v, %+v", limit, file, err, h.spilled())
		}
		if h.text() != want[:limit] || l.text() != want[len(want)-limit:] {
			t.Errorf("%d: %q … %q", limit, h.text(), l.text())
		}
	}
}
