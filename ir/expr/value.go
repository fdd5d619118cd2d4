// Package expr gives expressions their meaning: what they evaluate to, their
// static class, and how values are spelled where text is needed.
//
// A value is nil, bool, int64, float64 (never NaN or infinite), string, []any
// or map[string]any, the last two holding values again. Values are shared and
// never written to.
package expr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxNesting bounds how deep Normalize follows a value, cycles included.
const maxNesting = 1000

// Normalize turns what Go code and encoding/json produce into a value: sized
// ints, float32, json.Number, []string, []map[string]any and map[string]string are
// converted, containers copied. A number without fraction written as such
// (json.Number "3") becomes int64; float64 stays float64. The error names a
// type, or a number out of range.
func Normalize(v any) (any, error) { return normalize(v, 0) }

func normalize(v any, depth int) (any, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("a value nests deeper than %d levels", maxNesting)
	}
	switch v := v.(type) {
	case nil, bool, int64, string:
		return v, nil
	case float64:
		return finite(v)
	case float32:
		return finite(float64(v))
	case json.Number:
		return number(string(v))
	case int:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case uint8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uint:
		return number(strconv.FormatUint(uint64(v), 10))
	case uint64:
		return number(strconv.FormatUint(v, 10))
	case []any:
		return normalizeList(v, depth)
	case []string:
		return normalizeList(v, depth)
	case []map[string]any:
		return normalizeList(v, depth)
	case map[string]any:
		return normalizeMap(v, depth)
	case map[string]string:
		return normalizeMap(v, depth)
	}
	return nil, fmt.Errorf("a %T is no value", v)
}

func normalizeList[T any](list []T, depth int) (any, error) {
	out := make([]any, len(list))
	for i, e := range list {
		v, err := normalize(e, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func normalizeMap[T any](m map[string]T, depth int) (any, error) {
	out := make(map[string]any, len(m))
	for k, e := range m {
		v, err := normalize(e, depth+1)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, nil
}

// number reads a JSON numeral: int64 when it has no fraction and no exponent
// and fits, float64 otherwise.
func number(text string) (any, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no number in range", text)
	}
	return finite(f)
}

func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v is no value", f)
	}
	return f, nil
}

// Truthy tells whether a value counts as true: all but nil, false, 0, an empty
// list or map, and a string that is "", "false", "no" or "0" (trimmed, any
// case).
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "", "false", "no", "0":
			return false
		}
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

// SpelledOut writes a value as text: a string as it is, nil as nothing, any
// other value as compact JSON with sorted keys.
func SpelledOut(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return compactJSON(v)
}

// compactJSON is JSON on one line with sorted keys, < > & unescaped. What JSON
// cannot hold gives "".
func compactJSON(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Equal is the `==` of expressions: numbers by value, strings, bools, nil with
// nil. Anything else, collections included, is unequal.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case string:
		y, ok := b.(string)
		return ok && x == y
	}
	return isNumber(a) && isNumber(b) && compareNumbers(a, b) == 0
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// compareNumbers orders two numbers by exact value: an int64 is not rounded to
// the nearest float64.
func compareNumbers(a, b any) int {
	x, xInt := a.(int64)
	y, yInt := b.(int64)
	if xInt && yInt {
		return cmp.Compare(x, y)
	}
	if xInt || yInt {
		return exact(a).Cmp(exact(b))
	}
	return cmp.Compare(toFloat(a), toFloat(b))
}

func exact(v any) *big.Float {
	if i, ok := v.(int64); ok {
		return new(big.Float).SetInt64(i)
	}
	f := toFloat(v)
	if math.IsNaN(f) {
		f = math.Inf(1) // no value, but big.Float panics on it
	}
	return big.NewFloat(f)
}

func toFloat(v any) float64 {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	f, _ := v.(float64)
	return f
}

// toInt gives the int of an int64 or of a float64 without fraction in range.
func toInt(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		if v == math.Trunc(v) && v >= math.MinInt64 && v < math.MaxInt64 {
			return int64(v), true
		}
	}
	return 0, false
}

// Member reads the members path from v; nil where one is missing or v is no
// map.
func Member(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// kindOf names a value's kind in messages, with an article.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "nil"
	case bool:
		return "a bool"
	case int64:
		return "an int"
	case float64:
		return "a float"
	case string:
		return "a string"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return fmt.Sprintf("a %T", v)
}
