package reference

import "strings"

// EBNF returns the grammar as people read it: a production a line, then
// what the words in capitals stand for. `x?` may be missing, `x*` stands any
// number of times, `x+` at least once; `(?= x)` asks for x without taking it.
func EBNF() string {
	return "Program = Declaration* .\n" + spelled.Replace(build().String()) + "\n\n" + tokens
}

// spelled replaces the names of tokens; the fused heads are taken apart.
var spelled = strings.NewReplacer(
	"(<string> | <raw>)", "TEXT", "(<int> | <float>)", "NUMBER",
	"<key>", `NAME ":"`, "<head>", `NAME NAME ":"`, "<src>", `NAME ("." NAME)* "->"`,
	"<ident>", "NAME", "<int>", "INT", "<float>", "FLOAT", "<string>", "STRING", "<raw>", "RAW",
	"<pipe>", `"|"`, "<scalar>", "LINES", "<body>", "LINES", "<dash>", `"-"`,
	"<newline>", "NEWLINE", "<indent>", "INDENT", "<dedent>", "DEDENT",
)

// tokens describes the words in capitals.
const tokens = `NAME    a letter or "_", then letters, digits and "_"; "string[]" is one too
INT     digits
FLOAT   digits "." digits
NUMBER  INT or FLOAT
STRING  "…" on one line; a backslash keeps the next character from ending it
RAW     ` + "`…`" + `, line breaks included
TEXT    STRING or RAW
LINES   the lines below that are indented deeper: of a prompt, or of a key with "|"
NEWLINE the end of a line, comments and blank lines after it included
INDENT  the next line is deeper
DEDENT  the next line is back at the column of an outer one

No word is reserved: a quoted word stands only where the grammar asks for it. "-" is the first of its line and
stands before a blank. A number and its unit, the parts of a dotted name and the [] of a type touch each other.
Between the braces of a with, line breaks and indentation mean nothing.
`
