// Package tools is the catalogue of the tools that models call: which
// spellings name one tool, what a tool can do, and which backends have it.
// The gate, the checks and the runtime's registry read this table; nowhere
// else is a tool known by name.
package tools

import (
	"slices"
	"strings"
	"sync"
)

// Subject is the part of a call's input that a rule's pattern is tried on.
type Subject uint8

const (
	Input     Subject = iota // the whole input as key=value text
	Command                  // a shell command
	Code                     // a program in some language
	Path                     // one or more files
	Directory                // a folder to list
	Search                   // a pattern, and the folder where the search begins
	URL                      // an address
	Query                    // words to look for
)

// Ability is what a tool can do, as flags.
type Ability uint16

const (
	RunsCode Ability = 1 << iota // runs code that the model supplies
	Reads                        // reads what files hold
	Writes                       // changes files
	Lists                        // tells names of files, not what they hold
	Network                      // reaches other machines
	Plumbing                     // belongs to the run itself: questions, notes, delegation
)

// Mutates tells whether a call may change the workspace: anything but reading,
// listing, the network and the run's own plumbing counts.
func (t *Tool) Mutates() bool {
	return t.Can&(RunsCode|Writes) != 0 || t.Can&(Reads|Lists|Network|Plumbing) == 0
}

// Tool is one tool under all its spellings.
type Tool struct {
	Key       string   // the name that spellings are read as, lower case
	Spellings []string // further names, in any case; the key is one too
	Claw      string   // its name in the in-process loop, "" when that has none
	Subject   Subject
	Can       Ability
	ClawAlias bool // a name of the in-process loop that no other backend calls
	Exempt    bool // never judged: the run asks, answers and reports through it
}

// Named tells whether a name is one of the tool's spellings.
func (t *Tool) Named(name string) bool {
	return strings.EqualFold(name, t.Key) ||
		slices.ContainsFunc(t.Spellings, func(s string) bool { return strings.EqualFold(s, name) })
}

// index finds a tool by any spelling in lower case.
var index = sync.OnceValue(func() map[string]*Tool {
	m := make(map[string]*Tool, 2*len(table))
	for i := range table {
		t := &table[i]
		m[t.Key] = t
		for _, s := range t.Spellings {
			m[strings.ToLower(s)] = t
		}
	}
	return m
})

// Lookup returns the tool that a name spells, in any case, or nil. Names of MCP
// tools are none of these, whatever their last part looks like.
func Lookup(name string) *Tool { return index()[strings.ToLower(name)] }

// All lists the catalogue in table order. The slice must not be changed.
func All() []Tool { return table }

// ClawNames lists the tools of the in-process loop by the names it gives them.
var ClawNames = sync.OnceValue(func() []string {
	var names []string
	for i := range table {
		if table[i].Claw != "" {
			names = append(names, table[i].Claw)
		}
	}
	return names
})

// Spellings lists every name of every tool, in lower case.
var Spellings = sync.OnceValue(func() []string {
	names := make([]string, 0, len(index()))
	for name := range index() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
})

// Shell is the one class of tools that rules can name: those that run code the
// model supplies.
const Shell = "shell"

// Classes lists the classes that a rule may name.
func Classes() []string { return []string{Shell} }

// InClass tells whether a tool belongs to a class; it is the tool's own
// ability that decides.
func (t *Tool) InClass(class string) bool { return class == Shell && t.Can&RunsCode != 0 }

// IsBoard tells whether a name is one of the bare tools of the board and of
// watching, which a run's capabilities grant.
func IsBoard(name string) bool { return slices.Contains(boardTools, name) }

// Replacement returns what took the place of a tool that existed under this
// name in earlier versions.
func Replacement(name string) (now string, ok bool) {
	now, ok = legacy[strings.ToLower(name)]
	return now, ok
}
