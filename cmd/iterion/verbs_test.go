package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A verb made alone is the one of its name, with the help that it has among the
// others.
func TestVerbAlone(t *testing.T) {
	for _, v := range verbs() {
		if name := v.make(streams{}).Name(); name != v.name {
			t.Errorf("the verb %s makes the command %s", v.name, name)
		}
		args := []string{v.name, "--help"}
		var alone, among bytes.Buffer
		execute(args, streams{strings.NewReader(""), &alone, io.Discard})
		whole := wholeRoot(streams{strings.NewReader(""), &among, io.Discard})
		whole.SetArgs(args)
		if err := whole.Execute(); err != nil {
			t.Fatal(v.name, err)
		}
		if alone.Len() == 0 || alone.String() != among.String() {
			t.Errorf("%s alone:\n%s\namong all:\n%s", v.name, &alone, &among)
		}
	}
}
