package process

import (
	"bytes"
	"encoding/base64"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/runtime/redact"
)

// longest is what a secret of these tests takes at most, in any spelling.
const longest = 1 << 10

func hide(secrets ...string) *redact.Redactor {
	named := map[string]string{}
	for i, s := range secrets {
		named[string(rune('a'+i))] = s
	}
	return redact.New(named)
}

// secretsOfCuts are values that are hard to cut between: one that overlaps
// itself, two that overlap, one that is longer than most blocks are wide, and
// one that begins as another.
var secretsOfCuts = map[string]string{
	"again": strings.Repeat("-key-", 12), "left": "one-two-three", "right": "three-four-five",
	"long": "BEGIN" + strings.Repeat("0123456789abcdef", 25) + "END", "start": "BEGIN0123",
}

// spelled are the values as outputs show them.
func spelled() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(secretsOfCuts)) {
		value := secretsOfCuts[name]
		text := base64.StdEncoding.EncodeToString([]byte(value))
		out = append(out, value, text, strings.Join([]string{text[:len(text)/2], text[len(text)/2:]}, "\r\n"))
	}
	return append(out, "one-two-three-four-five")
}

// However an output is written and wherever its secrets stand, its parts redacted
// are the whole redacted.
func TestRedacting(t *testing.T) {
	texts := spelled()
	hidden := redact.New(secretsOfCuts)
	rapid.Check(t, func(t *rapid.T) {
		var all strings.Builder
		parts := rapid.SliceOfN(rapid.SampledFrom(append(texts, "-key-", "one-two", "\n", `\n`, "ü", "\xff")), 1, 8).Draw(t, "parts")
		for all.Len() < 30*longest {
			all.WriteString(strings.Join(parts, "") + strings.Repeat("x", rapid.IntRange(1, 900).Draw(t, "between")))
		}
		var out bytes.Buffer
		r := redacting{to: &out, redact: hidden, longest: longest}
		piece := rapid.IntRange(100, 40*longest).Draw(t, "piece")
		for rest := all.String(); rest != ""; rest = rest[min(piece, len(rest)):] {
			if err := r.write([]byte(rest[:min(piece, len(rest))])); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.flush(); err != nil || out.String() != hidden.Text(all.String()) {
			t.Fatalf("%v, %d bytes instead of %d", err, out.Len(), len(hidden.Text(all.String())))
		}
	})
}

// A secret as long as one may be is not cut, wherever it stands.
func TestLongestSecret(t *testing.T) {
	secret := "<" + strings.Repeat("s", longestSecret-2) + ">"
	hide := hide(secret)
	for _, before := range []int{0, 5, longestSecret / 2, 15*longestSecret - 10, 15 * longestSecret, 16*longestSecret - 5} {
		all := strings.Repeat("x", before) + secret + strings.Repeat("y", 20*longestSecret)
		h, l := &head{limit: before + 9, dir: t.TempDir(), redact: hide}, &tail{limit: 20*longestSecret + 9, redact: hide}
		for rest := all; rest != ""; rest = rest[min(4096, len(rest)):] {
			_, _ = h.Write([]byte(rest[:min(4096, len(rest))]))
			_, _ = l.Write([]byte(rest[:min(4096, len(rest))]))
		}
		h.close()
		file, err := os.ReadFile(h.spilled().Path)
		if err != nil || string(file) != hide.Text(all) {
			t.Errorf("behind %d bytes: %v, %d bytes instead of %d", before, err, len(file), len(hide.Text(all)))
		}
		if strings.Contains(h.text(), "s>") || strings.Contains(h.text(), "ss") || strings.Contains(l.text(), "ss") {
			t.Errorf("behind %d bytes a part of the secret shows", before)
		}
	}
}

// Secrets that fill an output make it so much shorter that the end of what was
// kept would show: the secret there is whole or not at all.
func TestShrunkOutputs(t *testing.T) {
	secret := strings.Repeat("0123456789", 400)
	all := strings.Repeat("key "+secret+"\n", 200)
	for limit := 100; limit < 6_000; limit += 1_013 {
		h, l := &head{limit: limit, redact: hide(secret)}, &tail{limit: limit, redact: hide(secret)}
		for rest := all; rest != ""; rest = rest[min(1_000, len(rest)):] {
			_, _ = h.Write([]byte(rest[:min(1_000, len(rest))]))
			_, _ = l.Write([]byte(rest[:min(1_000, len(rest))]))
		}
		for name, text := range map[string]string{"head": h.text(), "tail": l.text()} {
			if strings.ContainsAny(text, "0123456789") {
				t.Errorf("limit %d: the %s shows a part of the secret: %.80q", limit, name, text)
			}
		}
	}
}

// Nothing but secrets: the output comes all the same.
func TestOnlySecrets(t *testing.T) {
	var out bytes.Buffer
	r := redacting{to: &out, redact: hide("hunter2\n"), longest: longest}
	if err := r.write(bytes.Repeat([]byte("hunter2\n"), 10*longest)); err != nil {
		t.Fatal(err)
	}
	if err := r.flush(); err != nil || strings.Trim(out.String(), "[secrt a]\n") != "" {
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
		want := "aaa [secret a] bbb [secret a] ccc"
		if err != nil || string(file) != want || h.spilled().Size != int64(len(want)) || h.lost() != 0 {
			t.Errorf("%d: the file holds %q, %v, %+v", limit, file, err, h.spilled())
		}
		if h.text() != want[:limit] || l.text() != want[len(want)-limit:] {
			t.Errorf("%d: %q … %q", limit, h.text(), l.text())
		}
	}
}
