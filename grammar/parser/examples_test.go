package parser

import (
	"strings"
	"testing"

	"iterion/grammar/schema"
)

// examples calls found with the path of each example of the property table and
// a program that holds it in its place.
func examples(found func(path, text string)) {
	for _, k := range schema.Kinds() {
		found(k.Name, k.Example)
		header := k.Name + ":\n"
		if k.Named {
			header = k.Name + " x:\n"
		}
		if len(k.Props) > 0 || k.Entry != nil {
			inside(k, k.Name, header, "  ", found)
		}
	}
}

// inside visits the lines that may stand in a body, whose header and all lines
// above it are above.
func inside(k *schema.Kind, path, above, margin string, found func(path, text string)) {
	put := func(text string) string {
		return above + margin + strings.ReplaceAll(text, "\n", "\n"+margin) + "\n"
	}
	for i := range k.Props {
		p := &k.Props[i]
		found(path+"/"+p.Name, put(p.Example))
		if p.Block != nil {
			inside(p.Block, path+"/"+p.Name, put(p.Name+":"), margin+"  ", found)
		}
	}
	if k.Entry == nil {
		return
	}
	found(path+"/*", put(k.Entry.Example))
	if k.Entry.Block != nil {
		header, _, _ := strings.Cut(k.Entry.Example, "\n")
		if k.Entry.Typed == nil {
			header, _, _ = strings.Cut(header, ":")
			header += ":"
		}
		inside(k.Entry.Block, path+"/*", put(header), margin+"  ", found)
	}
}

func TestExamplesOfTheTable(t *testing.T) {
	n := 0
	examples(func(path, text string) {
		n++
		if found := problems(parseText(text)); text == "" || len(found) > 0 {
			t.Errorf("%s: %s in\n%s", path, strings.Join(found, "\n"), text)
		}
	})
	if n < 200 {
		t.Errorf("only %d examples", n)
	}
}
