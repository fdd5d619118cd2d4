package reference

// Declaration is one top-level unit. `dsl: 2`, `vars:` and the other blocks
// without a name are lines like any other.
type Declaration struct {
	Import *Import `parser:"  @@"`
	Use    *Use    `parser:"| @@"`
	Group  *Group  `parser:"| @@"`
	Named  *Named  `parser:"| @@"`
	Line   *Line   `parser:"| @@"`
}

// Import takes in the declarations of another file.
type Import struct {
	Path string `parser:"'import' @String Newline"`
}

// Use places a copy of a group.
type Use struct {
	Group  string `parser:"'use' @Ident"`
	Prefix string `parser:"'as' @Ident"`
	With   *With  `parser:"@@? Newline"`
}

// Group is a group with parameters; one without is Named.
type Group struct {
	Name   string    `parser:"'group' @Ident"`
	Params []string  `parser:"'(' ( @Ident ( ',' @Ident )* )? ')' ':' Newline"`
	Body   []*Member `parser:"( Indent @@+ Dedent )?"`
}

// Named is `kind name:` with its members, or with the text of a prompt.
type Named struct {
	Head string    `parser:"@Head Newline"`
	Text *string   `parser:"( @Body"`
	Body []*Member `parser:"| Indent @@+ Dedent )?"`
}

// Member is what stands in a body.
type Member struct {
	Edge   *Edge  `parser:"  @@"`
	With   *With  `parser:"| @@ Newline"`
	Nested *Named `parser:"| @@"`
	Line   *Line  `parser:"| @@"`
}

// Line is a property or an author-named entry: a value behind its colon, and
// items or members below it.
type Line struct {
	Key   *Key      `parser:"@@"`
	Value *Value    `parser:"@@? Newline"`
	Items []*Item   `parser:"( Indent ( @@+"`
	Body  []*Member `parser:"| @@+ ) Dedent )?"`
}

// Key is a key with its colon.
type Key struct {
	Name   string `parser:"  @Key"`
	Quoted string `parser:"| @String ':'"`
}

// Item is a line of a list.
type Item struct {
	Value *Element `parser:"Dash @@ Newline"`
}

// Value is what may stand behind a colon; the property says which of the forms
// it takes.
type Value struct {
	Scalar *string `parser:"  Pipe @Scalar"`
	Text   string  `parser:"| @( String | Raw )"`
	Number string  `parser:"| @( Int | Float ) @( Ident | Int | Float )*"`
	Typed  *Typed  `parser:"| @@"`
	List   *List   `parser:"| @@"`
	Map    *Map    `parser:"| @@"`
}

// Typed is a bare word, or a type with its constraints and default.
type Typed struct {
	Word        *Word         `parser:"@@"`
	Levels      string        `parser:"@( '[' ']' )*"`
	Constraints []*Constraint `parser:"@@*"`
	Default     *Literal      `parser:"( '=' @@ )?"`
}

// Word is a name, dots and a final wildcard included.
type Word struct {
	Text string `parser:"@Ident @( '.' ( Ident | '*' ) )*"`
}

// Constraint limits the values of a type.
type Constraint struct {
	Enum     []string `parser:"  '[' 'enum' ':' @( String | Raw ) ( ',' @( String | Raw ) )* ']'"`
	Matching string   `parser:"| '[' 'matching' ':' @( String | Raw ) ']'"`
}

// Literal is a scalar between braces or behind an equals sign.
type Literal struct {
	Text   string `parser:"  @( String | Raw )"`
	Number string `parser:"| @( Int | Float )"`
	Word   string `parser:"| @Ident"`
}

// Element is a value inside a list or a map.
type Element struct {
	Text   string `parser:"  @( String | Raw )"`
	Number string `parser:"| @( Int | Float )"`
	Word   *Word  `parser:"| @@"`
	List   *List  `parser:"| @@"`
	Map    *Map   `parser:"| @@"`
}

// List is a list on one line.
type List struct {
	Items []*Element `parser:"'[' ( @@ ( ',' @@ )* ','? )? ']'"`
}

// Map is a map on one line.
type Map struct {
	Pairs []*Pair `parser:"'{' ( @@ ( ',' @@ )* ','? )? '}'"`
}

// Pair is a key of a map with its value.
type Pair struct {
	Key   string   `parser:"@( Ident | String ) ':'"`
	Value *Element `parser:"@@"`
}

// Edge leads from a node to others; its clauses belong to the last arrow.
type Edge struct {
	Source  string    `parser:"@Src"`
	Targets []*Target `parser:"@@ ( '->' @@ )*"`
	Clauses []*Clause `parser:"@@* Newline"`
}

// Target is an end of an edge.
type Target struct {
	Text string `parser:"@Ident @( '.' Ident )*"`
}

// Clause says when an edge is taken, how often and with which values.
type Clause struct {
	When    *When    `parser:"  @@"`
	Else    bool     `parser:"| @'else'"`
	Foreach *Foreach `parser:"| @@"`
	Loop    *Loop    `parser:"| @@"`
	With    *With    `parser:"| @@"`
}

// When is a condition. `not` negates when a field follows; else it is one.
type When struct {
	Not   bool   `parser:"'when' ( ( @'not' (?= Ident ) )?"`
	Field string `parser:"@Ident"`
	Text  string `parser:"| @( String | Raw ) )"`
}

// Foreach repeats an edge for every element of a list.
type Foreach struct {
	Name string `parser:"'as' 'foreach' @Ident '('"`
	Item string `parser:"@Ident 'in'"`
	List string `parser:"@( String | Raw ) ')'"`
}

// Loop names the loop that an edge closes, with its cap.
type Loop struct {
	Name      string `parser:"'as' @Ident '('"`
	Unbounded bool   `parser:"( @'unbounded'"`
	Fuel      string `parser:"  @Int?"`
	Count     string `parser:"| @Int"`
	Text      string `parser:"| @( String | Raw ) ) ')'"`
}

// With hands values on; its braces may span lines.
type With struct {
	Entries []*WithEntry `parser:"'with' '{' ( @@ ','? )* '}'"`
}

// WithEntry is one value of a With.
type WithEntry struct {
	Key   string   `parser:"@Ident ':'"`
	Value *Literal `parser:"@@"`
}
