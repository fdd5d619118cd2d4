package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

// spellings lists the forms in which a value is searched for: those that stand
// in a text as they are, and those that encoders break into lines.
func spellings(value string) (plain, joined []string) {
	plain = append(plain, value)
	plain = append(plain, inJSON(value)...)
	plain = append(plain, inShell(value)...)
	plain = append(plain, inURL(value)...)
	joined = append(inBase64(value), hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))))
	return unique(plain), unique(joined)
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// inJSON is the inside of JSON strings: with and without `<` escaped, in ASCII,
// with `\/`, and each as a JSON text within a JSON string.
func inJSON(value string) []string {
	var out []string
	for _, form := range jsonForms(value) {
		out = append(append(out, form), jsonForms(form)...)
	}
	return out
}

func jsonForms(value string) []string {
	escaped, plain := jsonInside(value, true), jsonInside(value, false)
	return []string{escaped, plain, ascii(plain), strings.ReplaceAll(ascii(plain), "/", `\/`)}
}

func jsonInside(value string, html bool) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(html)
	_ = e.Encode(value) // a string always encodes
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out.String()), `"`), `"`)
}

// ascii writes what is not ASCII as `\u` escapes.
func ascii(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < 0x80 {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}

// inShell is the value as a quoted word: the two ways to put a `'` between
// single quotes, the escapes between double quotes, and a backslash before all
// that is special (`printf %q`).
func inShell(value string) []string {
	return []string{
		strings.ReplaceAll(value, "'", `'\''`),
		strings.ReplaceAll(value, "'", `'"'"'`),
		backslashed(value, func(r rune) bool { return strings.ContainsRune("\\\"$`", r) }),
		backslashed(value, func(r rune) bool {
			return r < 0x80 && !strings.ContainsRune("_@%+=:,./-", r) && !alphanumeric(r)
		}),
	}
}

func backslashed(value string, special func(rune) bool) string {
	var out strings.Builder
	for _, r := range value {
		if special(r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

func alphanumeric(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// inURL is the value percent-encoded: as a query with `+` and with `%20`, as a
// path, as JavaScript's encodeURIComponent does it and with `/` left; the digits
// in capitals and not.
func inURL(value string) []string {
	spaced := strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
	script := strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(spaced)
	forms := []string{
		url.QueryEscape(value), spaced, script, url.PathEscape(value),
		strings.ReplaceAll(spaced, "%2F", "/"), (&url.URL{Path: value}).EscapedPath(),
	}
	for _, form := range forms {
		forms = append(forms, lowerPercent(form))
	}
	return forms
}

// lowerPercent writes the digits of percent escapes in small letters.
func lowerPercent(text string) string {
	out := []byte(text)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], bytes.ToLower(out[i+1:i+3]))
		}
	}
	return string(out)
}

// inBase64 is the value encoded alone, and as a part of something longer: at
// each of the three alignments the digits that it alone decides.
func inBase64(value string) []string {
	var out []string
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		raw := e.WithPadding(base64.NoPadding)
		out = append(out, e.EncodeToString([]byte(value)), raw.EncodeToString([]byte(value)))
		for shift := range 3 {
			digits := raw.EncodeToString(append(make([]byte, shift), value...))
			first, last := (shift*8+5)/6, (shift+len(value))*8/6
			out = append(out, digits[first:last])
		}
	}
	return out
}
