package trace

// The parts of an event's data, their zero value where they are missing or of
// another type.

func text(d map[string]any, key string) string {
	s, _ := d[key].(string)
	return s
}

func flag(d map[string]any, key string) bool {
	b, _ := d[key].(bool)
	return b
}

func whole(d map[string]any, key string) int64 {
	switch n := d[key].(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}

func number(d map[string]any, key string) float64 {
	switch n := d[key].(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

func object(d map[string]any, key string) map[string]any {
	m, _ := d[key].(map[string]any)
	return m
}

func list(d map[string]any, key string) []any {
	l, _ := d[key].([]any)
	return l
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
