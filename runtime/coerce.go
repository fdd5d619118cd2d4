package runtime

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// coerce reads launch or answer text as a value of a type.
func coerce(kind, text string) (any, error) {
	trimmed := strings.TrimSpace(text)
	switch kind {
	case "bool":
		if trimmed == "true" || trimmed == "false" {
			return trimmed == "true", nil
		}
		return nil, fmt.Errorf("%q is no bool: write true or false", text)
	case "int":
		i, err := strconv.ParseInt(trimmed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no int", text)
		}
		return i, nil
	case "float":
		f, err := strconv.ParseFloat(trimmed, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, fmt.Errorf("%q is no number", text)
		}
		return f, nil
	case "json":
		if v, err := parseJSON(text); err == nil {
			return v, nil
		}
		return text, nil
	case "string[]":
		return coerceList(trimmed)
	}
	return text, nil
}

// coerceList reads a JSON array of strings, or texts between commas.
func coerceList(text string) (any, error) {
	if strings.HasPrefix(text, "[") {
		v, err := parseJSON(text)
		if err != nil || !isStrings(v) {
			return nil, fmt.Errorf("%q is no JSON array of strings", text)
		}
		return v, nil
	}
	out := []any{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out, nil
}
