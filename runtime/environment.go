package runtime

import (
	"fmt"
	"os"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
)

// environment is what a node's process sees: the run's environment without the
// variables that declared secrets come from, and our own.
func (e *engine) environment(n *ir.Node, sc *Scope) []string {
	hidden := e.secretVariables()
	var out []string
	for _, entry := range e.Env {
		if name, _, _ := strings.Cut(entry, "="); !hidden[strings.ToUpper(name)] {
			out = append(out, entry)
		}
	}
	return append(append(out, e.Secrets.Env...),
		"ITERION_RUN_ID="+e.RunID,
		"ITERION_TREE_NOISE="+treeNoise,
		"ITERION_ARTIFACT_FILES_DIR="+e.artifactDir(),
		fmt.Sprintf("ITERION_IDEMPOTENCY_KEY=%s:%s:%s:%d", e.RunID, n.ID, sc.ID, e.state.Visits[visitKey(n.ID, sc.ID)]),
	)
}

// providerKeys are the variables by which models are paid for. No tool sees
// them; a program that needs one declares it as a secret.
var providerKeys = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY",
	"GEMINI_API_KEY", "GOOGLE_API_KEY", "XAI_API_KEY", "MOONSHOT_API_KEY", "KIMI_API_KEY", "OPENROUTER_API_KEY",
	"MISTRAL_API_KEY", "DEEPSEEK_API_KEY", "GROQ_API_KEY",
}

// secretVariables are the names that a declared secret is read from, in upper
// case: the variables its value refers to, and its own name.
func (e *engine) secretVariables() map[string]bool {
	out := map[string]bool{"ITERION_SECRETS_DIR": true}
	for _, name := range providerKeys {
		out[name] = true
	}
	for _, s := range e.p.Secrets {
		out[strings.ToUpper(s.Name)] = true
		for _, t := range []ir.Opt[ir.Text]{s.Short, s.Value} {
			for _, ref := range expr.EnvRefs(t.V.Value()) {
				out[strings.ToUpper(ref.Name)] = true
			}
		}
	}
	return out
}

// artifactDir is the folder for files that tools hand over.
func (e *engine) artifactDir() string {
	if e.ArtifactDir != "" {
		return e.ArtifactDir
	}
	if e.tempDir == "" {
		dir, err := os.MkdirTemp("", "iterion-artifacts-")
		if err != nil {
			e.OnWarning("there is no folder for artifact files: " + err.Error())
			return ""
		}
		e.tempDir = dir
	}
	return e.tempDir
}

// mapText rewrites every text in a value, keys included.
func mapText(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapText(e, f)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[f(k)] = mapText(e, f)
		}
		return out
	}
	return v
}
