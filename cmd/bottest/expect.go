package bottest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime"
)

// seen is all that a run left behind.
type seen struct {
	result   runtime.Result
	story    *story
	commands map[string][]string
	dir      string // the workspace
}

// holds names everything that is not as it was expected.
func (e *Expect) holds(s seen) []string {
	return slices.Concat(e.ending(s.result), e.ways(s.story), e.values(s), e.calls(s.story), e.costs(s.result), e.left(s))
}

// Ending is the wanted end in words.
func (e *Expect) Ending() string {
	if e.FailureCode == "" {
		return string(e.Status)
	}
	return strings.TrimSpace(string(e.Status) + " " + string(e.FailureCode))
}

func (e *Expect) ending(r runtime.Result) (list []string) {
	if e.Status != "" && e.Status != r.Status {
		list = append(list, wrong("status", string(e.Status), ended(r)))
	}
	if e.FailureCode != "" && e.FailureCode != r.FailureCode {
		list = append(list, wrong("failure_code", string(e.FailureCode), ended(r)))
	}
	if !strings.Contains(r.Error, e.Error) {
		list = append(list, wrong("error", "a text with "+spell(e.Error), spell(r.Error)))
	}
	return list
}

// ended is how a run ended, in words.
func ended(r runtime.Result) string {
	text := string(r.Status)
	if r.FailedNode != "" {
		text += " at " + r.FailedNode
	}
	if r.FailureCode != "" {
		text += fmt.Sprintf(": %s: %s", r.FailureCode, r.Error)
	}
	for _, q := range r.Waiting {
		what := "an answer"
		if q.Kind == runtime.AskApproval {
			what = "the approval of " + call(q.Call.Tool, q.Call.Input)
		}
		text += fmt.Sprintf("; %s waits for %s", q.NodeID, what)
	}
	return text
}

func (e *Expect) ways(s *story) (list []string) {
	if e.Path != nil && !follows(e.Path, s.paths[runtime.Trunk]) {
		list = append(list, wrong("path", arrows(e.Path), arrows(s.paths[runtime.Trunk])))
	}
	for _, branch := range slices.Sorted(maps.Keys(e.Branches)) {
		if path := s.paths[branch]; !follows(e.Branches[branch], path) {
			list = append(list, wrong("branches."+branch, arrows(e.Branches[branch]), arrows(path)))
		}
	}
	return list
}

func (e *Expect) values(s seen) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(e.Outputs)) {
		got, ok := s.result.Outputs[key]
		if of, in := s.story.outputs[key]; in {
			got, ok = of, true
		}
		list = append(list, found("outputs."+key, e.Outputs[key], got, ok)...)
	}
	published := map[string]runtime.Artifact{}
	if s.result.State != nil && s.result.State.Scopes[runtime.Trunk] != nil {
		published = s.result.State.Scopes[runtime.Trunk].Artifacts
	}
	for _, name := range slices.Sorted(maps.Keys(e.Artifacts)) {
		got, ok := published[name]
		list = append(list, found("artifacts."+name, e.Artifacts[name], got.Value, ok && !got.Pending)...)
	}
	for _, node := range slices.Sorted(maps.Keys(e.Commands)) {
		part := e.Commands[node]
		if !slices.ContainsFunc(s.commands[node], func(text string) bool { return strings.Contains(text, part) }) {
			list = append(list, wrong("commands."+node, "one with "+spell(part), spell(strings.Join(s.commands[node], "\n"))))
		}
	}
	return list
}

func found(what string, want, got any, ok bool) []string {
	if !ok {
		return []string{wrong(what, spell(want), "nothing")}
	}
	want, err := expr.Normalize(want)
	if err != nil {
		return []string{what + ": " + err.Error()}
	}
	return differ(what, want, got)
}

func (e *Expect) calls(s *story) (list []string) {
	for _, group := range []struct {
		what string
		want []Call
		got  []made
	}{{"denied", e.Denied, s.denied}, {"asked", e.Asked, s.asked}, {"allowed", e.Allowed, s.allowed}} {
		if group.want != nil && len(group.want) == 0 && len(group.got) > 0 {
			list = append(list, wrong(group.what, "no call", told(group.got)))
		}
		for _, c := range group.want {
			if !slices.ContainsFunc(group.got, func(m made) bool { return m.is(c) }) {
				list = append(list, wrong(group.what, c.String(), told(group.got)))
			}
		}
	}
	return list
}

func (c Call) String() string {
	text := call(c.Tool, c.Match)
	if c.Node != "" {
		text += " of " + c.Node
	}
	if c.Rule != "" {
		text += " by " + c.Rule
	}
	return text
}

func told(calls []made) string {
	if len(calls) == 0 {
		return "no call"
	}
	var list []string
	for _, c := range calls {
		list = append(list, c.String())
	}
	return strings.Join(list, "; ")
}

func (e *Expect) costs(r runtime.Result) (list []string) {
	if r.State == nil {
		return nil
	}
	used := r.State.Usage
	if e.MaxTokens != nil && used.Tokens > *e.MaxTokens {
		list = append(list, wrong("max_tokens", fmt.Sprint(*e.MaxTokens), fmt.Sprint(used.Tokens)))
	}
	if e.MaxCostUSD == nil {
		return list
	}
	if used.Unpriced > 0 {
		list = append(list, fmt.Sprintf("max_cost_usd: the cost is not known: %s without `usage: { cost_usd: … }` in the script", counted(int(used.Unpriced), "turn")))
	} else if used.CostUSD > *e.MaxCostUSD {
		list = append(list, wrong("max_cost_usd", fmt.Sprint(*e.MaxCostUSD), fmt.Sprint(used.CostUSD)))
	}
	return list
}

// left looks at the files of the workspace.
func (e *Expect) left(s seen) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		want := e.Files[name]
		text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		at := "files." + name
		switch {
		case want == nil && err == nil:
			list = append(list, wrong(at, "no such file", spell(brief(string(text)))))
		case want == nil:
		case err != nil:
			list = append(list, wrong(at, want.String(), "no such file"))
		case want.text != nil && *want.text != string(text), !strings.Contains(string(text), want.contains):
			list = append(list, wrong(at, want.String(), spell(string(text))))
		}
	}
	return list
}

func (c *Content) String() string {
	if c.text != nil {
		return spell(*c.text)
	}
	return "a text with " + spell(c.contains)
}

// failed is a run that did not start, as a result.
func failed(f *runtime.Failure) runtime.Result {
	return runtime.Result{Status: outcome.Failed, FailureCode: f.Code, Error: f.Message}
}
