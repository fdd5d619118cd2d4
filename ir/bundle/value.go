package bundle

import (
	"strconv"

	"iterion/ast/source"
)

// Kind is the kind of a Value.
type Kind uint8

const (
	Null Kind = iota
	Scalar
	List
	Map
)

// Value is a value of a YAML file with its place. A nil Value is an absent
// one: it has no text, no items and no entries.
type Value struct {
	Kind    Kind
	Path    string      // dotted, from the root: invocations[0].args_var
	Span    source.Span // in the file; without a length for what nobody wrote
	Text    string      // of a Scalar: decoded, a number or a word as written
	Quoted  bool        // of a Scalar: written in quotes or as a block
	Items   []*Value    // of a List
	Entries []Entry     // of a Map, in the file's order
}

// Entry is a key of a Map with its value.
type Entry struct {
	Key     string
	KeySpan source.Span
	Line    int // of the key, from 1
	Value   *Value
}

// Entry returns a key's entry, or nil.
func (v *Value) Entry(key string) *Entry {
	if v == nil {
		return nil
	}
	for i := range v.Entries {
		if v.Entries[i].Key == key {
			return &v.Entries[i]
		}
	}
	return nil
}

// At follows keys down from a value. What is absent or null on the way is nil.
func (v *Value) At(keys ...string) *Value {
	for _, key := range keys {
		e := v.Entry(key)
		if e == nil || e.Value.Kind == Null {
			return nil
		}
		v = e.Value
	}
	return v
}

// All follows keys down as At does, and goes through each item of a list on
// the way.
func (v *Value) All(keys ...string) []*Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == List:
		var found []*Value
		for _, item := range v.Items {
			found = append(found, item.All(keys...)...)
		}
		return found
	case len(keys) == 0:
		return []*Value{v}
	}
	return v.At(keys[0]).All(keys[1:]...)
}

// Str is the text of a scalar, "" of anything else.
func (v *Value) Str() string {
	if v == nil {
		return ""
	}
	return v.Text
}

func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
