package bottest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"iterion/ir/expr"
)

// differ compares a value with what is wanted of it, and names each part that is
// another. Of an object only the wanted fields count; a list counts as a whole.
func differ(at string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		var list []string
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, ok := got[key]
			if !ok {
				list = append(list, wrong(at+"."+key, spell(want[key]), "no such field; there are "+named(got)))
				continue
			}
			list = append(list, differ(at+"."+key, want[key], value)...)
		}
		return list
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		var list []string
		for i := range want {
			list = append(list, differ(fmt.Sprintf("%s[%d]", at, i), want[i], got[i])...)
		}
		return list
	default:
		if expr.Equal(want, got) {
			return nil
		}
	}
	return []string{wrong(at, spell(want), spell(got))}
}

func named(fields map[string]any) string {
	own := slices.DeleteFunc(slices.Sorted(maps.Keys(fields)), func(name string) bool { return strings.HasPrefix(name, "_") })
	if len(own) == 0 {
		return "none"
	}
	return strings.Join(own, ", ")
}

// wrong is a problem: what was wanted below what came, where it is read best.
func wrong(what, want, got string) string {
	return fmt.Sprintf("%s:\n    want %s\n    got  %s", what, want, got)
}

// spell writes a value as JSON.
func spell(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// brief cuts a text to what a line of a report can hold.
func brief(text string) string {
	const most = 120
	if short := []rune(text); len(short) > most {
		return string(short[:most-1]) + "…"
	}
	return text
}

// follows tells whether a path is one that is wanted. An ellipsis stands for any
// number of nodes.
func follows(want, path []string) bool {
	if len(want) == 0 {
		return len(path) == 0
	}
	if slices.Contains(anyNodes, want[0]) {
		for skip := range len(path) + 1 {
			if follows(want[1:], path[skip:]) {
				return true
			}
		}
		return false
	}
	return len(path) > 0 && path[0] == want[0] && follows(want[1:], path[1:])
}

func arrows(path []string) string {
	if len(path) == 0 {
		return "nothing"
	}
	return strings.Join(path, " → ")
}
