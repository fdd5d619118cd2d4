package gate

import (
	"slices"
	"strings"
)

// pathKeys are the keys of an input that hold a path, whichever tool it is.
var pathKeys = []string{"file_path", "path", "filePath", "notebook_path", "target_file", "target_directory", "uri"}

// filePaths lists the paths that a call carries. It is not ok when one of them
// is no text, or there is none.
func (a *arguments) filePaths() (list []string, ok bool) {
	ok = !a.unread
	add := func(value any) {
		if text, is := value.(string); is {
			list = append(list, text)
		} else {
			ok = false
		}
	}
	for i := range a.fields {
		switch f := &a.fields[i]; {
		case slices.Contains(pathKeys, f.key):
			add(f.value())
		case f.key == "paths":
			several, is := f.other.([]any)
			ok = ok && is
			for _, v := range several {
				add(v)
			}
		case f.key == "edits":
			for _, v := range editPaths(f.other) {
				add(v)
			}
		}
	}
	return list, ok && len(list) > 0
}

// editPaths are the paths of a list of edits.
func editPaths(value any) (list []any) {
	edits, _ := value.([]any)
	for _, e := range edits {
		if edit, is := e.(map[string]any); is {
			if v, there := edit["file_path"]; there {
				list = append(list, v)
			}
		}
	}
	return list
}

// contentKeys hold what is written to a file that the call names beside it. A
// patch in them is text.
var contentKeys = []string{
	"content", "contents", "file_text", "text", "old_string", "new_string", "old_str", "new_str", "insert_text",
	"oldString", "newString", "oldText", "newText", "old_text", "new_text", "edits",
}

// patched lists the files of the patches that an input's texts hold, each with
// the readings of its name: those of a unified diff stand behind `a/` or `b/`.
// named tells that the call names a file beside.
func (a *arguments) patched(named bool) (files [][]string) {
	var visit func(value any)
	visit = func(value any) {
		switch v := value.(type) {
		case string:
			files = append(files, patchFiles(v)...)
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for _, e := range v {
				visit(e)
			}
		}
	}
	for i := range a.fields {
		if f := &a.fields[i]; !named || !slices.Contains(contentKeys, f.key) {
			visit(f.value())
		}
	}
	return files
}

// patchMarks begin the lines of a patch that name a file.
var patchMarks = []string{
	"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** Move File: ",
	"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ",
}

func patchFiles(text string) (files [][]string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\r"), " \t")
		for _, mark := range patchMarks {
			name, ok := strings.CutPrefix(line, mark)
			if !ok {
				continue
			}
			if mark == "--- " || mark == "+++ " {
				name, _, _ = strings.Cut(name, "\t")
			}
			if name = strings.TrimSpace(name); name != "" && name != "/dev/null" {
				files = append(files, patchNames(name, mark))
			}
			break
		}
	}
	return files
}

func patchNames(name, mark string) []string {
	if rest, ok := strings.CutPrefix(name, "a/"); ok && mark[0] != '*' {
		return []string{name, rest}
	}
	if rest, ok := strings.CutPrefix(name, "b/"); ok && mark[0] != '*' {
		return []string{name, rest}
	}
	return []string{name}
}
