package runtime

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/expr"
)

// treeNoise is what `run.tree_noise` and ITERION_TREE_NOISE hold: git
// pathspecs that leave out what no change set should show.
const treeNoise = ":!.iterion :!node_modules :!vendor :!dist :!target :!__pycache__"

// view is what texts and expressions of one scope can read.
type view struct {
	p     *plan
	s     *State
	scope *Scope
	input map[string]any
	files map[string]string // of secrets, by name
	now   time.Time
}

// Lookup implements expr.Env.
func (v view) Lookup(path []string) (any, bool) {
	return v.find(path[0], path[1:])
}

// ref resolves a template's reference.
func (v view) ref(r ir.Ref) (any, bool) { return v.find(r.Namespace, r.Path) }

func (v view) find(namespace string, path []string) (any, bool) {
	switch namespace {
	case "vars":
		return walk(v.s.Vars, path)
	case "input":
		return walk(v.input, path)
	case "outputs":
		return v.output(path)
	case "artifacts":
		return v.artifact(path)
	case "loop":
		return v.loop(path)
	case "each":
		return v.each(path)
	case "run":
		return v.run(path)
	case "secrets":
		if len(path) == 2 && path[1] == "path" {
			file, ok := v.files[path[0]]
			return file, ok
		}
	case "attachments":
		return v.attachment(path)
	}
	return nil, false
}

// walk reads members and tells a missing one from one that holds nil.
func walk(value any, path []string) (any, bool) {
	for _, name := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = m[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

func (v view) output(path []string) (any, bool) {
	id, rest, ok := nodeAt(v.p.Program, path)
	if !ok {
		return nil, false
	}
	if len(rest) > 0 && rest[0] == "history" {
		return walk(v.history(id), rest[1:])
	}
	value, ok := v.s.output(v.scope.ID, id)
	if !ok {
		return nil, false
	}
	return walk(value, rest)
}

func (v view) history(id string) any {
	for sc := range v.s.scopes(v.scope.ID) {
		if h, ok := sc.History[id]; ok {
			return h[:len(h):len(h)]
		}
	}
	return []any{}
}

func (v view) artifact(path []string) (any, bool) {
	if len(path) == 0 {
		return nil, false
	}
	for sc := range v.s.scopes(v.scope.ID) {
		if a, ok := sc.Artifacts[path[0]]; ok {
			return walk(a.Value, path[1:])
		}
	}
	return nil, false
}

// loop reads a loop's state. Before the first crossing previous_output is
// there and empty, so that a prompt shows nothing in its place.
func (v view) loop(path []string) (any, bool) {
	if len(path) < 2 || v.p.uses[path[0]] == nil {
		return nil, false
	}
	l := v.s.loop(v.scope.ID, path[0])
	switch path[1] {
	case "iteration":
		return l.Count, true
	case "max":
		limit, err := v.loopCap(v.p.uses[path[0]])
		if err != nil || limit < 0 {
			return nil, true
		}
		return limit, true
	case "previous_output":
		return expr.Member(l.Previous, path[2:]...), true
	}
	return nil, false
}

// each reads a foreach's state.
func (v view) each(path []string) (any, bool) {
	if len(path) < 2 {
		return nil, false
	}
	if _, ok := v.p.each[path[0]]; !ok {
		return nil, false
	}
	items, index := v.collection(path[0]), v.s.loop(v.scope.ID, path[0]).Count
	count := int64(len(items))
	switch path[1] {
	case "item":
		if index >= count {
			return nil, true
		}
		return walk(items[index], path[2:])
	case "index":
		return index, true
	case "count":
		return count, true
	case "first":
		return index == 0, true
	case "last":
		return index+1 >= count, true
	case "empty":
		return count == 0, true
	}
	return nil, false
}

// collection is a foreach's list as it is now.
func (v view) collection(name string) []any {
	ref, ok := v.p.each[name].Whole()
	if !ok {
		return nil
	}
	value, _ := v.ref(ref)
	items, _ := asList(value)
	return items
}

// asList reads a list, or a string that holds a JSON array.
func asList(value any) ([]any, bool) {
	switch value := value.(type) {
	case []any:
		return value, true
	case string:
		parsed, err := parseJSON(value)
		items, ok := parsed.([]any)
		return items, err == nil && ok
	}
	return nil, false
}

// parseJSON reads one JSON value that is the whole text.
func parseJSON(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var raw any
	if err := dec.Decode(&raw); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("text stands behind the JSON value")
	}
	return expr.Normalize(raw)
}

func (v view) run(path []string) (any, bool) {
	if len(path) != 1 {
		return nil, false
	}
	l, used := v.p.limits, v.s.Usage
	if !l.declared {
		used = Usage{}
	}
	switch path[0] {
	case "id":
		return v.s.RunID, true
	case "elapsed_seconds":
		return v.s.Elapsed(v.now).Seconds(), true
	case "cost_usd":
		return used.CostUSD, true
	case "tokens":
		return used.Tokens, true
	case "iterations":
		return used.Iterations, true
	case "max_duration_seconds":
		return l.Duration.Seconds(), true
	case "max_cost_usd":
		return l.CostUSD, true
	case "max_tokens":
		return l.Tokens, true
	case "max_iterations":
		return l.Iterations, true
	case "tree_noise":
		return treeNoise, true
	}
	return nil, false
}

// attachment reads a file's facts; the bare name is its path.
func (v view) attachment(path []string) (any, bool) {
	if len(path) == 1 {
		path = []string{path[0], "path"}
	}
	return walk(v.s.Attachments, path)
}
