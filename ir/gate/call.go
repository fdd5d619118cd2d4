package gate

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Call is one call of a tool, as the backend spells it.
type Call struct {
	Tool  string
	Input string // a JSON object
}

// arguments are the input of a call, read once. A text that is no object, or
// has a key twice, in whatever case, is unread: its values must not be taken
// for what runs.
type arguments struct {
	fields []field
	unread bool
	few    [4]field // what most calls need
}

// field is one value of the input, as encoding/json gives it with numbers as
// they are written.
type field struct {
	key    string
	text   string // of a text
	isText bool
	other  any // of anything else
}

func (f *field) value() any {
	if f.isText {
		return f.text
	}
	return f.other
}

// read reads an input.
func (a *arguments) read(input string) {
	a.fields = a.few[:0]
	if !a.flat(input) {
		a.fields = a.few[:0]
		a.decode(input)
	}
}

// flat reads an object of plain texts, which most inputs are. It gives up on
// everything else, a key that stands twice included.
func (a *arguments) flat(s string) bool {
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' || !utf8.ValidString(s) {
		return false
	}
	s = behindBlanks(s[1 : len(s)-1])
	for s != "" {
		key, rest, ok := plainText(s)
		rest = behindBlanks(rest)
		if !ok || rest == "" || rest[0] != ':' || a.twice(key) {
			return false
		}
		text, rest, ok := plainText(behindBlanks(rest[1:]))
		if !ok {
			return false
		}
		a.fields = append(a.fields, field{key: key, text: text, isText: true})
		rest = behindBlanks(rest)
		if rest == "" {
			return true
		}
		if rest[0] != ',' {
			return false
		}
		if s = behindBlanks(rest[1:]); s == "" {
			return false
		}
	}
	return true
}

func behindBlanks(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

// isBlank tells the blanks of JSON.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// plainText reads a JSON text without escapes.
func plainText(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[1:i], s[i+1:], true
		case c == '\\' || c < 0x20:
			return "", s, false
		}
	}
	return "", s, false
}

// decode reads any input.
func (a *arguments) decode(input string) {
	dec := json.NewDecoder(strings.NewReader(input))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		a.unread = true
		return
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value any
		if err == nil && ok {
			err = dec.Decode(&value)
		}
		if err != nil || !ok {
			a.unread = true
			return
		}
		if a.twice(name) {
			a.unread = true // both stay, for what closes
		}
		f := field{key: name}
		if f.text, f.isText = value.(string); !f.isText {
			f.other = value
		}
		a.fields = append(a.fields, f)
	}
	if _, err := dec.Token(); err != nil {
		a.unread = true
	}
	if _, err := dec.Token(); err != io.EOF {
		a.unread = true
	}
}

// find returns the first field with a key, or nil.
func (a *arguments) find(key string) *field {
	for i := range a.fields {
		if a.fields[i].key == key {
			return &a.fields[i]
		}
	}
	return nil
}

// twice tells whether a key is there, in any case: some decoders take the one
// for the other.
func (a *arguments) twice(key string) bool {
	return slices.ContainsFunc(a.fields, func(f field) bool { return strings.EqualFold(f.key, key) })
}

// text returns the first of some keys that is there. It is not ok when none
// is, or it holds no text.
func (a *arguments) text(keys ...string) (value string, ok bool) {
	for _, key := range keys {
		if f := a.find(key); f != nil {
			return f.text, f.isText && !a.unread
		}
	}
	return "", false
}

// sorted lists the fields by key.
func (a *arguments) sorted() []field {
	list := slices.Clone(a.fields)
	slices.SortStableFunc(list, func(x, y field) int { return strings.Compare(x.key, y.key) })
	return list
}

// pairs writes the input as key=value, sorted by key, joined by blanks. For
// opening, a blank or `=` inside a value is marked.
func (a *arguments) pairs(opening bool) string {
	var b strings.Builder
	for i, f := range a.sorted() {
		if i > 0 {
			b.WriteByte(' ')
		}
		key, value := f.key, flat(f.value())
		if opening {
			key, value = marked(key), marked(value)
		}
		b.WriteString(key + "=" + value)
	}
	return b.String()
}

func marked(s string) string {
	if !strings.ContainsAny(s, " =\t\n\r") {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		switch c {
		case ' ', '=', '\t', '\n', '\r':
			b[i] = inside
		}
	}
	return string(b)
}

// whole is the input as one text, whatever its layout and the order of its keys.
func (a *arguments) whole() string {
	values := map[string]any{}
	for i := range a.fields {
		values[a.fields[i].key] = a.fields[i].value()
	}
	return flat(values)
}

// flat is a value as text: a string is itself, anything else compact JSON.
func flat(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
