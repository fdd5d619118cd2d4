package lsp_test

import (
	"fmt"
	"strings"
)

// completionText shows a completion list in a line an item, in the client's
// order: its label, and its text where that is another. The range that they
// replace stands first; an item that replaces another one says so.
func completionText(v any) (string, bool) {
	list, ok := v.(map[string]any)
	items, isList := list["items"].([]any)
	if _, complete := list["isIncomplete"]; !ok || !isList || !complete {
		return "", false
	}
	var b strings.Builder
	if list["isIncomplete"] == true {
		b.WriteString("incomplete\n")
	}
	common := ""
	for _, i := range items {
		item := i.(map[string]any)
		edit := item["textEdit"].(map[string]any)
		at, _ := placeText(edit["range"].(map[string]any))
		if common == "" {
			common = at
			fmt.Fprintf(&b, "replaces %s\n", at)
		}
		fmt.Fprintf(&b, "%v", item["label"])
		if edit["newText"] != item["label"] {
			fmt.Fprintf(&b, " -> %q", edit["newText"])
		}
		if at != common {
			fmt.Fprintf(&b, " replaces %s", at)
		}
		b.WriteByte('\n')
	}
	if len(items) == 0 {
		return "nothing\n", true
	}
	return b.String(), true
}
