//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const leaky = `dsl: 2

secrets:
  token:

agent talks:
  model: "any/model"
  tools: [bash]
  system: "Talk."
  user: "Go."

tool shows:
  command: ` + "`" + `t={{secrets.token}}; echo "$t"; printf %s "$t" | base64; printf %s "$t" | od -An -tx1 | tr -d ' \n'; echo; cat spelled; cat spelled >&2` + "`" + `

tool breaks:
  command: ` + "`" + `t={{secrets.token}}; echo "$t" >&2; exit 3` + "`" + `

workflow leaky:
  entry: talks
  worktree: none
  sandbox: none

  talks -> shows
  shows -> breaks
  breaks -> done
`

// A secret stands nowhere: not in the store, the output, the errors, the report
// or the recorded script, in no usual spelling.
func TestASecretLeavesNoTrace(t *testing.T) {
	const secret = `s3cr3t/+&"value`
	program, dir := filepath.Join(builds(t), "iterion"), t.TempDir()
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	spellings := []string{
		secret, base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
		url.QueryEscape(secret), hex.EncodeToString([]byte(secret)), string(quoted[1 : len(quoted)-1]),
	}
	files := map[string]string{
		"main.bot": leaky, "spelled": url.QueryEscape(secret) + "\n" + string(quoted) + "\n" + spellings[2] + "\n",
		"script.yaml": "nodes:\n  talks:\n    - tools: [{ name: bash, input: { command: cat spelled } }]\n    - text: fine\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written := bytes.Buffer{}
	iterion := func(want int, args ...string) {
		t.Helper()
		cmd := exec.Command(program, append(args, "--store", "store")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TOKEN="+secret)
		cmd.Stdout, cmd.Stderr = &written, &written
		if _ = cmd.Run(); cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%v: exit %d\n%s", args, cmd.ProcessState.ExitCode(), written.String())
		}
	}
	iterion(exitResumable, "run", "main.bot", "--run-id", "r", "--script", "script.yaml", "--record", "tape", "--json")
	iterion(exitOK, "events", "r")
	iterion(exitOK, "inspect", "r", "--json")
	iterion(exitOK, "report", "r", "--html", "report.html")
	iterion(exitOK, "report", "r")
	texts := map[string][]byte{"the output": written.Bytes()}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || files[filepath.Base(path)] != "" {
			return err
		}
		texts[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(texts) < 4 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	for where, text := range texts {
		for _, spelled := range spellings {
			if bytes.Contains(text, []byte(spelled)) {
				t.Errorf("%s holds %q", where, spelled)
			}
		}
	}
	if !bytes.Contains(written.Bytes(), []byte("[secret token]")) {
		t.Error("nothing was redacted: the test shows nothing")
	}
}
