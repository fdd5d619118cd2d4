package serve

import (
	"encoding/json"
	"strings"
)

// imageWeight is about what an image counts for, in bytes of text.
const imageWeight = 1600 * 4

// weight is the size of a request as its tokens are estimated from. An image is
// not a text of its base64: a client would take its window for full.
func weight(body []byte) int {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return len(body)
	}
	return len(body) + lighter(v)
}

// lighter is what the images in a value change in its size.
func lighter(v any) (change int) {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "data:image/") {
			return imageWeight - len(v)
		}
	case []any:
		for _, entry := range v {
			change += lighter(entry)
		}
	case map[string]any:
		if data, ok := v["data"].(string); ok && v["type"] == "base64" { // of Messages
			return imageWeight - len(data)
		}
		for _, entry := range v {
			change += lighter(entry)
		}
	}
	return change
}
