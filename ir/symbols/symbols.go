// Package symbols is the index of names of a built unit: which word declares
// what, and what every other word refers to. Editors find definitions and
// references in it, and rename by it.
package symbols

import (
	"slices"
	"sync"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir/build"
)

// Kind is what a name names.
type Kind uint8

// The kinds. Names of two kinds never clash, but for the rules of the language
// on variables, attachments and secrets.
const (
	Node       Kind = iota + 1 // Owner: the group of a member
	Instance                   // the prefix of a `use`
	Group                      //
	Param                      // Owner: its group
	Prompt                     //
	Schema                     //
	Field                      // Owner: its schema
	Var                        //
	Preset                     //
	Attachment                 //
	Secret                     //
	Loop                       //
	Foreach                    //
	Artifact                   //
	Resource                   //
	Cursor                     //
	Setting                    // a named value of a cursor. Owner: the cursor
	Server                     //
	Supervisor                 //
	Contract                   //
	Port                       // an output of a contract. Owner: the contract
	Criterion                  // Owner: its contract
	Effect                     // Owner: its contract
	Slot                       // a conversation that nodes share
	Event                      // declared by who sends it
	Route                      // a fallback. Owner: the node, behind its group and a dot
	Binding                    // the item of a router. Owner: the node, as of a Route
	Workflow                   //
	Import                     // a path, as written
	Include                    // a path, as written
	Subbot                     // a path, as written
	Argument                   // a variable of a subbot, declared there. Owner: the path, as written
)

var kindNames = [...]string{
	Node: "node", Instance: "instance", Group: "group", Param: "parameter", Prompt: "prompt", Schema: "schema",
	Field: "field", Var: "variable", Preset: "preset", Attachment: "attachment", Secret: "secret", Loop: "loop",
	Foreach: "foreach", Artifact: "artifact", Resource: "resource", Cursor: "cursor", Setting: "setting",
	Server: "mcp_server", Supervisor: "supervisor", Contract: "contract", Port: "port", Criterion: "criterion",
	Effect: "effect", Slot: "session slot", Event: "event", Route: "route", Binding: "binding", Workflow: "workflow", Import: "import",
	Include: "include", Subbot: "subbot file", Argument: "argument",
}

// String is the kind's noun, for messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// File tells whether names of the kind are paths of files.
func (k Kind) File() bool { return k == Import || k == Include || k == Subbot }

// Symbol is one named thing of a unit.
type Symbol struct {
	Kind  Kind
	Owner string // what Name is unique within; "" for the unit
	Name  string
}

// Role says what a word does with its symbol.
type Role uint8

// The roles. A symbol may be declared several times: by an author's mistake, by
// a workflow that replaces a variable of the file, by each edge of a loop, by
// each node that publishes an artifact, sends an event or uses a slot.
const (
	Refers Role = iota
	Declares
)

// Form is how a name is written.
type Form uint8

// The forms. Names are identifiers, which all of them hold as they are.
const (
	Word       Form = iota // a bare word, or a part of a dotted one
	Quoted                 // between the quotes of a string or a key
	Template               // a segment of `{{…}}`
	Expression             // a segment of a path in an expression
	Shorthand              // the first name of such a path: a field of `input`
	Path                   // a file's path inside its quotes
	FileName               // the file that holds the declaration has the name: Span is empty
)

// Occurrence is one word that names a symbol.
type Occurrence struct {
	Symbol
	Role Role
	Form Form
	Tree *ast.Declaration // holds the word
	Span source.Span      // of the name alone, in Tree.Text
	// Also is what else the word refers to: a prompt that several nodes use
	// reads a field of each of their inputs.
	Also []Symbol
}

// Names tells whether the word refers to s.
func (o *Occurrence) Names(s Symbol) bool {
	return o.Symbol == s || slices.Contains(o.Also, s)
}

// Index holds the occurrences of a unit. It is immutable and safe for
// concurrent use.
type Index struct {
	result *build.Result
	names  *names
	trees  map[*ast.Declaration][]Occurrence // in the order of the text
	files  map[*ast.Declaration]*build.File
	beside *build.File // the manifest, nil for none

	once sync.Once
	all  map[Symbol][]Occurrence
}

// Of makes the index of a unit. It reads nothing but the result, which may have
// errors: what could not be read has no occurrences.
func Of(r *build.Result) *Index {
	x := &Index{result: r, trees: map[*ast.Declaration][]Occurrence{}, files: map[*ast.Declaration]*build.File{}}
	x.names = namesOf(r)
	b := &builder{names: x.names}
	for _, f := range r.Files {
		for _, p := range f.Parts {
			x.files[p.Tree] = f
			if list := b.part(p); len(list) > 0 {
				x.trees[p.Tree] = list
			}
		}
	}
	if f, list := b.manifest(r); f != nil {
		x.files[f.AST.Decls[0]], x.trees[f.AST.Decls[0]], x.beside = f, list, f
	}
	x.include(b)
	return x
}

// In returns the occurrences of a declaration in the order of its text. The
// result is shared: do not change it.
func (x *Index) In(tree *ast.Declaration) []Occurrence { return x.trees[tree] }

// At returns the occurrence whose span holds an offset of the declaration's
// text, its end included.
func (x *Index) At(tree *ast.Declaration, offset uint32) (Occurrence, bool) {
	list := x.trees[tree]
	i, _ := slices.BinarySearchFunc(list, offset, func(o Occurrence, at uint32) int {
		if o.Span.End < at {
			return -1
		}
		return 1
	})
	if i < len(list) && list[i].Form != FileName && list[i].Span.Contains(offset) {
		return list[i], true
	}
	return Occurrence{}, false
}

// Of returns all occurrences of a symbol in the order of the unit's files and
// their texts. The result is shared: do not change it.
func (x *Index) Of(s Symbol) []Occurrence { return x.symbols()[s] }

// Declaration returns the word that declares a symbol. Of several that does it
// which counts: the workflow's variable before the file's, else the first.
func (x *Index) Declaration(s Symbol) (found Occurrence, ok bool) {
	for _, o := range x.Of(s) {
		if o.Role != Declares {
			continue
		}
		if !ok {
			found, ok = o, true
		}
		if s.Kind == Var && o.Tree.Keyword() == "workflow" {
			return o, true
		}
	}
	return found, ok
}

// All yields every symbol of the unit with its occurrences, in no order.
func (x *Index) All(yield func(Symbol, []Occurrence) bool) {
	for s, list := range x.symbols() {
		if !yield(s, list) {
			return
		}
	}
}

// symbols files the occurrences by symbol, on first use.
func (x *Index) symbols() map[Symbol][]Occurrence {
	x.once.Do(func() {
		x.all = map[Symbol][]Occurrence{}
		for _, f := range x.Files() {
			for _, d := range f.AST.Decls {
				for _, o := range x.trees[d] {
					x.all[o.Symbol] = append(x.all[o.Symbol], o)
					for _, s := range o.Also {
						x.all[s] = append(x.all[s], o)
					}
				}
			}
		}
	})
	return x.all
}

// File returns the file that holds a declaration, nil for one of another unit.
func (x *Index) File(tree *ast.Declaration) *build.File { return x.files[tree] }

// Files lists the files that hold names: those of the unit, the texts that they
// include, the manifest.
func (x *Index) Files() []*build.File {
	files := slices.Clip(x.result.Files)
	for _, text := range x.result.Included {
		files = append(files, text.File)
	}
	if x.beside != nil {
		files = append(files, x.beside)
	}
	return files
}
