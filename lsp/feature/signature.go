package feature

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/grammar/expr"
	"iterion/grammar/lexer"
	"iterion/lsp/session"
)

// SignatureTriggers are the characters behind which the arguments of a function
// are shown.
var SignatureTriggers = []string{"(", ","}

// SignatureHelp is textDocument/signatureHelp: the function of an expression
// whose arguments the cursor stands among. Elsewhere there is none.
func SignatureHelp(_ context.Context, s *session.Snapshot, p *protocol.SignatureHelpParams) (*protocol.SignatureHelp, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := siteAt(f, f.Offset(p.Position))
	if at == nil || at.comment || at.literal == nil {
		return nil, nil
	}
	c := &completer{site: at}
	if r := c.reading(); !r.expression {
		return nil, nil
	}
	name, argument := openCall(at.content())
	function := expr.LookupFunction(name)
	if function == nil {
		return nil, nil
	}
	return signatures(function, argument), nil
}

// openCall is the innermost call whose parenthesis is open at the end of an
// expression's text, and which argument is being written, from 0.
func openCall(text string) (name string, argument int) {
	type call struct {
		name     string
		argument int
	}
	var open []call
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\'', '"':
			if end := closing(text, i); end > i {
				i = end
			} else {
				i = len(text)
			}
		case '(', '[', '{':
			open = append(open, call{name: nameBefore(text[:i])})
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		case ',':
			if n := len(open); n > 0 {
				open[n-1].argument++
			}
		}
	}
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].name != "" {
			return open[i].name, open[i].argument
		}
	}
	return "", 0
}

// closing is where a string ends that begins at i; i itself when it does not.
func closing(text string, i int) int {
	for end := i + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case text[i]:
			return end
		}
	}
	return i
}

// nameBefore is the name that a text ends with.
func nameBefore(text string) string {
	text = strings.TrimRight(text, " \t")
	from := len(text)
	for from > 0 && lexer.WordEnd(text, from-1) == len(text) {
		from--
	}
	return text[from:]
}

// signatures lists the ways to call a function.
func signatures(f *expr.Function, argument int) *protocol.SignatureHelp {
	out := &protocol.SignatureHelp{ActiveParameter: uint32(argument)}
	for _, label := range strings.Split(f.Signature, " or ") {
		s := protocol.SignatureInformation{Label: label, Documentation: f.Doc, ActiveParameter: uint32(argument)}
		for _, p := range parametersOf(label) {
			s.Parameters = append(s.Parameters, protocol.ParameterInformation{Label: p})
		}
		if last := len(s.Parameters) - 1; f.Max == expr.Many && argument > last {
			s.ActiveParameter = uint32(max(0, last))
		}
		if argument >= len(s.Parameters) && f.Max == expr.Many {
			out.ActiveParameter = s.ActiveParameter
		}
		if argument > 0 && len(s.Parameters) > 1 {
			out.ActiveSignature = uint32(len(out.Signatures))
		}
		out.Signatures = append(out.Signatures, s)
	}
	return out
}

// parametersOf cuts the parameters out of a signature.
func parametersOf(signature string) (list []string) {
	_, inner, _ := strings.Cut(signature, "(")
	inner = strings.TrimSuffix(inner, ")")
	depth, from := 0, 0
	for i := range len(inner) {
		switch inner[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(inner[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(inner[from:]))
}
