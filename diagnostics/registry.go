package diagnostics

import (
	"cmp"
	"slices"
	"strings"
)

// Row is what the registry knows about one code.
type Row struct {
	Code     Code
	Name     string   // kebab-case slug, unique; accepted wherever a code is
	Severity Severity // the usual one
	Or       Severity // the second severity a site may choose, 0 for none
	Stage    Stage    // the usual stage of its findings
	Summary  string   // one line: what is wrong
	Fix      string   // one line: what to do
	Silent   bool     // keeps its number and page, is never emitted
	Tag      Tag      // how an editor may show the text it is about
}

// Tag says what a finding's text is, for editors that fade or strike it.
type Tag uint8

// The tags. Most findings have none.
const (
	Unnecessary Tag = iota + 1 // nothing reads it
	Deprecated                 // a later profile has no such thing
)

// tables holds the rows by family; each part is in code order itself.
var tables = [...][]Row{compileRows, graphRows, nodeRows, textRows, policyRows, bundleRows, parseRows, authorRows, ownRows}

// Lookup returns the row of a code.
func Lookup(code Code) (Row, bool) {
	for _, rows := range tables {
		i, ok := slices.BinarySearchFunc(rows, code, func(r Row, c Code) int {
			return cmp.Compare(r.Code, c)
		})
		if ok {
			return rows[i], true
		}
	}
	return Row{}, false
}

// ByName returns the row with the given slug. It also accepts a code, in any
// case, so that callers can take either from people.
func ByName(name string) (Row, bool) {
	for _, rows := range tables {
		for _, r := range rows {
			if r.Name == name {
				return r, true
			}
		}
	}
	return Lookup(Code(strings.ToUpper(name)))
}

// All returns every row in code order. The slice is the caller's.
func All() []Row {
	rows := slices.Concat(tables[:]...)
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Code, b.Code) })
	return rows
}
