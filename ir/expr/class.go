package expr

import syntax "iterion/grammar/expr"

// Class is what can be told of a value before the run.
type Class uint8

// The classes. Unknown never causes a finding.
const (
	Unknown Class = iota
	Bool
	Int
	Float
	String
	List
	Map
)

var classNames = [...]string{"unknown", "bool", "int", "float", "string", "list", "map"}

// String is the class in lower case.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return classNames[Unknown]
}

// Numeric tells whether the class is Int or Float.
func (c Class) Numeric() bool { return c == Int || c == Float }

// Collection tells whether the class is List or Map.
func (c Class) Collection() bool { return c == List || c == Map }

// Scalar tells whether values of the class have no elements.
func (c Class) Scalar() bool { return c >= Bool && c <= String }

// Comparable tells whether a comparison of the two can be meant: one of them
// is unknown, both are the same, or both are numeric.
func (c Class) Comparable(d Class) bool {
	return c == Unknown || d == Unknown || c == d || c.Numeric() && d.Numeric()
}

// ClassOf finds the class of an expression. typeOf gives the declared class of
// a path as PathOf spells it.
func ClassOf(n *syntax.Node, typeOf func(path []string) Class) Class {
	switch n.Kind {
	case syntax.Literal:
		return classOfValue(n.Value)
	case syntax.List:
		return List
	case syntax.Object:
		return Map
	case syntax.Path:
		return typeOf(PathOf(n))
	case syntax.Unary:
		if n.Op() == syntax.Not {
			return Bool
		}
		if c := ClassOf(n.Args[0], typeOf); c.Numeric() {
			return c
		}
	case syntax.Binary:
		if op := n.Op(); op == syntax.Or || op == syntax.And || op.IsComparison() {
			return Bool
		}
	case syntax.Call:
		if f := syntax.LookupFunction(n.Name()); f != nil {
			return classNamed(f.Result)
		}
	}
	return Unknown
}

func classNamed(name string) Class {
	for c, s := range classNames {
		if s == name {
			return Class(c)
		}
	}
	return Unknown
}

func classOfValue(v any) Class {
	switch v.(type) {
	case bool:
		return Bool
	case int64:
		return Int
	case float64:
		return Float
	case string:
		return String
	}
	return Unknown
}
