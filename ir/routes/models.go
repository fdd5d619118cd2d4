package routes

import (
	"regexp"
	"sync"
)

// Providers lists the known words of a `provider:` element.
func Providers() []string { return []string{"anthropic", "zai", "openai", "auto"} }

// ultracode matches the models with the `ultracode` effort: Opus 4.8 and the
// Claude 5 family, in every spelling that providers give them.
var ultracode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)opus-4[-.]8(?:\D|$)|claude-(?:[a-z]+-)?5(?:\D|$)`)
})

// HasUltracode tells whether a model offers the `ultracode` effort.
func HasUltracode(model string) bool { return ultracode().MatchString(model) }
