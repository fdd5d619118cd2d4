package diagnostics

import "embed"

//go:embed pages/*.md
var pageFiles embed.FS

// Page returns the explanation of a code as Markdown.
func Page(code Code) (string, bool) {
	text, err := pageFiles.ReadFile("pages/" + string(code) + ".md")
	return string(text), err == nil
}
