package feature

import (
	"strings"

	"iterion/diagnostics/shown"
)

// What a file says is shown as code: it can make no link, no command and no
// heading of a hover, and what would hide or reorder text is spelled out.

// fenced is a text as a block of Markdown, whatever fences it holds itself.
func fenced(language, text string) string {
	fence := ticks(text, 3)
	return fence + language + "\n" + shown.Block(text) + "\n" + fence + "\n"
}

// inline is a text as code in a line of Markdown.
func inline(text string) string {
	if text = shown.Line(text); text == "" {
		return "``"
	}
	fence := ticks(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// ticks are more backticks, and so many at least, than the text has in a row.
func ticks(text string, least int) string {
	fence := strings.Repeat("`", least)
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
