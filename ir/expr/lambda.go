package expr

import syntax "iterion/grammar/expr"

func (e *evaluator) choose(n *syntax.Node) (any, *Error) {
	c, err := e.eval(n.Args[0])
	if err != nil {
		return nil, err
	}
	if Truthy(c) {
		return e.eval(n.Args[1])
	}
	return e.eval(n.Args[2])
}

// combine runs map, filter and reduce.
func (e *evaluator) combine(n *syntax.Node, f *syntax.Function) (any, *Error) {
	lambda := n.Args[f.Lambda]
	if lambda == nil || lambda.Kind != syntax.Lambda || len(lambda.Names) != f.Params || len(lambda.Args) != 1 {
		return nil, fail(n, "argument %d of %s must be a function: write %s", f.Lambda+1, f.Name, f.Signature)
	}
	v, err := e.eval(n.Args[0])
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok && v != nil {
		return nil, fail(n.Args[0], "%s takes a list, not %s", f.Name, kindOf(v))
	}
	if f.Name == "reduce" {
		return e.reduce(n, lambda, list)
	}
	out := []any{}
	for _, element := range list {
		v, err := e.body(n, lambda, element)
		if err != nil {
			return nil, err
		}
		if f.Name == "map" {
			out = append(out, v)
		} else if Truthy(v) {
			out = append(out, element)
		}
	}
	if f.Name == "map" && len(e.locals) > 0 {
		return e.build(n, out)
	}
	return out, nil
}

func (e *evaluator) reduce(n, lambda *syntax.Node, list []any) (any, *Error) {
	acc, err := e.eval(n.Args[1])
	for _, element := range list {
		if err != nil {
			break
		}
		acc, err = e.body(n, lambda, acc, element)
	}
	return acc, err
}

// body evaluates a lambda for one element.
func (e *evaluator) body(n, lambda *syntax.Node, args ...any) (any, *Error) {
	if err := e.visit(n, 1); err != nil {
		return nil, err
	}
	bound := len(e.locals)
	for i, arg := range args {
		e.locals = append(e.locals, local{lambda.Names[i].Name, arg})
	}
	v, err := e.eval(lambda.Args[0])
	e.locals = e.locals[:bound]
	return v, err
}
