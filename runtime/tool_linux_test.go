package runtime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/process"
	"iterion/runtime/store"
)

// toolRun runs one tool node in a folder of its own.
func toolRun(t *testing.T, n *ir.Node, o Options, parts ...any) Result {
	t.Helper()
	if o.Workspace == "" {
		o.Workspace = t.TempDir()
	}
	o.Program = program(append([]any{n, edge(n.ID, "done")}, parts...)...)
	return play(t, o)
}

func TestToolOutput(t *testing.T) {
	for command, want := range map[string]string{
		`echo '{"n": 3, "f": 1.5}'`: `{"f":1.5,"n":3}`,
		`echo ' plain '`:            `{"result":"plain"}`,
		`echo '[1,2]'`:              `{"result":"[1,2]"}`,
		`echo '{"a":1} tail'`:       `{"result":"{\"a\":1} tail"}`,
		`cat`:                       `{"result":""}`,
		`true`:                      `{"result":""}`,
	} {
		r := toolRun(t, shellTool("a", command), Options{})
		wantStatus(t, r, outcome.Finished, "")
		wantOutput(t, r, "a", want)
	}
}

func TestReferencesAreShellWords(t *testing.T) {
	vars := map[string]any{
		"s": "it's; rm $HOME", "list": []any{"a b", "c"}, "empty": []any{}, "j": []any{}, "raw": "echo raw",
	}
	decls := []any{variable("s", "string", ""), variable("list", "string[]", ""), variable("empty", "string[]", ""), variable("j", "json", "")}
	for command, want := range map[string]string{
		`printf %s {{vars.s}}`:         "it's; rm $HOME",
		`printf '<%s>' {{vars.list}}`:  "<a b><c>",
		`printf '<%s>' {{vars.empty}}`: "<>",
		`printf %s {{vars.j}}`:         "[]",
		`{{!vars.raw}}`:                "raw",
		`echo {{vars.gone}}`:           "{{vars.gone}}",
		`echo {{input.s}}`:             "it's; rm $HOME",
	} {
		r := toolRun(t, shellTool("a", command), Options{Vars: vars}, decls...)
		wantStatus(t, r, outcome.Finished, "")
		if got := r.Outputs["a"].(map[string]any)["result"]; got != want {
			// A JSON object or array stays text in result.
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestScripts(t *testing.T) {
	for language, body := range map[string]string{
		"python": "import json\nprint(json.dumps({'got': {{vars.x}}}))",
		"js":     "console.log(JSON.stringify({got: {{vars.x}}}))",
		"bash":   `[[ a == a ]] && echo '{"got":' '{{vars.x}}' '}'`,
	} {
		n := node("a", ir.KindTool)
		n.Tool = &ir.Tool{Script: str(body), Language: set(language)}
		r := toolRun(t, n, Options{Vars: map[string]any{"x": []any{"q\"", int64(1)}}})
		wantStatus(t, r, outcome.Finished, "")
		wantOutput(t, r, "a", `{"got":["q\"",1]}`)
	}
}

func TestToolFailures(t *testing.T) {
	r := toolRun(t, shellTool("a", "echo out; echo first >&2; echo why >&2; exit 3"), Options{})
	wantStatus(t, r, outcome.FailedResumable, outcome.ToolFailedPermanent)
	if r.Error != "the command ended with exit code 3: why" {
		t.Errorf("error %q", r.Error)
	}
	if got := canonical(t, r.State.Failure.Output); !strings.Contains(got, `"exit_code": 3`) || !strings.Contains(got, `"stdout": "out\n"`) {
		t.Errorf("output %s", got)
	}
	r = toolRun(t, shellTool("a", "exit 75"), Options{})
	wantStatus(t, r, outcome.FailedResumable, outcome.ToolFailedTransient)
	r = toolRun(t, output(shellTool("a", "echo '{}'"), "s"), Options{}, schema("s", "n", "int"))
	wantStatus(t, r, outcome.FailedResumable, outcome.SchemaValidation)
	slow := shellTool("a", "sleep 30")
	slow.Tool.Timeout = set("50ms")
	r = toolRun(t, slow, Options{})
	wantStatus(t, r, outcome.FailedResumable, outcome.Timeout)
	action := node("a", ir.KindTool)
	action.Tool = &ir.Tool{Action: set("forge.issue.get")}
	r = toolRun(t, action, Options{})
	wantStatus(t, r, outcome.FailedResumable, outcome.Unsupported)
}

func TestToolEnvironment(t *testing.T) {
	secret := &ir.Secret{Short: str("${FORGE_KEY}")}
	secret.Name = "forge_token"
	n := shellTool("a", `echo "$FORGE_KEY|$FORGE_TOKEN|$KEPT|$ITERION_IDEMPOTENCY_KEY|${ITERION_TREE_NOISE%% *}|$ITERION_ARTIFACT_FILES_DIR|"{{secrets.forge_token}}`)
	p := program(n, edge("a", "done"))
	p.Secrets = []*ir.Secret{secret}
	r := play(t, Options{
		Program: p, ArtifactDir: "/files", Secrets: Secrets{Values: map[string]string{"forge_token": "hunter2"}},
		Env: []string{"PATH=" + os.Getenv("PATH"), "FORGE_KEY=hunter2", "FORGE_TOKEN=x", "KEPT=k"},
	})
	wantOutput(t, r, "a", `{"result":"||k|r:a::0|:!.iterion|/files|[secret forge_token]"}`)
}

func TestOutputBeyondTheCapIsSpilled(t *testing.T) {
	r := toolRun(t, shellTool("a", "head -c 9000000 /dev/zero | tr '\\0' x"), Options{ArtifactDir: t.TempDir()})
	wantStatus(t, r, outcome.Finished, "")
	out := r.Outputs["a"].(map[string]any)
	spilled := object(out, "_spilled")
	if len(out["result"].(string)) != process.MaxOutput || spilled["size"] != int64(9000000) {
		t.Errorf("%d bytes kept, %v spilled", len(out["result"].(string)), spilled)
	}
	if info, err := os.Stat(text(spilled, "path")); err != nil || info.Size() != 9000000 {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// No secret comes to a file or an event by the cut that goes through it.
func TestSpilledOutputIsRedacted(t *testing.T) {
	command := fmt.Sprintf("x() { head -c $1 /dev/zero | tr '\\0' x; }; x %d; printf hunter2-long; x 300000; printf hunter2-long", process.MaxOutput-3)
	r := toolRun(t, shellTool("a", command), Options{ArtifactDir: t.TempDir(), Secrets: Secrets{Values: map[string]string{"token": "hunter2-long"}}})
	wantStatus(t, r, outcome.Finished, "")
	out := r.Outputs["a"].(map[string]any)
	if !strings.HasSuffix(text(out, "result"), "xxx[se") {
		t.Errorf("the beginning ends with %q", text(out, "result")[process.MaxOutput-20:])
	}
	file, err := os.ReadFile(text(object(out, "_spilled"), "path"))
	if err != nil || strings.Contains(string(file), "hunter2") || strings.Count(string(file), "[secret token]") != 2 {
		t.Errorf("%d bytes, %v", len(file), err)
	}
}

func TestVerifiedAction(t *testing.T) {
	build := func(policy, command string) *ir.Node {
		n := output(shellTool("a", command), "s")
		n.Tool.Postcondition, n.Tool.Policy = str("test -e made"), set(policy)
		return n
	}
	s := schema("s", "n", "int")
	for _, c := range []struct {
		name, policy, command string
		status                outcome.Status
		code                  outcome.Code
		rungs                 string
		output                string
	}{
		{"recipe makes it true", "required", `touch made; echo '{"n":1}'`, outcome.Finished, "", "precheck recipe", `{"n":1}`},
		{"the exit code does not count", "required", `touch made; echo '{"n":1}'; exit 1`, outcome.Finished, "", "precheck recipe", `{"n":1}`},
		{"never true", "required", `echo '{"n":1}'`, outcome.FailedResumable, outcome.ToolFailedPermanent, "precheck recipe", "null"},
		{"repaired", "recover", `test -e once && touch made; touch once; echo '{"n":2}'`, outcome.Finished, "", "precheck recipe repair", `{"n":2}`},
		{"not repaired", "recover", `echo '{"n":2}'`, outcome.FailedResumable, outcome.ToolFailedPermanent, "precheck recipe repair", "null"},
		{"best effort", "best_effort", `echo '{"n":3}'`, outcome.Finished, "", "precheck recipe", `{"n":3}`},
	} {
		st := &store.Memory{}
		r := toolRun(t, build(c.policy, c.command), Options{Store: st}, s)
		var rungs []string
		for _, d := range only(t, st, outcome.NodeVerifiedAction) {
			rungs = append(rungs, d["rung"].(string))
		}
		if r.Status != c.status || r.FailureCode != c.code || strings.Join(rungs, " ") != c.rungs {
			t.Errorf("%s: %s %s (%s), rungs %v", c.name, r.Status, r.FailureCode, r.Error, rungs)
		}
		wantOutput(t, r, "a", c.output)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "made"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := toolRun(t, build("required", "touch ran"), Options{Workspace: dir}, s)
	wantOutput(t, r, "a", `{"_skipped":true,"n":0}`)
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the recipe ran although the postcondition held")
	}
}

// started waits until a file has text and reads it.
func started(t *testing.T, file string) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if b, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(b), "\n") {
			return strings.TrimSpace(string(b))
		}
		<-time.After(2 * time.Millisecond)
	}
	t.Fatal("the command did not start")
	return ""
}

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if !alive(n) {
			return
		}
		<-time.After(2 * time.Millisecond)
	}
	t.Errorf("process %d survived", n)
}

// alive tells whether a process runs; one that is dead and unread is not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestCancelEndsTheWholeGroup(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	results := make(chan Result)
	go func() {
		r, _ := Run(ctx, Options{Workspace: dir, Program: program(shellTool("a", `sleep 60 & echo $! > pid; wait`), edge("a", "done"))})
		results <- r
	}()
	pid := started(t, filepath.Join(dir, "pid"))
	cancel()
	r := <-results
	wantStatus(t, r, outcome.CancelledRun, "")
	if r.State.Scopes[Trunk].Node != "a" {
		t.Errorf("the run stands on %s", r.State.Scopes[Trunk].Node)
	}
	gone(t, pid)
}

func TestWhatACommandLeavesRunningIsKilled(t *testing.T) {
	dir := t.TempDir()
	r := toolRun(t, shellTool("a", `sleep 60 >/dev/null 2>&1 & echo $! > pid`), Options{Workspace: dir})
	wantStatus(t, r, outcome.Finished, "")
	gone(t, started(t, filepath.Join(dir, "pid")))
}

// TestMain lets a test start this binary as an engine that is then killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RUNTIME_TEST_VICTIM"); dir != "" {
		_, _ = Run(context.Background(), Options{Workspace: dir, ArtifactDir: dir,
			Program: program(shellTool("a", `sleep 60 & echo $! > pid; wait`), edge("a", "done"))})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestChildrenDieWithUs(t *testing.T) {
	dir := t.TempDir()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), "RUNTIME_TEST_VICTIM="+dir)
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	pid := started(t, filepath.Join(dir, "pid"))
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	gone(t, pid)
}
