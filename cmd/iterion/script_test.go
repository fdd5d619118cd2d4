package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"iterion/diagnostics/render"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(ownStore{m}, map[string]func(){"iterion": main})
}

// ownStore keeps the runs of the tests themselves in a store of their own. A
// script's process, which is this program under another name, does not come
// here and finds its store as a user's would.
type ownStore struct{ *testing.M }

// Run implements testscript.TestingM.
func (a ownStore) Run() int {
	dir, err := os.MkdirTemp("", "iterion-test-store-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("ITERION_STORE", dir)
	return a.M.Run()
}

// notes is the key of the files that a script has noted.
type notes struct{}

func TestScripts(t *testing.T) {
	corpus, err := filepath.Abs("../../corpus")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORPUS", corpus)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // under -race, each process would wait a second at its end
			env.Values[notes{}] = map[string]os.FileInfo{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode, "conforms": conforms, "note": noteFiles, "untouched": untouched,
		},
	})
}

// exitCode runs iterion and demands a status: code 2 fmt x.bot
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec("iterion", args[1:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// conforms holds files, or stdout, against the JSON Schema of validate, or of
// fix when that is the first word.
func conforms(ts *testscript.TestScript, _ bool, names []string) {
	text := render.Schema
	if names[0] == "fix" {
		text, names = render.FixSchema, names[1:]
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("a.schema.json", doc))
	schema, err := c.Compile("a.schema.json")
	ts.Check(err)
	for _, name := range names {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		ts.Check(schema.Validate(v))
	}
}

// noteFiles remembers the state of files for untouched.
func noteFiles(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		info, err := os.Lstat(ts.MkAbs(name))
		ts.Check(err)
		ts.Value(notes{}).(map[string]os.FileInfo)[name] = info
	}
}

// untouched demands that files are the very ones that were noted.
func untouched(ts *testscript.TestScript, neg bool, names []string) {
	for _, name := range names {
		before := ts.Value(notes{}).(map[string]os.FileInfo)[name]
		now, err := os.Lstat(ts.MkAbs(name))
		ts.Check(err)
		same := os.SameFile(before, now) && before.ModTime().Equal(now.ModTime()) && before.Size() == now.Size()
		if same == neg {
			ts.Fatalf("%s: untouched is %v", name, same)
		}
	}
}
