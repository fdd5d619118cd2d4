package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func TestWriteJSON(t *testing.T) {
	var first, second bytes.Buffer
	if err := WriteJSON(&first); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("two documents differ (%v)", err)
	}
	var doc struct {
		Kinds []struct {
			Name       string
			Node       bool
			Members    []string
			Properties []struct {
				Name, Form, Ref, Text, Default, Doc, Example string
				Values                                       []struct{ Word, Doc string }
				Block                                        *struct{ Name string }
			}
			Entry *struct {
				Key  string
				Type *struct{ Types []string }
			}
		}
	}
	if err := json.Unmarshal(first.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Kinds) != len(Kinds()) {
		t.Fatalf("%d kinds, want %d", len(doc.Kinds), len(Kinds()))
	}
	for i, k := range Kinds() {
		got := doc.Kinds[i]
		if got.Name != k.Name || got.Node != k.Node || len(got.Properties) != len(k.Props) {
			t.Errorf("kind %d is %s with %d properties, want %s with %d", i, got.Name, len(got.Properties), k.Name, len(k.Props))
			continue
		}
		for j, p := range k.Props {
			g := got.Properties[j]
			if g.Name != p.Name || g.Form != p.Form.String() || g.Default != p.Default || g.Doc != p.Doc ||
				g.Example != p.Example || len(g.Values) != len(p.Values) || (g.Block == nil) != (p.Block == nil) {
				t.Errorf("%s.%s: %+v", k.Name, p.Name, g)
			}
		}
	}
	if vars := doc.Kinds[0]; vars.Entry == nil || vars.Entry.Key != "ident" || len(vars.Entry.Type.Types) != 6 {
		t.Errorf("vars entry: %+v", vars.Entry)
	}
}

func TestWriteJSONReportsTheWriter(t *testing.T) {
	if err := WriteJSON(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for f := Str; f <= WordOrBlock; f++ {
		if s := f.String(); s == "" || s == "unknown" || seen[s] {
			t.Errorf("form %d is called %q", f, s)
		}
		seen[f.String()] = true
	}
	for r := RefSchema; r <= RefGroup; r++ {
		if s := r.String(); s == "" || s == "unknown" {
			t.Errorf("ref %d is called %q", r, s)
		}
	}
	for x := Plain; x <= EnvText; x++ {
		if s := x.String(); s == "" || s == "unknown" {
			t.Errorf("text %d is called %q", x, s)
		}
	}
	for got, want := range map[string]string{
		Form(0).String(): "", Form(200).String(): "unknown", NoRef.String(): "", Key(9).String(): "unknown",
		StringKey.String(): "string", NameOrNameList.String(): "name|[name]",
	} {
		if got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}
