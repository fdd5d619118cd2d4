package runtime

import (
	"maps"
	"slices"
)

// Readers of an event's data. What is missing or of another kind reads as
// zero: a log may come from another build.

func text(d map[string]any, key string) string { s, _ := d[key].(string); return s }

func flag(d map[string]any, key string) bool { b, _ := d[key].(bool); return b }

func object(d map[string]any, key string) map[string]any {
	m, _ := d[key].(map[string]any)
	return m
}

func list(d map[string]any, key string) []any { l, _ := d[key].([]any); return l }

func whole(d map[string]any, key string) int64 { return toInt(d[key]) }

func number(d map[string]any, key string) float64 {
	switch v := d[key].(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return 0
}

func toInt(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

func names(d map[string]any, key string) []string {
	var out []string
	for _, v := range list(d, key) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func anys[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

func anyMap(in map[string]string) map[string]any {
	out := make(map[string]any, len(in))
	for k, v := range in {
		out[k] = v
	}
	return out
}

// merged returns a new map with the entries of all, later ones winning.
func merged(maps ...map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
