package main

import (
	"regexp"
	"strings"
)

const (
	bold    = "1"
	faint   = "2"
	heading = "1;36"
	green   = "32"
	red     = "31"
	yellow  = "33"
	cyan    = "36"
)

// paint colours a text.
func paint(on bool, style, text string) string {
	if !on || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// dressPage turns the Markdown of our pages (headings, paragraphs, lists,
// fenced code, code spans) into what reads well on a terminal.
func dressPage(page string, color bool) string {
	var b strings.Builder
	codeSpan := regexp.MustCompile("`[^`]+`")
	fenced := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		text, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case fenced && line != "":
			line = "    " + paint(color, faint, line)
		case fenced:
		case isHeading && line[0] == '#':
			line = paint(color, heading, text)
		case color:
			line = codeSpan.ReplaceAllStringFunc(line, func(s string) string {
				return paint(color, bold, s[1:len(s)-1])
			})
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
