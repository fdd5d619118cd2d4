package claw

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"iterion/ir/gate"
	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// never is the decision about the run's own tools, which are not judged.
var never = backend.Decision{Verdict: gate.Allowed.String(), Stage: gate.StageInfrastructure.String()}

// plumbing carries out a tool that is never judged. It has no effect but its
// record, so it does not begin: it can be taken up again.
func (r *round) plumbing(ctx context.Context, c backend.Call, tool *tools.Tool) error {
	if tool.Key == outputTool {
		return r.submit(c)
	}
	text, err := r.ask(ctx, c, tool.Key == askLaterTool)
	if problem, ok := err.(inputError); ok {
		return r.refuse(c, never, "the question was not asked: "+problem.Error())
	} else if err != nil {
		return err
	}
	return r.end(c, backend.CallResult{Text: text, Decision: never})
}

// ask puts a model's own question to a person.
func (r *round) ask(ctx context.Context, c backend.Call, later bool) (string, error) {
	if a, ok := r.answer(c); ok {
		return a.Text, nil
	}
	var in struct {
		Question string   `json:"question"`
		Options  []string `json:"options"`
	}
	if err := into(c.Input, &in); err != nil {
		return "", err
	}
	if strings.TrimSpace(in.Question) == "" {
		return "", inputError("question is missing")
	}
	a, err := r.sink.Ask(ctx, backend.Question{Call: c, Text: in.Question, Options: in.Options, Async: later, Resumes: true})
	if err == nil && later {
		return "The question is asked. Go on without the answer: a later step collects it.", nil
	}
	return a.Text, err
}

// search names the tools of the node that hold some words.
func (r *round) search(c backend.Call) backend.CallResult {
	in := struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}{Limit: 8}
	if err := into(c.Input, &in); err != nil {
		return backend.CallResult{Text: err.Error(), Failed: true}
	}
	words := strings.Fields(strings.ToLower(in.Query))
	var found []string
	for _, spec := range r.set.specs {
		text := strings.ToLower(spec.Name + " " + spec.Description)
		hit := len(words) > 0
		for _, word := range words {
			hit = hit && strings.Contains(text, word)
		}
		if hit && len(found) < in.Limit {
			found = append(found, spec.Name+": "+spec.Description)
		}
	}
	if found == nil {
		return backend.CallResult{Text: fmt.Sprintf("no tool matches; the tools are: %s", r.set.names())}
	}
	return backend.CallResult{Text: strings.Join(found, "\n")}
}

// inputError says what of an input a tool cannot take.
type inputError string

func (e inputError) Error() string { return string(e) }

// into reads an input into a struct. A key that it does not have is an error.
func into(input string, v any) error {
	dec := json.NewDecoder(strings.NewReader(input))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return inputError("the input is not valid: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
