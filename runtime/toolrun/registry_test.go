package toolrun

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"iterion/ir/gate"
	"iterion/ir/tools"
)

// Every tool that runs here has a name in the loop, and tells of itself.
func TestExecutorsHaveSpecs(t *testing.T) {
	seen := map[string]bool{}
	for i := range executors {
		key := executors[i].key
		tool := tools.Lookup(key)
		if tool == nil || tool.Key != key || tool.Claw == "" || seen[key] {
			t.Errorf("%s is no key of a tool of the loop, or stands twice", key)
			continue
		}
		seen[key] = true
		if spec, ok := tool.Spec(); !ok || spec.Schema == "" {
			t.Errorf("%s has no schema", key)
		}
		if schemas()[key] == nil {
			t.Errorf("the schema of %s does not compile", key)
		}
	}
}

// Every schema compiles, names its keys and refuses others.
func TestSchemas(t *testing.T) {
	for _, tool := range specified(t) {
		told, ok := Spec(tool.Claw)
		if !ok || told.Name != tool.Claw || told.Description == "" {
			t.Errorf("%s: %+v", tool.Key, told)
		}
		if tool.Key == "structured_output" {
			continue // its schema is the node's
		}
		if _, err := compile(tool.Key); err != nil {
			t.Errorf("%s: %v", tool.Key, err)
		}
		strict := jsonschema.NewCompiler() // it checks against the meta schema
		if err := strict.AddResource("s", told.Schema); err != nil {
			t.Errorf("%s: %v", tool.Key, err)
		}
		if _, err := strict.Compile("s"); err != nil {
			t.Errorf("%s: %v", tool.Key, err)
		}
		if told.Schema["type"] != "object" || told.Schema["additionalProperties"] != false {
			t.Errorf("%s takes more than its keys", tool.Key)
		}
	}
	if _, ok := Spec("computer_use"); ok {
		t.Error("a tool that the loop does not have tells of itself")
	}
}

func specified(t *testing.T) (list []*tools.Tool) {
	t.Helper()
	all := tools.All()
	for i := range all {
		if _, ok := all[i].Spec(); ok && all[i].Claw != "" {
			list = append(list, &all[i])
		}
	}
	if len(list) < 21 {
		t.Fatalf("only %d tools have a spec", len(list))
	}
	return list
}

// located are the keys that lead a tool somewhere, by their name.
var located = regexp.MustCompile(`(?i)path|file|dir|folder|cwd|uri|url|command|code$|query`)

// What leads a tool to a file, a command or an address stands under a key that
// the gate judges: a rule that closes the value closes the call.
func TestGateReadsTheKeys(t *testing.T) {
	for _, tool := range specified(t) {
		told, _ := Spec(tool.Claw)
		keys := properties(told.Schema)
		if want := mainKeys[tool.Subject]; want != nil && !slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(want, k) }) {
			t.Errorf("%s has none of the keys %v", tool.Key, want)
		}
		if tool.Subject == tools.Input {
			continue // judged whole
		}
		for _, key := range keys {
			if !located.MatchString(key) {
				continue
			}
			if !closes(t, tool, key, "https://closed.example/x") && !closes(t, tool, key, "/closed/x") {
				t.Errorf("%s: the gate does not judge the key %q", tool.Key, key)
			}
		}
	}
}

// mainKeys are those of which a tool has one, by what its rules look at.
var mainKeys = map[tools.Subject][]string{
	tools.Command: {"command"}, tools.Code: {"code"}, tools.Path: {"file_path", "notebook_path"},
	tools.Search: {"path"}, tools.URL: {"url"}, tools.Query: {"query"},
}

func properties(schema map[string]any) (keys []string) {
	all, _ := schema["properties"].(map[string]any)
	for key := range all {
		keys = append(keys, key)
	}
	return keys
}

// closes tells whether a deny rule over a value bites where it stands under the
// key.
func closes(t *testing.T, tool *tools.Tool, key, value string) bool {
	t.Helper()
	var lists gate.Lists
	for kind, text := range map[gate.Kind]string{gate.AllowList: tool.Key, gate.DenyList: tool.Key + "(" + value + ")"} {
		rule, err := gate.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		lists[kind] = []gate.Rule{rule}
	}
	p, err := gate.Resolve(gate.Levels{Node: gate.Level{Mode: "deny", Lists: lists}})
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		t.Fatal(err)
	}
	v := gate.New(p.Arm("/work", "/home/u"), nil).Evaluate(gate.Call{Tool: tool.Claw, Input: string(input)})
	return v.Stage == gate.StageDeny
}

// What does not fit the schema is refused by its key, and nothing runs.
func TestValidate(t *testing.T) {
	read := tools.Lookup("read_file")
	if err := validate(read, `{"file_path":"a","limit":3}`); err != nil {
		t.Error(err)
	}
	for input, want := range map[string]string{
		`{}`:                                "file_path",
		`{"file_path":1}`:                   "file_path",
		`{"file_path":"a","limit":"3"}`:     "limit",
		`{"file_path":"a","limit":0}`:       "limit",
		`{"file_path":"a","limit":1.5}`:     "limit",
		`{"file_path":"a","path":"b"}`:      "path",
		`{"FILE_PATH":"a"}`:                 "FILE_PATH",
		`{"file_path":"a","File_Path":"b"}`: "stands twice",
		`{"file_path":"a","file_path":"b"}`: "stands twice",
		`{"file_path":"a"} {}`:              "no JSON",
		`{"file_path":"a"`:                  "no JSON",
		`[]`:                                "object",
		`null`:                              "object",
		``:                                  "no JSON",
	} {
		if err := validate(read, input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", input, err, want)
		}
	}
}
