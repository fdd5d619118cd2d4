// Package schema is the property table: every declaration kind of the
// language with its properties, what each may hold, its default, a sentence of
// documentation and an example. The parser, the formatter, the compiler, the
// editors and the generated reference all read it; there is no second list of
// property names.
package schema

// Form is the shape of a value in the text.
type Form uint8

const (
	Str            Form = iota + 1 // quoted, raw, block scalar or one bare word
	Word                           // Str whose value holds no newline
	QStr                           // quoted, raw or block scalar, never bare
	Name                           // one bare identifier
	Dotted                         // identifiers joined by dots
	StrOrName                      // quoted string or dotted bare name
	Int                            // unsigned integer
	Num                            // unsigned integer or float
	Bool                           // true or false
	Enum                           // one of Values, bare or quoted
	EnumOrEnv                      // Enum, or any quoted string resolved at run time
	OneOf                          // a bare word; the compiler narrows it to Values
	Prompt                         // a prompt's name, or inline text as QStr
	StrOrNum                       // quoted, bare word, or a number with or without an adjacent unit
	Literal                        // quoted or raw string, int, float or bool
	Setting                        // a cursor's setting: bare word, number in [0,1] or quoted string
	JSON                           // one-line JSON with bare or quoted keys
	NameList                       // [name]
	StrList                        // [str]
	ToolList                       // [tool]: dotted references, optionally ending in .*, or quoted
	StrOrNameList                  // [str|name]
	NameOrNameList                 // one name or a list of names
	IntOrStrList                   // a resource: counter or pool of members
	Map                            // { K: "v" } or an indented block of K: v
	With                           // with { k: "v" }, written without a colon
	Block                          // an indented block of its own kind
	WordOrBlock                    // one bare word, or an indented block (sandbox)
)

// Ref names the namespace in which a value is looked up.
type Ref uint8

const (
	NoRef Ref = iota
	RefSchema
	RefPrompt
	RefNode
	RefResource
	RefContract
	RefServer
	RefVar
	RefCursor
	RefGroup
)

// Text says how the templates and references inside a string value are read.
type Text uint8

const (
	Plain      Text = iota // literal text, no references
	PromptText             // rendered for a model or a person
	ShellText              // every reference becomes a quoted shell word
	ScriptText             // every reference becomes a JSON literal
	DataText               // a data mapping: `with` values, fail messages
	Routing                // {{vars.x}} only, then ${ENV}
	WholeRef               // exactly one reference (router over, foreach)
	Expression             // an expression, never a template
	EnvText                // ${ENV} only
)

// Property is one row: a key that a kind accepts.
type Property struct {
	Name    string
	Form    Form
	Values  []Value // the closed list of Enum, EnumOrEnv and OneOf; of other forms the words known
	Block   *Kind   // of Block and WordOrBlock
	Ref     Ref
	Text    Text
	Default string // as it would be written; "" when absence has a meaning of its own
	Require bool   // the declaration is not complete without it
	Doc     string // one sentence
	Example string // a line (or block) of .bot text that parses
	Removed int    // the first profile that no longer has it, 0 for none
	Replace string // of an alias: the property to write instead
}

// Value is an enum word with its meaning.
type Value struct {
	Word string
	Doc  string
}

// Key is the shape of an author-named key.
type Key uint8

const (
	IdentKey      Key = iota // name:
	StringKey                // "lo..hi":
	IdentOrStrKey            // name: or "name":
)

// Typed is the value side of a typed entry: `name: type [enum: …] [matching: …] = literal`.
type Typed struct {
	Types    []string // accepted type words
	Schemas  bool     // a schema's name is a type too, with [] suffixes (contract ports)
	Enum     bool     // [enum: "a", "b"] may follow
	Matching bool     // [matching: "re"] may follow
	Default  bool     // = literal may follow
}

// Entry describes the author-named lines of a block: vars, schema fields,
// preset values, expr fields, routes …
type Entry struct {
	Key     Key
	Typed   *Typed // nil unless the value is a type
	Form    Form   // of the value; 0 when there is none
	Text    Text
	Bare    bool   // `name:` alone is complete (secrets, criteria, effects)
	Block   *Kind  // what may (or, without Form and Typed, must) be nested below
	Ref     Ref    // what the key names, when it is a reference
	Twice   string // the code of a key written twice, where it is not E010
	Doc     string
	Example string
}

// Members says what besides properties a body may hold.
type Members uint8

const (
	Edges Members = 1 << iota // a -> b lines
	Nodes                     // node declarations (group bodies)
)

// Kind is a declaration or a nested block.
type Kind struct {
	Name    string
	Doc     string
	Example string     // a whole declaration; blocks may leave it empty
	Node    bool       // declares a node id
	Named   bool       // `kind name:` (else `kind:`)
	Bare    bool       // the header may stand without a body
	Props   []Property // in canonical order
	Entry   *Entry     // author-named entries, nil for none
	Members Members

	rows *words // of Props
}

// Row returns the index of a property in k.Props, or -1.
func (k *Kind) Row(name string) int { return k.rows.find(name) }

// Prop returns the row of a property, or nil.
func (k *Kind) Prop(name string) *Property {
	if i := k.Row(name); i >= 0 {
		return &k.Props[i]
	}
	return nil
}

// index prepares the name look-up of a kind and of the blocks under it.
func (k *Kind) index() {
	if k.rows != nil {
		return
	}
	names := make([]string, len(k.Props))
	for i := range k.Props {
		names[i] = k.Props[i].Name
	}
	k.rows = newWords(names)
	for i := range k.Props {
		if b := k.Props[i].Block; b != nil {
			b.index()
		}
	}
	if k.Entry != nil && k.Entry.Block != nil {
		k.Entry.Block.index()
	}
}

// Words returns the plain words of an enum.
func Words(values []Value) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = v.Word
	}
	return words
}
