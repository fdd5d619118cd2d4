package parser

import (
	"testing"

	"pgregory.net/rapid"

	"iterion/grammar/reference/sample"
)

func TestGeneratedProgramsAreClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			text := sample.Program().Draw(t, "program")
			if found := problems(parseText(text)); len(found) > 0 {
				t.Fatalf("%q\n%s", found, text)
			}
		}
	})
}
