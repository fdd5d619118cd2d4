package parser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
)

func dump(f *ast.File) string {
	var b strings.Builder
	for i, d := range f.Decls {
		depth := []uint32{}
		for n := range d.Nodes {
			for len(depth) > 0 && uint32(n) >= depth[len(depth)-1] {
				depth = depth[:len(depth)-1]
			}
			fmt.Fprintf(&b, "%s%d %q\n", strings.Repeat("  ", len(depth)), d.Nodes[n].Kind, d.Slice(n))
			depth = append(depth, d.Nodes[n].Next)
		}
		for _, p := range d.Problems {
			fmt.Fprintf(&b, "!! %v %s %s (%s)\n", f.Source.Position(int(p.Span.Start+f.Bases[i])), p.Code, p.Message, p.Hint)
		}
	}
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "!! %v %s %s\n", f.Source.Position(int(p.Span.Start)), p.Code, p.Message)
	}
	return b.String()
}

func TestDump(t *testing.T) {
	name := os.Getenv("BOT")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Skip()
	}
	t.Log(dump(File(source.Load(name, raw))))
}
