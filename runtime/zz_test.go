package runtime

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/backends/scripted"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/expr"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("../corpus/run/*.bot")
	for _, f := range files {
		res, err := build.Unit(build.Input{FS: os.DirFS("../corpus/run"), Path: filepath.Base(f)})
		if err != nil || !res.Valid() {
			t.Errorf("%s: %v %v", f, err, res.Diagnostics)
			continue
		}
		var want struct {
			Args    []string
			Status  string
			Outputs map[string]map[string]any
			Path    []string
			Answers [][]string
			Code    string `json:"failure_code"`
			Error   string
		}
		raw, _ := os.ReadFile(strings.TrimSuffix(f, ".bot") + ".want.json")
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		vars := map[string]string{}
		for i, a := range want.Args {
			if a == "--var" {
				k, v, _ := strings.Cut(want.Args[i+1], "=")
				vars[k] = v
			}
		}
		p := res.Program()
		bound, err := BindVars(p, vars, "", os.LookupEnv)
		if err != nil {
			t.Error(f, err)
			continue
		}
		s := &store.Memory{}
		o := Options{Program: p, Store: s, Vars: bound, Workspace: "../corpus/run"}
		o.Child = func(source, from string) (*ir.Program, error) {
			res, err := build.Unit(build.Input{FS: os.DirFS("../corpus/run"), Path: source})
			return res.Program(), err
		}
		if b, err := os.ReadFile(strings.TrimSuffix(f, ".bot") + ".script.yaml"); err == nil {
			sc, err := scripted.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			x := scripted.New(sc)
			o.Backends = func(string) (backend.Backend, bool) { return x, true }
		}
		if want.Answers != nil {
			a := map[string]any{}
			for _, kv := range want.Answers[0] {
				k, v, _ := strings.Cut(kv, "=")
				a[k] = v
			}
			o.Asker = Answers{"question": a}
		}
		r := play(t, o)
		var trunk []string
		for _, n := range strings.Fields(path(t, s)) {
			if !strings.Contains(n, "@") {
				trunk = append(trunk, n)
			}
		}
		if string(r.Status) != want.Status || strings.Join(trunk, " ") != strings.Join(want.Path, " ") || string(r.FailureCode) != want.Code && want.Code != "" || want.Error != "" && r.Error != want.Error {
			t.Errorf("%s: %s %s %s\n path %v\n want %v", f, r.Status, r.FailureCode, r.Error, trunk, want.Path)
		}
		for n, o := range want.Outputs {
			for k, v := range o {
				got, _ := r.Outputs[n].(map[string]any)
				a, b := expr.ScriptLiteral(got[k]), expr.ScriptLiteral(v)
				if a != b {
					t.Errorf("%s: %s.%s = %s want %s", f, n, k, a, b)
				}
			}
		}
	}
}
