package expr

import (
	"fmt"
	"slices"
)

// Many as Function.Max means any number of arguments.
const Many = -1

// Function describes one built-in function.
type Function struct {
	Name      string
	Min, Max  int    // argument counts, Max may be Many
	Signature string // as shown to people
	Doc       string // one sentence
	Lambda    int    // position of the argument that is a lambda; 0: none (it is never the first)
	Params    int    // how many names that lambda binds
	Result    string // bool, int, string or list; empty when it depends on the arguments
}

// Functions is the table of built-in functions, by name.
var Functions = []Function{
	{Name: "concat", Min: 1, Max: Many, Signature: "concat(list, …)", Doc: "One list of all elements; nil arguments are skipped.", Result: "list"},
	{Name: "contains", Min: 2, Max: 2, Signature: "contains(list, value)", Doc: "Whether an element is spelled like value.", Result: "bool"},
	{Name: "filter", Min: 2, Max: 2, Signature: "filter(list, v => condition)", Doc: "The elements for which the condition is true.", Lambda: 1, Params: 1, Result: "list"},
	{Name: "flatten", Min: 1, Max: 1, Signature: "flatten(list)", Doc: "Replaces each element that is a list by its elements, one level deep.", Result: "list"},
	{Name: "floor", Min: 1, Max: 1, Signature: "floor(number)", Doc: "The greatest int not above number.", Result: "int"},
	{Name: "if", Min: 3, Max: 3, Signature: "if(condition, then, else)", Doc: "then when the condition is true, else otherwise; only that one is evaluated."},
	{Name: "join", Min: 2, Max: 2, Signature: "join(list, separator)", Doc: "The elements as one string.", Result: "string"},
	{Name: "keys", Min: 1, Max: 1, Signature: "keys(map)", Doc: "The keys, sorted.", Result: "list"},
	{Name: "length", Min: 1, Max: 1, Signature: "length(value)", Doc: "Elements of a list or map, bytes of a string, 0 for nil.", Result: "int"},
	{Name: "map", Min: 2, Max: 2, Signature: "map(list, v => expression)", Doc: "The expression's value for each element.", Lambda: 1, Params: 1, Result: "list"},
	{Name: "max", Min: 1, Max: Many, Signature: "max(list) or max(a, b, …)", Doc: "The greatest number; nil when there is none."},
	{Name: "min", Min: 1, Max: Many, Signature: "min(list) or min(a, b, …)", Doc: "The smallest number; nil when there is none."},
	{Name: "reduce", Min: 3, Max: 3, Signature: "reduce(list, initial, (acc, v) => expression)", Doc: "Folds the list from the left into one value.", Lambda: 2, Params: 2},
	{Name: "round", Min: 1, Max: 1, Signature: "round(number)", Doc: "The nearest int, halves away from zero.", Result: "int"},
	{Name: "slice", Min: 3, Max: 3, Signature: "slice(list, from, to)", Doc: "The elements from from up to, not including, to; negatives count from the end.", Result: "list"},
	{Name: "sort", Min: 1, Max: 1, Signature: "sort(list)", Doc: "By value when all elements are numbers, else by text.", Result: "list"},
	{Name: "sum", Min: 1, Max: 1, Signature: "sum(list)", Doc: "The sum of a list of numbers."},
	{Name: "tail", Min: 2, Max: 2, Signature: "tail(list, n)", Doc: "The last n elements.", Result: "list"},
	{Name: "unique", Min: 1, Max: 1, Signature: "unique(list)", Doc: "The first of all elements spelled alike.", Result: "list"},
	{Name: "values", Min: 1, Max: 1, Signature: "values(map)", Doc: "The values, sorted by key.", Result: "list"},
}

// LookupFunction finds a function by name; nil when there is none.
func LookupFunction(name string) *Function {
	i := slices.IndexFunc(Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Functions[i]
}

// Accepts tells whether the function takes n arguments.
func (f *Function) Accepts(n int) bool { return n >= f.Min && (f.Max == Many || n <= f.Max) }

// Arity says in words how many arguments the function takes: "2 arguments",
// "1 argument or more".
func (f *Function) Arity() string {
	text := fmt.Sprintf("%d arguments", f.Min)
	if f.Min == 1 {
		text = "1 argument"
	}
	if f.Max == Many {
		text += " or more"
	}
	return text
}

// checkCall judges the lambdas among a call's arguments. Unknown functions
// and wrong counts are for the checker: the tree keeps them.
func checkCall(call *Node) *Error {
	f := LookupFunction(call.Name())
	if f == nil {
		return nil
	}
	for i, arg := range call.Args {
		switch wanted := f.Lambda > 0 && f.Lambda == i; {
		case wanted && arg.Kind != Lambda:
			return &Error{arg.Span, fmt.Sprintf("argument %d of %s must be a function: write %s", i+1, f.Name, f.Signature)}
		case wanted && len(arg.Names) != f.Params:
			return &Error{arg.Span, fmt.Sprintf("the function given to %s binds %d, not %d: write %s", f.Name, f.Params, len(arg.Names), f.Signature)}
		case !wanted && arg.Kind == Lambda:
			return &Error{arg.Span, fmt.Sprintf("argument %d of %s may not be a function: write %s", i+1, f.Name, f.Signature)}
		}
	}
	return nil
}
