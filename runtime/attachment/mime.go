package attachment

import (
	"net/http"
	"path/filepath"
	"strings"
)

// sniffed is how many bytes of a file tell its media type.
const sniffed = 512

// refined says what a file's ending makes of a media type that its content
// shows. Content decides: an ending tells kinds of text and of archives apart,
// and never makes an image of a text.
var refined = map[string]map[string]string{
	"text/plain": {
		".md": "text/markdown", ".markdown": "text/markdown", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
		".json": "application/json", ".jsonl": "application/jsonl", ".yaml": "application/yaml", ".yml": "application/yaml",
		".toml": "application/toml", ".xml": "text/xml", ".html": "text/html", ".htm": "text/html", ".css": "text/css",
		".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml", ".ics": "text/calendar",
	},
	"text/xml": {".svg": "image/svg+xml"},
	"application/zip": {
		".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
		".odt":  "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
		".epub": "application/epub+zip",
	},
}

// mimeOf returns the media type of a file by its first bytes and its ending,
// without parameters.
func mimeOf(path string, head []byte) string {
	mime, _, _ := strings.Cut(http.DetectContentType(head), ";")
	better := refined[mime][strings.ToLower(filepath.Ext(path))]
	if better == "image/svg+xml" && !strings.Contains(string(head), "<svg") {
		return mime
	}
	if better != "" {
		return better
	}
	return mime
}
