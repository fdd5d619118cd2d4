package expr

import "strings"

// TextRender is a value in a prompt, a message or a mapping with text around
// it.
func TextRender(v any) string { return SpelledOut(v) }

// ScriptLiteral is a value in a tool's script: a JSON literal, which most
// languages read; nil is null.
func ScriptLiteral(v any) string { return compactJSON(v) }

// ShellWord quotes text as one word of a POSIX shell.
func ShellWord(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// ShellRender is a value in a tool's command: quoted words. declared is the
// type that the value's own declaration names ("json", "string[]"), "" for none;
// other types read like none. It gives false where the reference has to stay
// as written, so that the shell fails visibly: for nil, unless it is json's
// null.
func ShellRender(v any, declared string) (string, bool) {
	if declared == "json" {
		if text, ok := v.(string); ok {
			return ShellWord(text), true
		}
		return ShellWord(compactJSON(v)), true
	}
	switch v := v.(type) {
	case nil:
		return "", false
	case []any:
		if declared == "string[]" || allScalars(v) {
			return shellWords(v), true
		}
		return ShellWord(compactJSON(v)), true
	}
	return ShellWord(SpelledOut(v)), true
}

func shellWords(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = ShellWord(SpelledOut(v))
	}
	return strings.Join(words, " ")
}

func allScalars(list []any) bool {
	for _, v := range list {
		switch v.(type) {
		case nil, []any, map[string]any:
			return false
		}
	}
	return true
}
