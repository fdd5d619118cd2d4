package schema

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modelNames = `description model backend provider command input output publish artifact_labels system user
	session session_slot tools tool_policy capabilities skills tool_max_steps max_tokens reasoning_effort timeout
	readonly full_access images interaction interaction_prompt interaction_model await compress rtk auto_memory
	ambient_context permission allow ask deny needs fallbacks mcp compaction memory sandbox cursors`

// expected is every property of the language by the path of its body, in
// canonical order. It is written out here on purpose, apart from the table.
var expected = []struct{ path, names string }{
	{"vars", ""},
	{"presets", ""},
	{"presets/preset", ""},
	{"attachments", ""},
	{"attachments/attachment", "description accept_mime required"},
	{"secrets", ""},
	{"secrets/secret", "value as mount_path env optional hosts description"},
	{"prompt", ""},
	{"schema", ""},
	{"mcp_server", "transport command args url auth"},
	{"mcp_server/auth", "type auth_url token_url revoke_url client_id scopes"},
	{"cursor", "description values bands"},
	{"cursor/values", ""},
	{"cursor/bands", ""},
	{"supervisor", "watches model system cooldown max_evals monitors"},
	{"agent", modelNames},
	{"judge", modelNames},
	{"agent/fallbacks", ""},
	{"agent/fallbacks/route", "backend model provider on metered action when"},
	{"agent/mcp", "inherit servers disable"},
	{"agent/compaction", "threshold preserve_recent"},
	{"agent/memory", "enabled scope autoload read write pre_compact_inject project_root visibility"},
	{"agent/sandbox", "mode image build user workspace_folder host_state post_create env mounts network"},
	{"agent/sandbox/build", "dockerfile context args"},
	{"agent/sandbox/network", "mode preset inherit rules"},
	{"agent/cursors", "enabled"},
	{"router", `description mode model backend provider system user multi reasoning_effort over as key depends_on needs`},
	{"human", `description input output publish artifact_labels instructions system model interaction
		interaction_prompt interaction_model min_answers await review_url posture merge_strategy merge_into max_turns`},
	{"tool", `description command script language action connection retry timeout input output publish
		artifact_labels await sandbox compress rtk permission needs parallel_safe goal postcondition policy recovery params`},
	{"tool/sandbox", "mode image build user workspace_folder host_state post_create env mounts network"},
	{"tool/recovery", "max_repair_attempts max_agent_attempts model agent_tools"},
	{"tool/params", ""},
	{"compute", "description input output publish artifact_labels await expr"},
	{"compute/expr", ""},
	{"subbot", "description source with output needs isolated"},
	{"emit", "description event with"},
	{"wait", "description event timeout output"},
	{"await_answers", "description from timeout"},
	{"fail", "description code message resumable"},
	{"group", ""},
	{"use", ""},
	{"contract", "display_name responsibility version inputs outputs criteria effects"},
	{"contract/inputs", ""},
	{"contract/outputs/port", "description required nullable default min_items max_items from file"},
	{"contract/outputs/port/file", "media_type min_bytes schema"},
	{"contract/criteria/criterion", "kind port params"},
	{"contract/effects/effect", "description paid"},
	{"workflow", `entry contract worktree default_backend interaction compress rtk auto_memory ambient_context
		permission allow ask deny tool_policy capabilities skills loop_budget_guard repo_devbox workspace_checkpoint
		vars attachments budget resources mcp compaction sandbox`},
	{"workflow/budget", `max_parallel_branches max_duration max_cost_usd max_tokens warn_tokens max_iterations on_exceeded`},
	{"workflow/resources", ""},
	{"workflow/mcp", "autoload_project servers disable"},
	{"workflow/compaction", "threshold preserve_recent"},
	{"workflow/sandbox/network", "mode preset inherit rules"},
}

// bodies returns every kind and nested block by its path.
func bodies() map[string]*Kind {
	all := map[string]*Kind{}
	var visit func(prefix string, k *Kind)
	visit = func(prefix string, k *Kind) {
		path := prefix + k.Name
		all[path] = k
		for i := range k.Props {
			if b := k.Props[i].Block; b != nil {
				visit(path+"/", b)
			}
		}
		if k.Entry != nil && k.Entry.Block != nil {
			visit(path+"/", k.Entry.Block)
		}
	}
	for _, k := range Kinds() {
		visit("", k)
	}
	return all
}

func TestEveryPropertyInCanonicalOrder(t *testing.T) {
	all := bodies()
	for _, e := range expected {
		k := all[e.path]
		if k == nil {
			t.Errorf("%s: no such body", e.path)
			continue
		}
		want := strings.Fields(e.names)
		got := []string{}
		for _, p := range k.Props {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", e.path, got, want)
		}
	}
}

func TestKeywords(t *testing.T) {
	want := strings.Fields(`vars presets attachments secrets prompt schema mcp_server cursor supervisor agent judge
		router human tool compute subbot emit wait await_answers fail group use contract workflow`)
	var got, nodes, bare []string
	for _, k := range Kinds() {
		got = append(got, k.Name)
		if k.Node {
			nodes = append(nodes, k.Name)
		}
		if k.Bare {
			bare = append(bare, k.Name)
		}
		if Lookup(k.Name) != k {
			t.Errorf("Lookup(%q) finds another kind", k.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("keywords: %v", got)
	}
	if want := strings.Fields("agent judge router human tool compute subbot emit wait await_answers fail"); !slices.Equal(nodes, want) {
		t.Errorf("node kinds: %v", nodes)
	}
	if want := strings.Fields(`vars presets attachments secrets prompt schema mcp_server cursor supervisor group
		contract workflow`); !slices.Equal(bare, want) {
		t.Errorf("kinds that may stand bare: %v", bare)
	}
}

func TestBareBlocks(t *testing.T) {
	bare := strings.Fields(`vars attachments budget resources compaction memory mcp auth cursors recovery sandbox
		build network params inputs outputs criteria effects file`)
	for path, k := range bodies() {
		if strings.Contains(path, "/") && k.Bare != slices.Contains(bare, k.Name) {
			t.Errorf("%s: Bare = %v", path, k.Bare)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	for path, k := range bodies() {
		for i, p := range k.Props {
			if k.Row(p.Name) != i || k.Prop(p.Name) != &k.Props[i] {
				t.Errorf("%s: %s has two rows", path, p.Name)
			}
		}
		if k.Row("no such row") != -1 || k.Prop("") != nil {
			t.Errorf("%s: finds what it does not have", path)
		}
	}
}

func TestEverythingIsDocumented(t *testing.T) {
	for path, k := range bodies() {
		sentence(t, path, k.Doc)
		if !strings.Contains(path, "/") && !startsWithName(k.Example, k.Name) {
			t.Errorf("%s: example %q", path, k.Example)
		}
		for _, p := range k.Props {
			sentence(t, path+"."+p.Name, p.Doc)
			if !startsWithName(p.Example, p.Name) {
				t.Errorf("%s.%s: example %q", path, p.Name, p.Example)
			}
			for _, v := range p.Values {
				sentence(t, path+"."+p.Name+"="+v.Word, v.Doc)
			}
		}
		if e := k.Entry; e != nil {
			sentence(t, path+" entry", e.Doc)
			if e.Example == "" {
				t.Errorf("%s: the entry has no example", path)
			}
		}
	}
}

func sentence(t *testing.T, where, doc string) {
	t.Helper()
	if len(doc) < 5 || !strings.HasSuffix(doc, ".") || strings.ToUpper(doc[:1]) != doc[:1] {
		t.Errorf("%s: %q is no sentence", where, doc)
	}
}

func startsWithName(example, name string) bool {
	rest, ok := strings.CutPrefix(example, name)
	return ok && rest != "" && (rest[0] == ':' || rest[0] == ' ')
}

func TestFormsAreComplete(t *testing.T) {
	for path, k := range bodies() {
		for _, p := range k.Props {
			where := path + "." + p.Name
			switch p.Form {
			case Enum, EnumOrEnv, OneOf, WordOrBlock:
				if len(p.Values) == 0 {
					t.Errorf("%s: %v without words", where, p.Form)
				}
			case 0:
				t.Errorf("%s: no form", where)
			}
			if (p.Block != nil) != (p.Form == Block || p.Form == WordOrBlock || p.Form == Map) {
				t.Errorf("%s: form %v and block disagree", where, p.Form)
			}
			if p.Replace != "" && k.Prop(p.Replace) == nil {
				t.Errorf("%s: replaced by the unknown %s", where, p.Replace)
			}
		}
		if e := k.Entry; e != nil && e.Form == 0 && e.Typed == nil && e.Block == nil {
			t.Errorf("%s: the entry holds nothing", path)
		}
	}
}

func TestDefaultsAreValues(t *testing.T) {
	free := []string{"merge_into"}
	for path, k := range bodies() {
		for _, p := range k.Props {
			if p.Default == "" || len(p.Values) == 0 || slices.Contains(free, p.Name) {
				continue
			}
			for _, word := range strings.Split(strings.Trim(p.Default, "[]"), ", ") {
				if !slices.Contains(Words(p.Values), word) {
					t.Errorf("%s.%s: default %q is none of %v", path, p.Name, word, Words(p.Values))
				}
			}
		}
	}
}

// shapes are the literal shapes of one-line values, for the forms that have one.
var shapes = map[Form]string{
	Str:           `"[^"]*"|\|\n(?s:.*)`,
	Word:          `"[^"]*"`,
	Name:          `\w+`,
	Dotted:        `\w+(\.\w+)*`,
	StrOrName:     `"[^"]*"|\w+(\.\w+)*`,
	Int:           `\d+`,
	Num:           `\d+(\.\d+)?`,
	Bool:          `true|false`,
	Enum:          `[a-z_]+`,
	EnumOrEnv:     `[a-z]+`,
	OneOf:         `[a-z0-9_]+`,
	Prompt:        `"[^"]*"|\w+`,
	StrOrNum:      `"[^"]*"|\d+[a-z]*`,
	JSON:          `\{.*\}`,
	NameList:      `\[\w+(, \w+)*\]`,
	StrList:       `\["[^"]*"(, "[^"]*")*\]`,
	ToolList:      `\[[\w.*"]+(, ?[\w.* "]+)*\]`,
	StrOrNameList: `\["[^"]*"(, "[^"]*")*\]`,
	Map:           `\{ \w+: "[^"]*"(, \w+: "[^"]*")* \}`,
	WordOrBlock:   `[a-z]+`,
	Block:         `\n  \S(?s:.*)`,
	With:          `\{ .* \}`,

	NameOrNameList: `\w+|\[\w+(, \w+)*\]`,
}

func TestExamplesAndDefaultsHaveTheirForm(t *testing.T) {
	for path, k := range bodies() {
		for _, p := range k.Props {
			shape := regexp.MustCompile(`^(` + shapes[p.Form] + `)$`)
			value := strings.TrimPrefix(strings.TrimPrefix(p.Example[len(p.Name):], ":"), " ")
			if !shape.MatchString(value) {
				t.Errorf("%s.%s: example %q is no %v", path, p.Name, value, p.Form)
			}
			bareWord := p.Form == Word && regexp.MustCompile(`^\w+$`).MatchString(p.Default)
			if p.Default != "" && !bareWord && !shape.MatchString(p.Default) {
				t.Errorf("%s.%s: default %q is no %v", path, p.Name, p.Default, p.Form)
			}
			if slices.Contains([]Form{Enum, EnumOrEnv, OneOf, WordOrBlock}, p.Form) && !slices.Contains(Words(p.Values), value) {
				t.Errorf("%s.%s: example %q is none of its words", path, p.Name, value)
			}
		}
	}
}

func TestProfileAndAliasFacts(t *testing.T) {
	all := bodies()
	for path, k := range all {
		for _, p := range k.Props {
			if want := p.Name == "project_root"; (p.Removed == 2) != want {
				t.Errorf("%s.%s: removed in profile %d", path, p.Name, p.Removed)
			}
			if want := p.Name == "rtk"; (p.Replace == "compress") != want {
				t.Errorf("%s.%s: replaced by %q", path, p.Name, p.Replace)
			}
		}
	}
	vars, fields := all["vars"].Entry.Typed, all["schema"].Entry.Typed
	if !vars.Enum || !vars.Matching || !vars.Default || slices.Contains(vars.Types, "file") {
		t.Errorf("vars entry: %+v", vars)
	}
	if !fields.Enum || fields.Matching || fields.Default || !slices.Contains(fields.Types, "file") {
		t.Errorf("schema entry: %+v", fields)
	}
	for _, path := range []string{"secrets", "contract/criteria", "contract/effects"} {
		if !all[path].Entry.Bare {
			t.Errorf("%s: an entry may be its name alone", path)
		}
	}
}
