package toolrun

import (
	"fmt"
	"unicode/utf8"
)

// longestResult bounds what one call gives the model, in bytes.
const longestResult = 256 << 10

// cut shortens a text to so many bytes, at the end of a character, and says so.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return head(text, most) + fmt.Sprintf("\n(cut here: %d of %d bytes are shown)", len(head(text, most)), len(text))
}

// cut takes the secrets out of a text before it is shortened: of one that the
// cut went through, a part would show.
func (r *Runner) cut(text string, most int) string { return cut(r.Redact.Text(text), most) }

// head is the longest beginning of a text of at most so many bytes that splits
// no character.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for end := most; end > most-utf8.UTFMax && end > 0; end-- {
		if utf8.RuneStart(text[end]) {
			return text[:end]
		}
	}
	return text[:most]
}
