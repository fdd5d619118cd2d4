package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/runtime"
	"iterion/runtime/report"
	"iterion/runtime/trace"
)

// card is an open question as a person reads it.
func card(q runtime.Question) []string {
	place := q.NodeID
	if q.BranchID != "" {
		place += " @ " + q.BranchID
	}
	switch q.Kind {
	case runtime.AskApproval:
		return approval(q, place)
	case runtime.AskChild:
		return []string{place + " waits for its own run " + q.Instructions + ": resume that first"}
	case runtime.AskForm:
		return append([]string{place + " waits for a person: " + strings.Join(fieldNames(q), ", ")}, paragraph(q.Instructions)...)
	}
	return append([]string{place + " asks:"}, paragraph(q.Instructions)...)
}

// approval shows the call that would run, why it is not simply allowed, and what
// each answer stores.
func approval(q runtime.Question, place string) []string {
	out := []string{place + " asks to call " + visible(q.Call.Tool) + ":"}
	out = append(out, arguments(q.Call.Input)...)
	if q.Hidden {
		out = append(out, "  careful: characters that would not show are written as \\u and their number")
	}
	why := q.Reason
	if q.Rule != "" {
		why += " (" + q.Rule + ")"
	}
	out = append(out, "  "+visible(why))
	for _, c := range q.Choices {
		line := "  " + c.Answer
		if c.Stores != "" {
			line += ": for the rest of the run, " + shorten(oneLine(c.Stores), 160)
		}
		out = append(out, line)
	}
	return out
}

// arguments shows a call's input, a key at a time; what is no object is shown
// as it is.
func arguments(input string) []string {
	var values map[string]any
	dec := json.NewDecoder(strings.NewReader(input))
	dec.UseNumber()
	if dec.Decode(&values) != nil {
		return paragraph(input)
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text, ok := values[key].(string)
		if !ok {
			text = jsonText(values[key])
		}
		lines := strings.Split(text, "\n")
		if len(lines) == 1 {
			out = append(out, "  "+visible(key)+": "+visible(text))
			continue
		}
		out = append(out, "  "+visible(key)+":")
		for _, line := range lines {
			out = append(out, "  | "+visible(line))
		}
	}
	return out
}

func paragraph(text string) []string {
	var out []string
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		out = append(out, "  "+visible(strings.TrimSuffix(line, "\n")))
	}
	return out
}

func oneLine(text string) string { return strings.ReplaceAll(visible(text), "\n", `\n`) }

// nextSteps are the commands by which a stopped run goes on.
func nextSteps(r runtime.Result, store string) []string {
	resume := report.Resume(r.RunID, store)
	switch len(r.Waiting) {
	case 0:
		return []string{resume}
	case 1:
		return []string{report.AnswerBy(resume, traced(r.Waiting[0]))}
	}
	return []string{resume + " --answers-file FILE", "where FILE holds the answers by question: " + strings.Join(questionIDs(r), ", ")}
}

// traced is a question as reports know it.
func traced(q runtime.Question) *trace.Ask {
	a := &trace.Ask{ID: q.ID, Kind: q.Kind, Node: q.NodeID, Branch: q.BranchID, Text: q.Instructions}
	for _, f := range q.Fields {
		a.Fields = append(a.Fields, trace.Field{Name: f.Name, Type: f.Type, Enum: ir.Strings(f.Enum)})
	}
	for _, c := range q.Choices {
		a.Choices = append(a.Choices, trace.Choice{Answer: c.Answer, Stores: c.Stores})
	}
	return a
}

func questionIDs(r runtime.Result) []string {
	var ids []string
	for _, q := range r.Waiting {
		ids = append(ids, q.ID)
	}
	return ids
}

// fieldNames lists a form's fields with their types.
func fieldNames(q runtime.Question) []string {
	names := []string{}
	for _, f := range q.Fields {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name, f.Type))
	}
	if len(names) == 0 {
		return []string{"any answer"}
	}
	return names
}
