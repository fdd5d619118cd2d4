package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const value = `p'w "1/2+3" ü<&>`

// wrap breaks a text into lines as encoders do.
func wrap(text string, width int, end string) string {
	var lines []string
	for line := range slices.Chunk([]byte(text), width) {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, end)
}

func encode(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func TestSpellingsAreFound(t *testing.T) {
	long := strings.Repeat(value, 9)
	b64 := base64.StdEncoding.EncodeToString
	for name, text := range map[string]string{
		"plain":               value,
		"JSON":                encode(value),
		"JSON in JSON":        encode(encode(value)),
		"JSON of Python":      `p'w \"1/2+3\" \u00fc<&>`,
		"single quotes":       `'p'\''w "1/2+3" ü<&>'`,
		"quotes of Python":    `'p'"'"'w "1/2+3" ü<&>'`,
		"double quotes":       `"p'w \"1/2+3\" ü<&>"`,
		"printf %q":           `p\'w\ \"1/2+3\"\ ü\<\&\>`,
		"query":               "?k=" + url.QueryEscape(value),
		"query, small digits": strings.ToLower(url.QueryEscape(value)),
		"path":                "/" + url.PathEscape(value),
		"encodeURIComponent":  "p'w%20%221%2F2%2B3%22%20%C3%BC%3C%26%3E",
		"base64":              b64([]byte(value)),
		"base64, URL":         base64.RawURLEncoding.EncodeToString([]byte(value)),
		"hex":                 hex.EncodeToString([]byte(value)),
		"HEX":                 strings.ToUpper(hex.EncodeToString([]byte(value))),
		"wrapped at 76":       wrap(b64([]byte(long)), 76, "\n"),
		"wrapped at 64, CRLF": wrap(b64([]byte("x"+long)), 64, "\r\n"),
		"wrapped, indented":   wrap(b64([]byte("xy"+long)), 76, "\n    "),
		"wrapped, in JSON":    encode(wrap(b64([]byte(long)), 76, "\n")),
		"wrapped, JSON twice": encode(encode(wrap(b64([]byte(long)), 76, "\r\n"))),
		"wrapped hex":         wrap(hex.EncodeToString([]byte(long)), 60, "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			secrets := map[string]string{"key": value, "long": long}
			got := New(secrets).Text("before " + text + " behind")
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " behind") || !strings.Contains(got, "[secret ") {
				t.Errorf("%q gave %q", text, got)
			}
			if rest := len(got) - len("before [secret long] behind"); rest > 12 {
				t.Errorf("%q gave %q: too much is left", text, got)
			}
		})
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		name    string
		secrets map[string]string
		text    string
		want    string
	}{
		{"apart", map[string]string{"a": "alpha", "b": "bravo"}, "alphabravo", "[secret a][secret b]"},
		{"nested", map[string]string{"inner": "core", "outer": "<core>"}, "<core> core", "[secret outer] [secret inner]"},
		{"overlapping", map[string]string{"a": "one-two", "b": "two-three"}, "one-two-three", "[secret b]"},
		{"with itself", map[string]string{"a": "abca"}, "abcabca", "[secret a]"},
		{"two of one value", map[string]string{"b": "same", "a": "same"}, "same", "[secret a]"},
		{"space around", map[string]string{"a": "  hunter2\n"}, "(hunter2)", "([secret a])"},
		{"the mark's own word", map[string]string{"a": "secret"}, "a secret", "a █"},
		{"behind a mark", map[string]string{"a": "]abc"}, "]abcabc", "<secret a>abc"},
		{"around a mark", map[string]string{"a": "alpha", "b": "x[secret a]y"}, "xalphay", "x<secret a>y"},
		{"short", map[string]string{"a": "abc", "b": ""}, "abc", "abc"},
		{"none", nil, "text\n", "text\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := New(c.secrets).Text(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWeakSecretsAreNamed(t *testing.T) {
	r := New(map[string]string{"pin": "123", "blank": "      ", "absent": "", "good": "1234"})
	if got := r.Weak(); !slices.Equal(got, []string{"blank", "pin"}) {
		t.Errorf("weak: %v", got)
	}
}

func TestValue(t *testing.T) {
	r := New(map[string]string{"key": "hunter2", "pin": "80412"})
	given := map[string]any{
		"list":    []any{"a", "x hunter2", int64(80412), int64(804120), nil, true},
		"hunter2": map[string]any{"n": 80412.0, "f": 1.5},
		"hunter2" + base64.StdEncoding.EncodeToString([]byte("hunter2")): "second",
	}
	before := encode(given)
	want := map[string]any{
		"list":                     []any{"a", "x [secret key]", "[secret pin]", int64(804120), nil, true},
		"[secret key]":             map[string]any{"n": "[secret pin]", "f": 1.5},
		"[secret key][secret key]": "second",
	}
	if got := r.Value(given); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if encode(given) != before {
		t.Errorf("the original was changed: %v", given)
	}
}

// Keys that become one stay two, and which is which does not depend on chance.
func TestKeysStayApart(t *testing.T) {
	r := New(map[string]string{"key": "hunter2"})
	for range 20 {
		got := r.Value(map[string]any{"hunter2": "a", hex.EncodeToString([]byte("hunter2")): "b"})
		want := map[string]any{"[secret key]": "b", "[secret key] (2)": "a"}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestNothingFoundIsNothingCopied(t *testing.T) {
	r := New(map[string]string{"key": "hunter2", "pin": "80412"})
	text := strings.Repeat("no secret\n\\n here, h1 hunt hunter hunter\n", 100)
	inner := map[string]any{"text": text}
	value := any(map[string]any{"list": []any{inner, int64(3)}})
	if n := testing.AllocsPerRun(10, func() { text = r.Text(text) }); n != 0 {
		t.Errorf("Text allocates %v times", n)
	}
	got := r.Value(value).(map[string]any)
	got["list"].([]any)[0].(map[string]any)["seen"] = true
	if inner["seen"] != true {
		t.Error("Value copied what holds no secret")
	}
}

// drawSecrets gives values that overlap, nest and look like marks.
func drawSecrets(t *rapid.T) map[string]string {
	text := rapid.StringOfN(rapid.RuneFrom([]rune(`ab1 '"\/+<>[]&%=é`+"\n")), 4, 12, -1).
		Filter(func(v string) bool { return len(strings.TrimSpace(v)) >= minLength })
	return rapid.MapOfN(rapid.StringMatching(`[a-c]{1,2}`), text, 1, 4).Draw(t, "secrets")
}

// hidden is a spelling of a secret, as something prints it.
func hidden(t *rapid.T, values []string) string {
	v := rapid.SampledFrom(values).Draw(t, "value")
	plain, joined := spellings(strings.TrimSpace(v))
	s := rapid.SampledFrom(append(plain, joined...)).Draw(t, "spelling")
	if slices.Contains(joined, s) {
		s = wrap(s, rapid.IntRange(3, 20).Draw(t, "width"), rapid.SampledFrom([]string{"\n", "\r\n", "\n  "}).Draw(t, "break"))
	}
	return s
}

// After Text no spelling is left, neither as it is nor over line breaks.
func TestNothingIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := drawSecrets(t)
		values := slices.Sorted(maps.Values(secrets))
		var text strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			text.WriteString(rapid.StringOfN(rapid.RuneFrom([]rune("ab1[] secret\n\\")), 0, 6, -1).Draw(t, "between"))
			s := hidden(t, values)
			text.WriteString(s[:rapid.SampledFrom([]int{len(s), len(s), len(s) / 2}).Draw(t, "part")])
		}
		r := New(secrets)
		got := r.Text(text.String())
		for _, v := range values {
			plain, joined := spellings(strings.TrimSpace(v))
			for _, s := range plain {
				if strings.Contains(got, s) {
					t.Fatalf("%q is left in %q", s, got)
				}
			}
			for _, s := range joined {
				if strings.Contains(got, s) || strings.Contains(unwrapped(got), s) {
					t.Fatalf("%q is left in %q", s, got)
				}
			}
		}
		if again := r.Text(got); again != got {
			t.Fatalf("a second pass changes %q to %q", got, again)
		}
	})
}

// unwrapped is the plain way to undo line breaks.
func unwrapped(text string) string {
	return strings.NewReplacer("\r\n", "", "\n  ", "", "\n", "").Replace(text)
}

// The automaton finds what a search for each needle finds.
func TestScanAgreesWithSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 2, 6, -1)
		needles := rapid.SliceOfN(word, 1, 6).Draw(t, "needles")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 40, -1).Draw(t, "text")
		a := &automaton{}
		a.add(0, needles)
		a.link()
		covered := make([]bool, len(text))
		for _, s := range a.scan(text) {
			for i := s.start; i < s.end; i++ {
				covered[i] = true
			}
		}
		want := make([]bool, len(text))
		for _, n := range needles {
			for i := range text {
				if strings.HasPrefix(text[i:], n) {
					for k := range n {
						want[i+k] = true
					}
				}
			}
		}
		if !slices.Equal(covered, want) {
			t.Fatalf("%v in %q: covered %v, want %v", needles, text, covered, want)
		}
	})
}

func FuzzText(f *testing.F) {
	r := New(map[string]string{"a": "hunter2!", "b": "ter2", "c": "-----BEGIN\nKEY-----"})
	f.Add("aHVudGVy\n  MiE=")
	f.Add(`\n\r\\hunter2!`)
	f.Fuzz(func(t *testing.T, text string) {
		if got := r.Text(text); strings.Contains(got, "ter2") {
			t.Errorf("%q gave %q", text, got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	secrets := map[string]string{}
	for i := range 20 {
		secrets[fmt.Sprintf("s%d", i)] = base64.RawURLEncoding.EncodeToString(fmt.Append(nil, i*7919, "some long api token", i))
	}
	r := New(secrets)
	log := "2024-05-01T10:00:00Z INFO request method=GET path=/v1/things?id=42 status=200 took=15ms\n"
	for name, line := range map[string]string{
		"log":    log,
		"base64": wrap(base64.StdEncoding.EncodeToString([]byte(log+log)), 76, "\n") + "\n",
		"aaa":    "aaaaaaaa",
	} {
		text := strings.Repeat(line, (1<<20)/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r.Text(text)
			}
		})
	}
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			New(secrets)
		}
	})
}
