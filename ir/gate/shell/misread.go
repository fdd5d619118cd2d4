package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// misread says why a text is not read, "" when it is: where the parser and bash
// part ways about the end of a here-document, one runs what the other takes for
// its body. Bash joins the lines of a
// body before it looks for the end; in a substitution, a line that only begins
// with the delimiter ends it, and so does a closing backquote. Of a pattern with
// alternatives the parser reads no substitutions.
func misread(src string, file *syntax.File) string {
	if body := strings.TrimRight(src, `\`); (len(src)-len(body))%2 == 1 {
		return "it ends with a backslash" // bash keeps it or drops it
	}
	if !strings.Contains(src, "<<") && !strings.Contains(src, "(") {
		return ""
	}
	return misreadPart(src, file)
}

func misreadPart(src string, file *syntax.File) (why string) {
	var around []syntax.Node // what is open, from the outside
	inside, backquotes := 0, 0
	count := func(n syntax.Node, by int) {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			inside += by
			if n.Backquotes {
				backquotes += by
			}
		case *syntax.ProcSubst:
			inside += by
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			last := len(around) - 1
			count(around[last], -1)
			around = around[:last]
			return true
		}
		switch n := n.(type) {
		case *syntax.ExtGlob:
			if strings.ContainsAny(n.Pattern.Value, "$`<>") {
				why = "a pattern in it holds a substitution"
			}
		case *syntax.Redirect:
			if n.Op != syntax.Hdoc && n.Op != syntax.DashHdoc {
				break
			}
			if backquotes > 0 || !endsAlike(n, src, inside > 0) {
				why = "bash may end a here-document in it elsewhere"
			}
		}
		if why != "" {
			return false
		}
		around = append(around, n)
		count(n, 1)
		return true
	})
	return why
}

// endsAlike tells whether bash finds the end of a here-document where the
// parser does.
func endsAlike(rd *syntax.Redirect, src string, inside bool) bool {
	delimiter, quoted, ok := delimiterOf(rd.Word)
	if !ok || delimiter == "" || strings.Contains(delimiter, "\n") {
		return false
	}
	if rd.Hdoc == nil {
		return true
	}
	from, to := rd.Hdoc.Pos().Offset(), rd.Hdoc.End().Offset()
	if from > to || to > uint(len(src)) {
		return false
	}
	body := src[from:to]
	last := strings.LastIndexByte(body, '\n') + 1
	if strings.TrimLeft(body[last:], "\t") != delimiter {
		return false
	}
	body = body[:last]
	// The parser's body begins behind a first line that is joined to it.
	if !quoted && (strings.Contains(body, "\\\n") || strings.HasSuffix(src[:from], "\\\n")) {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if inside && strings.HasPrefix(strings.TrimLeft(line, "\t"), delimiter) {
			return false
		}
	}
	return true
}

// delimiterOf is the word that ends a here-document.
func delimiterOf(w *syntax.Word) (text string, quoted, ok bool) {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			quoted = quoted || strings.Contains(p.Value, `\`)
			text += strings.ReplaceAll(p.Value, `\`, "")
		case *syntax.SglQuoted:
			quoted = true
			text += p.Value
		case *syntax.DblQuoted:
			quoted = true
			for _, inner := range p.Parts {
				lit, is := inner.(*syntax.Lit)
				if !is || strings.Contains(lit.Value, `\`) {
					return "", true, false
				}
				text += lit.Value
			}
		default:
			return "", false, false
		}
	}
	return text, quoted, true
}
