package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Values are spelled as JSON with four differences, so that they come back
// exactly as they were: a float64 always has a point or an exponent, an int64
// never; a nil list is n[] and a nil map n{}; bytes of a string that are not
// UTF-8 stand as they are; and @ with 64 hex digits stands for the value in the
// blob of that name. Keys are sorted: equal values, equal texts.

const (
	// maxInline is how long the text of a value may be before it becomes a blob,
	// in bytes.
	maxInline = 1 << 20
	// maxNesting is how deep values may nest; it stops values that hold themselves.
	maxNesting = 2000
	// sumLength is the length of a blob's name.
	sumLength = 2 * sha256.Size
)

// blob is the text of a large value, kept in a file of its own.
type blob struct {
	sum  string // SHA-256 of the text, hex
	text []byte
}

// encoder writes the texts of values.
type encoder struct {
	out    []byte
	inline int      // longer texts become blobs; 0: none does
	blobs  []blob   // of this text, those inside other blobs too
	keys   []string // scratch of map: the keys of the maps around, too
}

// encode spells a map; texts over inline bytes are taken out of it. A nil map
// is "". The error says what is no value.
func encode(data map[string]any, inline int) (string, []blob, error) {
	if data == nil {
		return "", nil, nil
	}
	e := encoder{inline: inline, out: make([]byte, 0, 512)}
	err := e.value(data, 0)
	return string(e.out), e.blobs, err
}

func (e *encoder) value(v any, depth int) error {
	start := len(e.out)
	switch v := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case bool:
		e.out = strconv.AppendBool(e.out, v)
	case int64:
		e.out = strconv.AppendInt(e.out, v, 10)
	case float64:
		return e.float(v)
	case string:
		e.text(v)
	case []any:
		if err := e.list(v, depth); err != nil {
			return err
		}
	case map[string]any:
		if err := e.object(v, depth); err != nil {
			return err
		}
	default:
		return fmt.Errorf("a %T is no value", v)
	}
	if e.inline > 0 && len(e.out)-start > e.inline {
		e.takeOut(start)
	}
	return nil
}

// takeOut makes the text from start on a blob and leaves its name.
func (e *encoder) takeOut(start int) {
	text := bytes.Clone(e.out[start:])
	sum := sha256.Sum256(text)
	b := blob{hex.EncodeToString(sum[:]), text}
	e.blobs = append(e.blobs, b)
	e.out = append(append(e.out[:start], '@'), b.sum...)
}

func (e *encoder) float(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("%v is no value", f)
	}
	start := len(e.out)
	e.out = strconv.AppendFloat(e.out, f, 'g', -1, 64)
	if !bytes.ContainsAny(e.out[start:], ".e") {
		e.out = append(e.out, ".0"...)
	}
	return nil
}

func (e *encoder) list(list []any, depth int) error {
	switch {
	case depth > maxNesting:
		return fmt.Errorf("a value nests deeper than %d levels", maxNesting)
	case list == nil:
		e.out = append(e.out, 'n')
	}
	e.out = append(e.out, '[')
	for i, v := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if err := e.value(v, depth+1); err != nil {
			return err
		}
	}
	e.out = append(e.out, ']')
	return nil
}

func (e *encoder) object(m map[string]any, depth int) error {
	switch {
	case depth > maxNesting:
		return fmt.Errorf("a value nests deeper than %d levels", maxNesting)
	case m == nil:
		e.out = append(e.out, 'n')
	}
	e.out = append(e.out, '{')
	first := len(e.keys)
	for key := range m {
		e.keys = append(e.keys, key)
	}
	slices.Sort(e.keys[first:])
	for i := first; i < first+len(m); i++ { // not a range: values inside may move the slice
		if i > first {
			e.out = append(e.out, ',')
		}
		e.text(e.keys[i])
		e.out = append(e.out, ':')
		if err := e.value(m[e.keys[i]], depth+1); err != nil {
			return err
		}
	}
	e.keys = e.keys[:first]
	e.out = append(e.out, '}')
	return nil
}

// text writes a string; only what JSON must have escaped is.
func (e *encoder) text(s string) {
	e.out = append(e.out, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		e.out = append(e.out, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			e.out = append(e.out, '\\', c)
		case '\n':
			e.out = append(e.out, '\\', 'n')
		case '\r':
			e.out = append(e.out, '\\', 'r')
		case '\t':
			e.out = append(e.out, '\\', 't')
		default:
			e.out = append(e.out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	e.out = append(append(e.out, s[from:]...), '"')
}

const hexDigits = "0123456789abcdef"
