package sqlite

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// values draws from the whole model of values.
func values() *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), boxed[bool]),
		rapid.Map(rapid.Int64(), boxed[int64]),
		rapid.Map(rapid.Float64(), boxed[float64]),
		rapid.Map(rapid.String(), boxed[string]),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return string(b) }),
		rapid.SampledFrom([]any{1.0, math.Copysign(0, -1), 1e21, math.MaxFloat64, int64(math.MinInt64), "@", "n{}", []any(nil), map[string]any(nil)}),
	)
	var deep func(depth int) *rapid.Generator[any]
	deep = func(depth int) *rapid.Generator[any] {
		if depth == 0 {
			return leaf
		}
		inner := deep(depth - 1)
		return rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(inner, 0, 4), boxed[[]any]),
			rapid.Map(rapid.MapOfN(rapid.String(), inner, 0, 4), boxed[map[string]any]),
		)
	}
	return deep(4)
}

func boxed[T any](v T) any { return v }

// Every value comes back as it was, whatever of it was taken out as a blob.
func TestValuesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := map[string]any{"v": values().Draw(t, "value")}
		inline := rapid.SampledFrom([]int{0, 1, 30, 100}).Draw(t, "inline")
		text, blobs, err := encode(data, inline)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[string]string{}
		for _, b := range blobs {
			kept[b.sum] = string(b.text)
		}
		if inline > sumLength && len(text) > inline {
			t.Fatalf("%d bytes are left", len(text))
		}
		got, err := decode(text, func(sum string) (string, error) { return kept[sum], nil })
		if err != nil || !same(got, data) {
			t.Fatalf("%#v came back as %#v, %v, by %s", data, got, err, text)
		}
	})
}

// same is reflect.DeepEqual that tells the zeros of float64 apart.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) && fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b)
}

func TestWhatIsNoValueIsRefused(t *testing.T) {
	loop := map[string]any{}
	loop["self"] = []any{loop}
	for want, v := range map[string]any{
		"a int is no value": 1, "NaN is no value": math.NaN(), "+Inf is no value": math.Inf(1),
		"a []string is no value": []string{}, "nests deeper than 2000": loop,
	} {
		if _, _, err := encode(map[string]any{"v": v}, maxInline); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A damaged text is an error or another value, never a panic or a hang.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+10,true,false,null,n[],n{}],"b":{"c":"\"\\\n\u001f"}}`, `{"a":@` + strings.Repeat("0", sumLength) + `}`,
		`{"a":`, `{"a"`, `{"`, `"\u00`, `"\`, `[[[[`, `nul`, `-`, `@00`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data, err := decode(text, func(sum string) (string, error) { return "[]", nil })
		if err != nil {
			return
		}
		again, _, err := encode(data, 0)
		if err != nil {
			t.Fatalf("%q was read but cannot be written: %v", text, err)
		}
		if back, err := decode(again, nil); err != nil || !same(back, data) {
			t.Fatalf("%q came back as %q, %v", text, again, err)
		}
	})
}
