package gate

import (
	"bytes"
	"encoding/json"
	"io"
	"sort"
	"strings"
)

// Call is one call of a tool, as the backend spells it.
type Call struct {
	Tool  string
	Input []byte // a JSON object
}

// arguments are the input of a call, read once. A text that is no object, or
// has a key twice, is unread: its values must not be taken for what runs.
type arguments struct {
	values map[string]any
	order  []string // keys, sorted
	unread bool
}

func readArguments(input []byte) *arguments {
	a := &arguments{values: map[string]any{}}
	dec := json.NewDecoder(bytes.NewReader(input))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		a.unread = true
		return a
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
			return a
		}
		if _, twice := a.values[name]; twice {
			a.unread = true
			continue // the first stays, for what closes
		}
		a.values[name] = value
		a.order = append(a.order, name)
	}
	if _, err := dec.Token(); err != nil {
		a.unread = true
	}
	if _, err := dec.Token(); err != io.EOF {
		a.unread = true
	}
	sort.Strings(a.order)
	return a
}

// text returns the first of some keys that is there. It is not ok when none
// is, or it holds no string.
func (a *arguments) text(keys ...string) (value string, ok bool) {
	for _, key := range keys {
		if v, there := a.values[key]; there {
			value, ok = v.(string)
			return value, ok && !a.unread
		}
	}
	return "", false
}

// pairs writes the input as key=value, sorted by key, joined by blanks. For
// opening, a blank or `=` inside a value is marked.
func (a *arguments) pairs(opening bool) string {
	var b strings.Builder
	for i, key := range a.order {
		if i > 0 {
			b.WriteByte(' ')
		}
		value := flat(a.values[key])
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
