package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"iterion/diagnostics/render"
	"iterion/runtime/report"
	"iterion/runtime/trace"
)

// node shows every visit of one node.
func (i *inspection) node(out io.Writer, color bool, name string, asJSON bool) error {
	visits := []*trace.Visit{}
	var names []string
	for _, v := range i.trace.Visits {
		if v.Node == name {
			visits = append(visits, v)
		}
		if !slices.Contains(names, v.Node) {
			names = append(names, v.Node)
		}
	}
	switch {
	case len(names) == 0:
		return failf("no node of run %s has started", i.Run.ID)
	case len(visits) == 0:
		return failf("no node %q has started in run %s%s; these have: %s", name, i.Run.ID, didYouMean(name, names, ""), strings.Join(names, ", "))
	case asJSON:
		return render.Encode(out, visits)
	}
	var b strings.Builder
	for k, v := range visits {
		if k > 0 {
			b.WriteString("\n")
		}
		i.visit(&b, color, v)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (i *inspection) visit(b *strings.Builder, color bool, v *trace.Visit) {
	title := fmt.Sprintf("%s, visit %d", placed(v.Node, v.Branch), v.Number)
	if v.Attempt > 1 {
		title += fmt.Sprintf(", attempt %d", v.Attempt)
	}
	fmt.Fprintf(b, "%s  %s  %s, %s\n", paint(color, bold, title), paint(color, statusStyle(string(v.State)), string(v.State)),
		v.Start.Local().Format("2006-01-02 15:04:05"), report.Took(v.Length(i.trace.At)))
	part(b, "kind", strings.TrimSuffix(fmt.Sprintf("%s, iteration %d, %s", or(v.Kind, "?"), v.Iteration, visible(v.Model)), ", "))
	if v.Usage != (trace.Usage{}) {
		part(b, "usage", fmt.Sprintf("%s in, %s out, %s", report.Number(v.Usage.Input), report.Number(v.Usage.Output), report.Money(v.Usage)))
	}
	for _, w := range v.Waits {
		part(b, "waited", report.Took(w.Length(i.trace.At))+" for a person")
	}
	if !empty(v.Input) {
		part(b, "input", report.Text(v.Input))
	}
	steps(b, color, v, i.trace)
	if v.Failure != nil {
		part(b, "failure", string(v.Failure.Code)+": "+visible(v.Failure.Message))
	}
	if v.Child != "" {
		part(b, "run", v.Child)
	}
	if !empty(v.Output) {
		part(b, "output", report.Text(v.Output))
	}
}

// steps writes the turns and the calls of a visit as they came.
func steps(b *strings.Builder, color bool, v *trace.Visit, t *trace.Trace) {
	calls := v.Calls
	for _, turn := range v.Turns {
		for len(calls) > 0 && calls[0].Start.Before(turn.At) {
			call(b, color, calls[0], t)
			calls = calls[1:]
		}
		text := fmt.Sprintf("%s in, %s out, %s", report.Number(turn.Usage.Input), report.Number(turn.Usage.Output), report.Money(turn.Usage))
		if turn.Agent != "" {
			text += ", subagent " + visible(turn.Agent)
		}
		if turn.Failure != nil {
			text += "\n" + string(turn.Failure.Code) + ": " + visible(turn.Failure.Message)
		}
		if turn.Text != "" {
			text += "\n" + report.Text(turn.Text)
		}
		part(b, "turn", text)
	}
	for _, c := range calls {
		call(b, color, c, t)
	}
}

func call(b *strings.Builder, color bool, c *trace.Call, t *trace.Trace) {
	text := visible(c.Tool) + ", " + or(visible(c.Verdict), "no verdict recorded")
	if c.Stage != "" {
		text += " by " + visible(c.Stage)
	}
	if c.Rule != "" {
		text += ", rule " + visible(c.Rule)
	}
	switch {
	case c.Refused():
		text += ", " + paint(color, red, "refused")
	case c.End.IsZero():
		text += ", no end recorded"
	default:
		text += ", " + report.Took(c.Length(t.At))
	}
	text += "\n" + strings.Join(arguments(c.Input), "\n")
	if c.Failed && c.Began {
		text += "\n" + paint(color, red, "error")
	}
	if c.Result != "" {
		text += "\n→ " + report.Text(c.Result)
	}
	part(b, "call", text)
}

// part writes a title with its text, which stands below itself line by line.
func part(b *strings.Builder, title, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(b, "  %-8s%s\n", title, strings.TrimSuffix(line, "\n"))
		title = ""
	}
}
