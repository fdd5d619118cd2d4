package diagnostics

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// Example is a program of a page: all code blocks of one section together.
type Example struct {
	Fails  bool          // gives exactly the page's code; otherwise nothing at all
	Beside Code          // a code that it gives as well, "" for none
	Stdin  bool          // is given without a file name
	Files  []ExampleFile // the main file first

	Folder string // name of the bundle's folder
	Engine string // the release that the bundle is held against
	Editor bool   // read by an editor
}

// ExampleFile is one file of an example.
type ExampleFile struct {
	Name string // slash-separated, relative to the main file's folder
	Text string // may hold any bytes
}

// Examples returns the programs of a code's page, in page order. The info
// string of a block says what it is: `bot ok` or `bot fails=CODE`, then
// `beside=CODE` for a second finding, `file=NAME` for a file of several or of
// another kind, `bytes=1` where <<FF>> stands for the byte of that hexadecimal
// number, and `stdin=1`. Of a bundle: `dir=NAME`, the name of its folder,
// `engine=VERSION`, and `mode=editor`.
func Examples(code Code) []Example {
	page, _ := Page(code)
	var list []Example
	open := false // whether the section at hand has an example already
	for lines := strings.Split(page, "\n"); len(lines) > 0; {
		line := lines[0]
		lines = lines[1:]
		switch {
		case strings.HasPrefix(line, "## "):
			open = false
		case strings.HasPrefix(line, "```"):
			var body string
			body, lines = fenced(lines)
			if info := infoOf(line); info.example {
				if !open {
					list = append(list, Example{Fails: info.fails, Beside: info.beside, Stdin: info.stdin})
					open = true
				}
				list[len(list)-1].add(info, body)
			}
		}
	}
	return list
}

// add adds a block. An option counts for the whole example.
func (e *Example) add(info blockInfo, body string) {
	e.Files = append(e.Files, info.file(body))
	e.Folder, e.Engine, e.Editor = cmp.Or(info.folder, e.Folder), cmp.Or(info.engine, e.Engine), e.Editor || info.editor
}

// fenced returns the text up to the closing fence and the lines after it.
func fenced(lines []string) (body string, rest []string) {
	for i, line := range lines {
		if line == "```" {
			return strings.Join(lines[:i], "\n") + "\n", lines[i+1:]
		}
	}
	return strings.Join(lines, "\n"), nil
}

// blockInfo is a parsed info string.
type blockInfo struct {
	example, fails, stdin, bytes bool
	name                         string
	folder, engine               string
	editor                       bool
	beside                       Code
}

func infoOf(fence string) blockInfo {
	info := blockInfo{name: "main.bot"}
	for _, word := range strings.Fields(fence) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "ok":
			info.example = true
		case "fails":
			info.example, info.fails = true, true
		case "beside":
			info.beside = Code(value)
		case "file":
			info.name = value
		case "bytes":
			info.bytes = true
		case "stdin":
			info.stdin = true
		case "dir":
			info.folder = value
		case "engine":
			info.engine = value
		case "mode":
			info.editor = value == "editor"
		}
	}
	return info
}

func (b blockInfo) file(text string) ExampleFile {
	if b.bytes {
		text = regexp.MustCompile(`<<[0-9A-F]{2}>>`).ReplaceAllStringFunc(text, rawByte)
	}
	return ExampleFile{Name: b.name, Text: text}
}

// rawByte turns a marker such as <<FF>> into the byte it stands for.
func rawByte(marker string) string {
	n, err := strconv.ParseUint(marker[2:4], 16, 8)
	if err != nil {
		return marker
	}
	return string([]byte{byte(n)})
}
