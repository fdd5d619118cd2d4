package expr

import (
	"cmp"
	"fmt"
	"math"

	syntax "iterion/grammar/expr"
)

// apply computes one binary operator other than && and ||. A problem that is
// not empty says why it cannot.
func apply(op syntax.Op, a, b any) (v any, problem string) {
	switch {
	case op == syntax.Eq:
		return Equal(a, b), ""
	case op == syntax.Ne:
		return !Equal(a, b), ""
	case op.IsComparison():
		return order(op, a, b)
	}
	if op == syntax.Add {
		if text, ok := concatText(a, b); ok {
			if len(text) > MaxText {
				return nil, tooLong
			}
			return text, ""
		}
	}
	if !isNumber(a) || !isNumber(b) {
		return nil, operands(op, "numbers", a, b)
	}
	return arithmetic(op, a, b)
}

var tooLong = fmt.Sprintf("the text grows beyond %d bytes", MaxText)

func operands(op syntax.Op, wanted string, a, b any) string {
	if op == syntax.Add {
		wanted = "numbers, or a string and a string or number"
	}
	return fmt.Sprintf("%s takes %s, not %s and %s", op, wanted, kindOf(a), kindOf(b))
}

func order(op syntax.Op, a, b any) (any, string) {
	var c int
	x, xText := a.(string)
	y, yText := b.(string)
	switch {
	case xText && yText:
		c = cmp.Compare(x, y)
	case isNumber(a) && isNumber(b):
		c = compareNumbers(a, b)
	default:
		return nil, operands(op, "two numbers or two strings", a, b)
	}
	switch op {
	case syntax.Lt:
		return c < 0, ""
	case syntax.Le:
		return c <= 0, ""
	case syntax.Gt:
		return c > 0, ""
	}
	return c >= 0, ""
}

// concatText joins a string with a string or a number.
func concatText(a, b any) (string, bool) {
	_, aText := a.(string)
	_, bText := b.(string)
	if aText && (bText || isNumber(b)) || bText && isNumber(a) {
		return SpelledOut(a) + SpelledOut(b), true
	}
	return "", false
}

// arithmetic computes in ints when both operands are, or are floats without
// fraction, and in floats otherwise.
func arithmetic(op syntax.Op, a, b any) (any, string) {
	x, xInt := toInt(a)
	y, yInt := toInt(b)
	if xInt && yInt {
		return intArithmetic(op, x, y)
	}
	return floatArithmetic(op, toFloat(a), toFloat(b))
}

const (
	overflow = "the result does not fit in 64 bits"
	byZero   = "division by zero"
)

func intArithmetic(op syntax.Op, x, y int64) (any, string) {
	switch op {
	case syntax.Add:
		sum := x + y
		return checked(sum, (sum > x) == (y > 0))
	case syntax.Sub:
		diff := x - y
		return checked(diff, (diff < x) == (y > 0))
	case syntax.Mul:
		return multiply(x, y)
	}
	if y == 0 {
		return nil, byZero
	}
	switch op {
	case syntax.Div:
		return checked(x/y, x != math.MinInt64 || y != -1)
	case syntax.Mod:
		return x % y, ""
	}
	return nil, "unknown operator"
}

func multiply(x, y int64) (any, string) {
	if x == 0 || y == 0 {
		return int64(0), ""
	}
	product := x * y
	overflows := product/y != x || x == -1 && y == math.MinInt64 || y == -1 && x == math.MinInt64
	return checked(product, !overflows)
}

func checked(v int64, ok bool) (any, string) {
	if !ok {
		return nil, overflow
	}
	return v, ""
}

func floatArithmetic(op syntax.Op, x, y float64) (any, string) {
	var v float64
	switch op {
	case syntax.Add:
		v = x + y
	case syntax.Sub:
		v = x - y
	case syntax.Mul:
		v = x * y
	case syntax.Div:
		if y == 0 {
			return nil, byZero
		}
		v = x / y
	case syntax.Mod:
		return nil, "% takes ints, not a number with a fraction"
	default:
		return nil, "unknown operator"
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, "the result is out of range"
	}
	return v, ""
}

func negate(v any) (any, string) {
	switch v := v.(type) {
	case int64:
		return checked(-v, v != math.MinInt64)
	case float64:
		return -v, ""
	}
	return nil, "- takes a number, not " + kindOf(v)
}
