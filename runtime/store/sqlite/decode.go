package sqlite

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// decoder reads the texts that encoder writes, and nothing else. Its strings
// are parts of the text.
type decoder struct {
	text  string
	at    int
	blobs *blobReader
}

// blobReader reads each blob that a text names once. A file made so that blobs
// name others many times over costs no more than its size.
type blobReader struct {
	load func(sum string) (string, error)
	seen map[string]any
}

func (r *blobReader) value(sum string, depth int) (any, error) {
	if v, ok := r.seen[sum]; ok {
		return v, nil
	}
	text, err := r.load(sum)
	if err != nil {
		return nil, err
	}
	v, err := whole(text, r, depth)
	if r.seen == nil {
		r.seen = map[string]any{}
	}
	r.seen[sum] = v
	return v, err
}

// decode reads the text of a map, "" as a nil one; load returns the text of a
// blob.
func decode(text string, load func(sum string) (string, error)) (map[string]any, error) {
	if text == "" {
		return nil, nil
	}
	v, err := whole(text, &blobReader{load: load}, 0)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the data is no map")
	}
	return m, nil
}

func whole(text string, blobs *blobReader, depth int) (any, error) {
	d := decoder{text: text, blobs: blobs}
	v, err := d.value(depth)
	if err == nil && d.at != len(text) {
		err = d.broken()
	}
	return v, err
}

func (d *decoder) broken() error { return fmt.Errorf("the data is broken at byte %d", d.at) }

// next is the byte that comes next, 0 at the end; no text holds one.
func (d *decoder) next() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) take(c byte) bool {
	if d.next() != c {
		return false
	}
	d.at++
	return true
}

func (d *decoder) word(w string) bool {
	if !strings.HasPrefix(d.text[d.at:], w) {
		return false
	}
	d.at += len(w)
	return true
}

func (d *decoder) value(depth int) (any, error) {
	if depth > maxNesting+1 {
		return nil, d.broken()
	}
	switch d.next() {
	case '"':
		return d.string()
	case '{':
		return d.object(depth)
	case '[':
		return d.list(depth)
	case '@':
		return d.blob(depth)
	case 't':
		if d.word("true") {
			return true, nil
		}
	case 'f':
		if d.word("false") {
			return false, nil
		}
	case 'n':
		return d.none()
	}
	return d.number()
}

func (d *decoder) none() (any, error) {
	switch {
	case d.word("null"):
		return nil, nil
	case d.word("n[]"):
		return []any(nil), nil
	case d.word("n{}"):
		return map[string]any(nil), nil
	}
	return nil, d.broken()
}

func (d *decoder) object(depth int) (any, error) {
	d.at++
	m := map[string]any{}
	if d.take('}') {
		return m, nil
	}
	for {
		key, err := d.string()
		if err != nil {
			return nil, err
		}
		if !d.take(':') {
			return nil, d.broken()
		}
		if m[key], err = d.value(depth + 1); err != nil {
			return nil, err
		}
		if d.take('}') {
			return m, nil
		}
		if !d.take(',') {
			return nil, d.broken()
		}
	}
}

func (d *decoder) list(depth int) (any, error) {
	d.at++
	list := []any{}
	if d.take(']') {
		return list, nil
	}
	for {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if d.take(']') {
			return list, nil
		}
		if !d.take(',') {
			return nil, d.broken()
		}
	}
}

func (d *decoder) blob(depth int) (any, error) {
	end := d.at + 1 + sumLength
	if end > len(d.text) {
		return nil, d.broken()
	}
	sum := d.text[d.at+1 : end]
	d.at = end
	return d.blobs.value(sum, depth)
}

func (d *decoder) number() (any, error) {
	start, float := d.at, false
	for d.at < len(d.text) {
		c := d.text[d.at]
		if c == '.' || c == 'e' {
			float = true
		} else if (c < '0' || c > '9') && c != '-' && c != '+' {
			break
		}
		d.at++
	}
	text := d.text[start:d.at]
	if float {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f, nil
		}
	} else if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, nil
	}
	d.at = start
	return nil, d.broken()
}

func (d *decoder) string() (string, error) {
	if !d.take('"') {
		return "", d.broken()
	}
	start := d.at
	for ; d.at < len(d.text); d.at++ {
		switch d.text[d.at] {
		case '"':
			d.at++
			return d.text[start : d.at-1], nil
		case '\\':
			return d.escaped(start)
		}
	}
	return "", d.broken()
}

// escaped goes on with a string at its first backslash.
func (d *decoder) escaped(start int) (string, error) {
	out := make([]byte, 0, 2*(d.at-start)+16)
	for from := start; d.at < len(d.text); {
		switch c := d.text[d.at]; c {
		case '"':
			out = append(out, d.text[from:d.at]...)
			d.at++
			return string(out), nil
		case '\\':
			out = append(out, d.text[from:d.at]...)
			c, ok := d.escape()
			if !ok {
				return "", d.broken()
			}
			out = append(out, c)
			from = d.at
		default:
			d.at++
		}
	}
	return "", d.broken()
}

// escapes are the letters behind a backslash.
var escapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}

func (d *decoder) escape() (byte, bool) {
	d.at++
	if d.word("u00") {
		if d.at+2 > len(d.text) {
			return 0, false
		}
		n, err := strconv.ParseUint(d.text[d.at:d.at+2], 16, 8)
		d.at += 2
		return byte(n), err == nil
	}
	c, ok := escapes[d.next()]
	d.at++
	return c, ok
}
