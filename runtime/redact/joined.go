package redact

import "strings"

// seams are the bytes that break a spelling into lines. Encoders do so, and what
// prints the lines may indent them. With written, breaks written as `\n` (JSON,
// however deep) are seams too; that is a reading of its own, for in `\naGk=` the
// n may as well be the first digit. No needle that is looked for in this way
// holds a break: their alphabet is that of base64.
type seams struct{ written bool }

// scanSeams adds to what is found all that is found over seams.
func (a *automaton) scanSeams(text string, found []span) []span {
	if strings.IndexByte(text, '\n') >= 0 || strings.IndexByte(text, '\r') >= 0 {
		found = append(found, a.scanJoined(text, seams{})...)
	}
	if strings.IndexByte(text, '\\') >= 0 {
		found = append(found, a.scanJoined(text, seams{written: true})...)
	}
	return found
}

// scanJoined is scan over the text without its seams.
func (a *automaton) scanJoined(text string, by seams) (spans []span) {
	if len(a.nodes) == 0 {
		return nil
	}
	at, indent := int32(0), false // indent: only seams since the last break
	for i := 0; i < len(text); i++ {
		if at == 0 {
			for i+1 < len(text) && !by.breaks(text[i+1]) && !a.begins(text[i], text[i+1]) {
				i++
			}
		}
		if by.holds(text, i) || indent && (text[i] == ' ' || text[i] == '\t') {
			indent = true
			continue
		}
		indent = false
		at = a.step(at, text[i])
		if n := &a.nodes[at]; n.length != 0 {
			spans = push(spans, span{by.start(text, i, int(n.length)), i + 1, int(n.length), int(n.owner)})
		}
	}
	return spans
}

// breaks tells whether a byte begins a break.
func (s seams) breaks(b byte) bool { return b == '\n' || b == '\r' || s.written && b == '\\' }

// holds tells whether the byte at i is a part of a break.
func (s seams) holds(text string, i int) bool {
	return s.breaks(text[i]) || s.written && (text[i] == 'n' || text[i] == 'r') && i > 0 && text[i-1] == '\\'
}

// start walks back from the last byte of a needle over its length. All that lies
// between and is not of the alphabet is a seam.
func (s seams) start(text string, last, length int) int {
	for i := last; ; i-- {
		if encoded(text[i]) && !s.holds(text, i) {
			length--
		}
		if length == 0 {
			return i
		}
	}
}

// encoded tells whether a byte is of the alphabets of base64 and hex.
func encoded(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' ||
		b == '+' || b == '/' || b == '=' || b == '-' || b == '_'
}
