package runtime

import (
	"fmt"

	"iterion/ir"
	"iterion/ir/expr"
)

// dependencies reads which items wait for which, as indexes; nil when the
// router has no `key`. Keys must be there and unique, known and without cycles.
func dependencies(r *ir.Router, items []any) ([][]any, error) {
	if !r.Key.Set() {
		return nil, nil
	}
	at := make(map[string]int, len(items))
	for i, item := range items {
		key := expr.SpelledOut(expr.Member(item, r.Key.V))
		if key == "" {
			return nil, fmt.Errorf("item %d has no %s", i, r.Key.V)
		}
		if other, twice := at[key]; twice {
			return nil, fmt.Errorf("items %d and %d have the same %s %s", other, i, r.Key.V, key)
		}
		at[key] = i
	}
	after := make([][]any, len(items))
	if !r.DependsOn.Set() {
		return after, nil
	}
	for i, item := range items {
		for _, key := range keysOf(expr.Member(item, r.DependsOn.V)) {
			other, known := at[key]
			if !known {
				return nil, fmt.Errorf("item %d depends on %s, which no item is", i, key)
			}
			if other == i {
				return nil, fmt.Errorf("item %d depends on itself", i)
			}
			after[i] = append(after[i], int64(other))
		}
	}
	if i := cyclic(after); i >= 0 {
		return nil, fmt.Errorf("item %d depends on itself through others", i)
	}
	return after, nil
}

// keysOf reads a list of keys, or one key.
func keysOf(v any) []string {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var out []string
	for _, item := range items {
		if key := expr.SpelledOut(item); key != "" {
			out = append(out, key)
		}
	}
	return out
}

// cyclic finds an item on, or behind, a cycle: what is left after taking away,
// again and again, all items whose prerequisites are gone. -1 for none.
func cyclic(after [][]any) int {
	missing := make([]int, len(after))
	waiting := make([][]int, len(after))
	var free []int
	for i, list := range after {
		missing[i] = len(list)
		if len(list) == 0 {
			free = append(free, i)
		}
		for _, other := range list {
			waiting[toInt(other)] = append(waiting[toInt(other)], i)
		}
	}
	for ; len(free) > 0; free = free[1:] {
		for _, i := range waiting[free[0]] {
			if missing[i]--; missing[i] == 0 {
				free = append(free, i)
			}
		}
	}
	for i, n := range missing {
		if n > 0 {
			return i
		}
	}
	return -1
}
