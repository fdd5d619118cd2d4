package gate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// RepeatedKey finds a key of a JSON object that stands twice, in whatever case;
// "" when there is none, and for what is no whole object. Which of its values
// counts would depend on the reader.
func RepeatedKey(object []byte) string {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	var seen []string
	for dec.More() {
		token, _ := dec.Token()
		key, ok := token.(string)
		var value json.RawMessage
		if !ok || dec.Decode(&value) != nil {
			return ""
		}
		if slices.ContainsFunc(seen, func(k string) bool { return strings.EqualFold(k, key) }) {
			return key
		}
		seen = append(seen, key)
	}
	return ""
}
