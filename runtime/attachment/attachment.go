// Package attachment takes files that an operator hands to a run: it judges
// them, and copies them by their content, so that what a run reads is what was
// handed over, whatever happens to the original.
package attachment

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"iterion/ir"
)

// Parse reads `name=path` arguments. The error names one without either half,
// and a name given twice.
func Parse(args []string) (map[string]string, error) {
	given := map[string]string{}
	for _, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if !ok || name == "" || path == "" {
			return nil, fmt.Errorf("%q hands over no file; write NAME=PATH", arg)
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("the attachment %s is given twice", name)
		}
		given[name] = path
	}
	return given, nil
}

// Take copies the files given by name for a program's attachments into a folder
// of the run, and returns for each the values that `{{attachments.NAME.…}}`
// reads: path, filename, url, mime, size (int64, in bytes) and sha256 (hex). An
// attachment that was not given is left out; the error names one that the
// program needs, one that it does not know, and a file that is not accepted.
func Take(p *ir.Program, given map[string]string, folder string) (map[string]any, error) {
	declared := map[string]*ir.Attachment{}
	for _, a := range p.Attachments {
		declared[a.Name] = a
		if given[a.Name] == "" && a.Required.V {
			return nil, fmt.Errorf("the program needs the attachment %s: hand it over with --attach %s=PATH", a.Name, a.Name)
		}
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		a := declared[name]
		if a == nil {
			return nil, fmt.Errorf("the program has no attachment %s; %s", name, known(declared))
		}
		f, err := keep(given[name], folder, func(mime string) error { return accepts(a, mime) })
		if err != nil {
			return nil, fmt.Errorf("the attachment %s: %w", name, err)
		}
		out[name] = f.facts()
	}
	return out, nil
}

func known(declared map[string]*ir.Attachment) string {
	if len(declared) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(slices.Sorted(maps.Keys(declared)), ", ")
}

// accepts tells why an attachment may not have a media type.
func accepts(a *ir.Attachment, mime string) error {
	if a.Type == "image" && !strings.HasPrefix(mime, "image/") {
		return fmt.Errorf("it must be an image, and its content is %s", mime)
	}
	wanted := ir.Strings(a.AcceptMIME)
	if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(w string) bool { return matches(w, mime) }) {
		return fmt.Errorf("its content is %s, and only %s is accepted", mime, strings.Join(wanted, ", "))
	}
	return nil
}

// matches tells whether `type/subtype`, each of which may be `*`, covers a media
// type.
func matches(wanted, mime string) bool {
	wantKind, wantSub, _ := strings.Cut(strings.ToLower(strings.TrimSpace(wanted)), "/")
	kind, sub, _ := strings.Cut(mime, "/")
	covers := func(want, got string) bool { want = strings.TrimSpace(want); return want == "*" || want == got }
	return covers(wantKind, kind) && covers(wantSub, sub)
}

// Answer reads a text that a person answers for a field. `@path` hands over a
// file, which is copied into a folder of the run and becomes the value of a
// field of type `file`: path, filename, mime, size, sha256 and attachment (the
// field). `@@` is a literal `@` in front of text; any other text is itself.
func Answer(field, text, folder string) (any, error) {
	path, isFile := strings.CutPrefix(text, "@")
	switch {
	case !isFile:
		return text, nil
	case strings.HasPrefix(path, "@"):
		return path, nil
	case path == "":
		return nil, fmt.Errorf("the answer %s: `@` names no file; write @PATH, or @@ for a literal @", field)
	}
	f, err := keep(path, folder, func(string) error { return nil })
	if err != nil {
		return nil, fmt.Errorf("the answer %s: %w", field, err)
	}
	facts := f.facts()
	delete(facts, "url")
	facts["attachment"] = field
	return facts, nil
}

// file is a copy in the run's folder.
type file struct {
	path, name, mime, sha256 string
	size                     int64
}

func (f file) facts() map[string]any {
	path := filepath.ToSlash(f.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return map[string]any{
		"path": f.path, "filename": f.name, "url": (&url.URL{Scheme: "file", Path: path}).String(),
		"mime": f.mime, "size": f.size, "sha256": f.sha256,
	}
}
