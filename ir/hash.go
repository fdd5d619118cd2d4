package ir

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"reflect"

	"iterion/ast"
	"iterion/ast/source"
)

// Hash identifies what a run of the program can observe: every value, but no
// span, comment, layout or file name. Two programs with one hash run alike.
func (p *Program) Hash() string {
	h := hasher{sha256.New()}
	h.value(reflect.ValueOf(p).Elem())
	return hex.EncodeToString(h.Sum(nil))
}

type hasher struct{ hash.Hash }

// silent are the types that say where something stands, not what it is.
var silent = map[reflect.Type]bool{
	reflect.TypeFor[source.Span]():      true,
	reflect.TypeFor[Origin]():           true,
	reflect.TypeFor[*ast.Declaration](): true,
	reflect.TypeFor[[]File]():           true,
	reflect.TypeFor[Block]():            true,
}

func (h hasher) value(v reflect.Value) {
	if text, ok := v.Interface().(Text); ok {
		h.text(text.Value())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		h.fields(v)
	case reflect.Slice:
		h.number(uint64(v.Len()))
		for i := range v.Len() {
			h.value(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			h.number(0)
			return
		}
		h.number(1)
		h.value(v.Elem())
	case reflect.String:
		h.text(v.String())
	case reflect.Bool:
		if v.Bool() {
			h.number(1)
		} else {
			h.number(0)
		}
	case reflect.Int64, reflect.Int:
		h.number(uint64(v.Int()))
	case reflect.Float64:
		h.number(math.Float64bits(v.Float()))
	}
}

// fields hashes the set fields of a struct by name, so that a property added
// to the language leaves the hash of programs without it alone.
func (h hasher) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || silent[f.Type] || f.Tag.Get("json") == "-" || f.Tag.Get("hash") == "-" {
			continue
		}
		field := v.Field(i)
		if absent(field) {
			continue
		}
		h.text(f.Name)
		h.value(field)
	}
	h.text("}")
}

// absent tells whether a field holds nothing that was written.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		return false
	case reflect.Slice:
		return v.Len() == 0
	}
	switch z := v.Interface().(type) {
	case Text:
		return false // an empty text may have been written
	case interface{ IsZero() bool }:
		return z.IsZero()
	}
	return v.IsZero()
}

func (h hasher) text(s string) {
	h.number(uint64(len(s)))
	h.Write([]byte(s))
}

func (h hasher) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
