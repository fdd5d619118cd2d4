package expr

import (
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The language as a plain grammar: the written reference, and what the fast
// parser is compared with. Three rules need no grammar and stand in value.go
// and functions.go: keys are unique, parameters are no namespaces, lambdas
// only go where a function takes one.

// ReferenceEBNF is the grammar in EBNF, one production a line, loosest first.
func ReferenceEBNF() string { return signs.Replace(referenceParser().String()) }

// signs turns the names of tokens into what people write. LambdaName and
// LambdaOpen are a name and a parenthesis that the scanner saw an arrow behind.
var signs = strings.NewReplacer(
	"<or>", `("||" | "or")`, "<and>", `("&&" | "and")`, "<not>", `("!" | "not")`,
	"<eq>", `"=="`, "<ne>", `"!="`, "<lt>", `"<"`, "<le>", `"<="`, "<gt>", `">"`, "<ge>", `">="`,
	"<add>", `"+"`, "<sub>", `"-"`, "<mul>", `"*"`, "<div>", `"/"`, "<mod>", `"%"`, "<arrow>", `"=>"`,
	"<lambdaname>", "NAME", "<lambdaopen>", `"("`, "<open>", `"("`, "<close>", `")"`,
	"<listopen>", `"["`, "<listclose>", `"]"`, "<mapopen>", `"{"`, "<mapclose>", `"}"`,
	"<comma>", `","`, "<colon>", `":"`, "<dot>", `"."`,
	"<name>", "NAME", "<int>", "INT", "<float>", "FLOAT", "<string>", "STRING", "<bool>", `"true" | "false"`,
)

var referenceParser = sync.OnceValue(func() *participle.Parser[orExpr] {
	return participle.MustBuild[orExpr](participle.Lexer(definition{}))
})

type (
	orExpr struct {
		Tokens []lexer.Token
		First  *andExpr   `parser:"@@"`
		Rest   []*andTail `parser:"@@*"`
	}
	andTail struct {
		Op    lexer.Token `parser:"@Or"`
		Right *andExpr    `parser:"@@"`
	}
	andExpr struct {
		Tokens []lexer.Token
		First  *notExpr   `parser:"@@"`
		Rest   []*notTail `parser:"@@*"`
	}
	notTail struct {
		Op    lexer.Token `parser:"@And"`
		Right *notExpr    `parser:"@@"`
	}
	notExpr struct {
		Tokens  []lexer.Token
		Op      *lexer.Token `parser:"  @Not"`
		Operand *notExpr     `parser:"  @@"`
		Compare *compareExpr `parser:"| @@"`
	}
	compareExpr struct {
		Tokens []lexer.Token
		Left   *addExpr    `parser:"@@"`
		Tail   *compareEnd `parser:"@@?"`
	}
	compareEnd struct {
		Op    lexer.Token `parser:"@( Eq | Ne | Lt | Le | Gt | Ge )"`
		Right *addExpr    `parser:"@@"`
	}
	addExpr struct {
		Tokens []lexer.Token
		First  *mulExpr   `parser:"@@"`
		Rest   []*mulTail `parser:"@@*"`
	}
	mulTail struct {
		Op    lexer.Token `parser:"@( Add | Sub )"`
		Right *mulExpr    `parser:"@@"`
	}
	mulExpr struct {
		Tokens []lexer.Token
		First  *unaryExpr   `parser:"@@"`
		Rest   []*unaryTail `parser:"@@*"`
	}
	unaryTail struct {
		Op    lexer.Token `parser:"@( Mul | Div | Mod )"`
		Right *unaryExpr  `parser:"@@"`
	}
	unaryExpr struct {
		Tokens  []lexer.Token
		Op      *lexer.Token `parser:"  @Sub"`
		Operand *unaryExpr   `parser:"  @@"`
		Postfix *postfixExpr `parser:"| @@"`
	}
	postfixExpr struct {
		Primary *primaryExpr `parser:"@@"`
		Indexes []*indexTail `parser:"@@*"`
	}
	indexTail struct {
		Tokens  []lexer.Token
		Index   *orExpr     `parser:"ListOpen @@ ListClose"`
		Members []*nameTail `parser:"@@*"`
	}
	nameTail struct {
		Name lexer.Token `parser:"Dot @Name"`
	}
	primaryExpr struct {
		Tokens  []lexer.Token
		Literal *lexer.Token `parser:"  @( Int | Float | String | Bool )"`
		Inner   *orExpr      `parser:"| Open @@ Close"`
		List    *listExpr    `parser:"| @@"`
		Object  *objectExpr  `parser:"| @@"`
		Named   *namedExpr   `parser:"| @@"`
	}
	listExpr struct {
		Open     lexer.Token `parser:"@ListOpen"`
		Elements []*orExpr   `parser:"( @@ ( Comma @@ )* )? ListClose"`
	}
	objectExpr struct {
		Open    lexer.Token  `parser:"@MapOpen"`
		Entries []*entryExpr `parser:"( @@ ( Comma @@ )* )? MapClose"`
	}
	entryExpr struct {
		Key   lexer.Token `parser:"@( Name | String ) Colon"`
		Value *orExpr     `parser:"@@"`
	}
	namedExpr struct {
		Name    lexer.Token   `parser:"@Name"`
		Call    *argumentList `parser:"( @@"`
		Members []*nameTail   `parser:"| @@+ )?"`
	}
	argumentList struct {
		Open      lexer.Token `parser:"@Open"`
		Arguments []*argument `parser:"( @@ ( Comma @@ )* )? Close"`
	}
	argument struct {
		Lambda *lambdaExpr `parser:"  @@"`
		Value  *orExpr     `parser:"| @@"`
	}
	lambdaExpr struct {
		Tokens []lexer.Token
		Params *paramList `parser:"@@ Arrow"`
		Body   *orExpr    `parser:"@@"`
	}
	paramList struct {
		One    *lexer.Token `parser:"  @LambdaName"`
		First  *lexer.Token `parser:"| LambdaOpen @Name"`
		Second *lexer.Token `parser:"  Comma @Name Close"`
	}
)
