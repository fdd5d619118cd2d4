package session

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// PathOf is the file that a URI names, cleaned. It is not ok for a text that
// has no file.
func PathOf(name protocol.DocumentURI) (path string, ok bool) {
	u, err := url.Parse(string(name))
	if err != nil || !strings.EqualFold(u.Scheme, uri.FileScheme) || u.Path == "" {
		return "", false
	}
	path = u.Path
	if runtime.GOOS == "windows" { // file:///c%3A/x names C:\x, whatever the case of its letter
		path = strings.TrimPrefix(path, "/")
		if len(path) > 1 && path[1] == ':' {
			path = strings.ToUpper(path[:1]) + path[1:]
		}
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// KeyOf is the name under which a text is known, however its URI is spelled.
func KeyOf(name protocol.DocumentURI) string {
	if path, ok := PathOf(name); ok {
		return path
	}
	return string(name)
}
