package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/report"
	"iterion/runtime/store"
	"iterion/runtime/trace"
)

func newInspect(std streams) *cobra.Command {
	var folder, node, color string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect RUN",
		Short: "Show where a run stands",
		Long: `Show where a run stands and how it goes on: each scope with its node, loops,
budget, open questions with the command that answers them, grants, sessions,
artifacts and outputs. With --node show every visit of one node: input, turns of
its model, calls with verdict and rule, output.`,
		Example:           "  iterion inspect run_ABC\n  iterion inspect run_ABC --node review\n  iterion inspect run_ABC --json",
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&folder),
	}
	storeFlag(cmd, &folder)
	cmd.Flags().StringVar(&node, "node", "", "show the visits of this node")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	colorFlag(cmd, &color)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dress, err := lookOf(color, std.out)
		if err != nil {
			return err
		}
		run, err := readRun(folder, args[0])
		if err != nil {
			return err
		}
		i := newInspection(run, folder)
		switch {
		case cmd.Flags().Changed("node"):
			return i.node(std.out, dress.color, node, asJSON)
		case asJSON:
			return render.Encode(std.out, i)
		}
		_, err = io.WriteString(std.out, i.text(dress.color))
		return err
	}
	return cmd
}

// inspection is a run's state for a reader.
type inspection struct {
	Run    store.Run           `json:"run"`
	State  *runtime.State      `json:"state"`
	Usage  trace.Usage         `json:"usage"`
	Budget []runtime.BudgetUse `json:"budget,omitempty"`
	Asks   []*trace.Ask        `json:"open_questions,omitempty"`
	Next   []report.Step       `json:"next,omitempty"`

	trace *trace.Trace
}

func newInspection(run storedRun, folder string) *inspection {
	s, t := runtime.Fold(run.events), trace.Of(run.events)
	return &inspection{
		Run: run.Run, State: s, Usage: t.Usage, Budget: runtime.BudgetUsed(run.program, s, s.At, os.LookupEnv),
		Asks: t.Open(), Next: report.Next(run.Run, t, run.program, folder), trace: t,
	}
}

// text is the whole state, a part after the other; empty parts are left out.
func (i *inspection) text(color bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s\n", paint(color, bold, i.Run.ID), visible(i.Run.Workflow),
		paint(color, statusStyle(string(i.State.Status)), report.Status(i.State.Status)))
	for _, p := range []struct {
		title string
		lines []string
	}{
		{"failure", i.failure()}, {"next", i.next()}, {"scopes", i.scopes()}, {"loops", i.loops()}, {"usage", i.usage()},
		{"open questions", i.questions()}, {"grants", i.grants()}, {"sessions", i.sessions()},
		{"artifacts", i.artifacts()}, {"outputs", i.outputs()},
	} {
		if len(p.lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", paint(color, bold, p.title))
		for _, line := range p.lines {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

func (i *inspection) failure() []string {
	f := i.State.Failure
	if f == nil {
		return nil
	}
	line := string(f.Code)
	if f.Node != "" {
		line += " at " + f.Node
	}
	return append([]string{line}, paragraph(f.Message)...)
}

func (i *inspection) next() []string {
	var out []string
	for _, s := range i.Next {
		out = append(out, visible(s.Say))
		if s.Command != "" {
			out = append(out, "    "+visible(s.Command))
		}
	}
	return out
}

// scopes says of the main path and of each branch where it stands. A run that
// has ended for good stands nowhere.
func (i *inspection) scopes() []string {
	if i.State.Status == outcome.Finished || i.State.Status == outcome.Failed {
		return nil
	}
	table := [][]string{}
	for _, id := range slices.Sorted(maps.Keys(i.State.Scopes)) {
		sc := i.State.Scopes[id]
		row := []string{or(id, "main path"), sc.Node, string(sc.Phase), ""}
		switch f := sc.Fan; {
		case f != nil:
			row[1] = f.Router
			row[3] = fmt.Sprintf("%d of %d branches ended, %d at work, %d to start", len(f.Results), len(f.Branches), f.Active, len(f.Pending))
		case sc.Phase == runtime.PhaseRunning:
			row[3] = fmt.Sprintf("iteration %d, %d turns", sc.Iteration, sc.Turns)
		}
		table = append(table, row)
	}
	return aligned(table)
}

func (i *inspection) loops() []string {
	var table [][]string
	for _, id := range slices.Sorted(maps.Keys(i.State.Scopes)) {
		loops := i.State.Scopes[id].Loops
		for _, name := range slices.Sorted(maps.Keys(loops)) {
			table = append(table, []string{name, fmt.Sprint(loops[name].Count), or(id, "main path")})
		}
	}
	return aligned(table)
}

func (i *inspection) usage() []string {
	u := i.Usage
	table := [][]string{
		{"time at work", report.Took(i.State.Elapsed(i.State.At))},
		{"node runs", report.Number(i.State.Usage.Iterations)},
		{"tokens", fmt.Sprintf("%s (%s in, %s out)", report.Number(u.Tokens()), report.Number(u.Input), report.Number(u.Output))},
		{"cost", report.Money(u)},
	}
	for _, b := range i.Budget {
		table = append(table, []string{"budget: " + strings.TrimSuffix(b.Axis, "_usd"), fmt.Sprintf("%.0f %%, %s", 100*b.Used/b.Limit, report.Axis(b))})
	}
	return aligned(table)
}

func (i *inspection) questions() []string {
	var out []string
	for _, a := range i.Asks {
		out = append(out, fmt.Sprintf("%s, since %s, id %s", visible(placed(a.Node, a.Branch)), a.Start.Local().Format("2006-01-02 15:04:05"), a.ID))
		out = append(out, paragraph(a.Text)...)
		if a.Tool != "" {
			out = append(out, "  call "+visible(a.Tool)+", rule "+visible(or(a.Rule, "–"))+", "+visible(a.Reason))
			out = append(out, arguments(a.Input)...)
		}
		for _, f := range a.Fields {
			out = append(out, "  "+f.Name+" ("+or(strings.Join(f.Enum, " | "), f.Type)+")")
		}
		for _, c := range a.Choices {
			out = append(out, "  "+c.Answer+stores(c.Stores))
		}
	}
	return out
}

func stores(rule string) string {
	if rule == "" {
		return ""
	}
	return ": for the rest of the run, " + shorten(oneLine(rule), 160)
}

func (i *inspection) grants() []string {
	var table [][]string
	for _, g := range i.State.Grants {
		table = append(table, []string{string(g.Scope), visible(g.Tool), shorten(oneLine(g.Input), 100), visible(or(g.By, "–")), g.At.Local().Format("2006-01-02 15:04:05")})
	}
	return aligned(table)
}

func (i *inspection) sessions() []string {
	var table [][]string
	for _, slot := range slices.Sorted(maps.Keys(i.State.Sessions)) {
		table = append(table, []string{visible(slot), visible(i.State.Sessions[slot])})
	}
	return aligned(table)
}

func (i *inspection) artifacts() []string {
	var table [][]string
	for _, a := range i.trace.Artifacts {
		table = append(table, []string{visible(a.Name), fmt.Sprintf("version %d", a.Version), placed(a.Node, a.Branch), shorten(oneLine(jsonText(a.Value)), 100)})
	}
	return aligned(table)
}

func (i *inspection) outputs() []string {
	trunk := i.State.Scopes[runtime.Trunk]
	if trunk == nil {
		return nil
	}
	var table [][]string
	for _, node := range slices.Sorted(maps.Keys(trunk.Outputs)) {
		if output := trunk.Outputs[node]; output != nil {
			table = append(table, []string{node, shorten(oneLine(jsonText(output)), 160)})
		}
	}
	return aligned(table)
}

// aligned lines up a table without heads.
func aligned(table [][]string) []string {
	if len(table) == 0 {
		return nil
	}
	text := alignedTable(table, nil, func(_, _ int, cell string) string { return cell })
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func placed(node, branch string) string {
	if branch == "" {
		return node
	}
	return node + "@" + branch
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
