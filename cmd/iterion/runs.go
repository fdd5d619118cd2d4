package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/outcome"
	"iterion/runtime/report"
	"iterion/runtime/store"
	"iterion/runtime/trace"
	"iterion/runtime/worktree"
)

func newRuns(std streams) *cobra.Command {
	var opt runsOptions
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List, show and remove runs",
		Long: `List the runs of the store, the newest first: status, cost, and what each waits
for. A run whose process is gone stands as interrupted; it can be resumed.`,
		Example: "  iterion runs\n  iterion runs --status paused_waiting_human\n  iterion runs rm run_ABC",
		Args:    noVerb,
	}
	opt.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return listRuns(cmd, std, opt) }
	cmd.AddCommand(newRunsList(std), newRunsShow(std), newRunsRemove(std))
	return cmd
}

type runsOptions struct {
	store  string
	status []string
	json   bool
	color  string
}

func (o *runsOptions) add(cmd *cobra.Command) {
	storeFlag(cmd, &o.store)
	cmd.Flags().StringSliceVar(&o.status, "status", nil, "only runs that stand so: "+orList(statuses))
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array")
	completes(cmd, "status", statuses)
	colorFlag(cmd, &o.color)
}

// interrupted is what a run stands as whose process is gone. The store has it as
// running.
const interrupted = "interrupted"

// statuses are what a run may stand as.
var statuses = []string{
	string(outcome.Running), string(outcome.PausedHuman), string(outcome.PausedOperator), string(outcome.Finished),
	string(outcome.Failed), string(outcome.FailedResumable), string(outcome.CancelledRun), interrupted,
}

func newRunsList(std streams) *cobra.Command {
	var opt runsOptions
	cmd := &cobra.Command{
		Use:     "ls",
		Short:   "List the runs",
		Long:    "List the runs of the store, the newest first, as `iterion runs` does.",
		Example: "  iterion runs ls --status failed_resumable,interrupted\n  iterion runs ls --json",
		Args:    takes(0, 0, ""),
	}
	opt.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return listRuns(cmd, std, opt) }
	return cmd
}

func listRuns(cmd *cobra.Command, std streams, opt runsOptions) error {
	for _, status := range opt.status {
		if !slices.Contains(statuses, status) {
			return misuse(cmd, "--status takes %s, not %q%s", orList(statuses), status, didYouMean(status, statuses, ""))
		}
	}
	dress, err := lookOf(opt.color, std.out)
	if err != nil {
		return err
	}
	rows, err := runRows(opt)
	if err != nil {
		return storeFailure(err)
	}
	if opt.json {
		return render.Encode(std.out, rows)
	}
	return printRuns(std.out, dress.color, rows)
}

// runRow is a run in the list.
type runRow struct {
	ID       string    `json:"id"`
	Parent   string    `json:"parent,omitempty"`
	Workflow string    `json:"workflow_name"`
	Status   string    `json:"status"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
	TookMS   int64     `json:"duration_ms"` // from its start to its last event
	Tokens   int64     `json:"tokens"`
	CostUSD  *float64  `json:"cost_usd"` // of the turns with a known price, null for none
	Unpriced int64     `json:"unpriced_turns"`
	Waits    []waiting `json:"waits_for,omitempty"`

	usage trace.Usage
}

// waiting is an open question.
type waiting struct {
	ID     string `json:"interaction_id"`
	Kind   string `json:"kind"`
	Node   string `json:"node_id"`
	Branch string `json:"branch_id,omitempty"`
	Tool   string `json:"tool,omitempty"` // of an approval
}

func runRows(opt runsOptions) ([]runRow, error) {
	s, err := readStore(opt.store)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	runs, err := s.Runs()
	if err != nil {
		return nil, err
	}
	rows := []runRow{}
	for _, r := range runs {
		status, err := standing(s, r)
		if err != nil {
			return nil, err
		}
		if opt.status != nil && !slices.Contains(opt.status, status) {
			continue
		}
		row, err := rowOf(s, r, status)
		if errors.Is(err, store.ErrUnknownRun) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// standing is a run's status; of one that nobody drives any more, interrupted.
func standing(s store.Store, r store.Run) (string, error) {
	if r.Status != outcome.Running && r.Status != outcome.Queued {
		return string(r.Status), nil
	}
	_, live, err := s.Owner(r.ID)
	if live || err != nil {
		return string(outcome.Running), err
	}
	return interrupted, nil
}

func rowOf(s store.Store, r store.Run, status string) (runRow, error) {
	events, err := s.Events(r.ID, 0)
	if err != nil {
		return runRow{}, err
	}
	t := trace.Of(events)
	row := runRow{
		ID: r.ID, Parent: r.Parent, Workflow: r.Workflow, Status: status, Created: r.Created, Updated: r.Updated,
		TookMS: t.At.Sub(t.Began).Milliseconds(), Tokens: t.Usage.Tokens(), Unpriced: t.Usage.Unpriced, usage: t.Usage,
	}
	if t.Usage.Priced > 0 {
		row.CostUSD = &t.Usage.CostUSD
	}
	for _, a := range t.Open() {
		row.Waits = append(row.Waits, waiting{a.ID, a.Kind, a.Node, a.Branch, a.Tool})
	}
	return row, nil
}

var runColumns = []string{"RUN", "WORKFLOW", "STATUS", "STARTED", "TOOK", "TOKENS", "COST", "WAITS FOR"}

func printRuns(out io.Writer, color bool, rows []runRow) error {
	table := [][]string{runColumns}
	for _, r := range rows {
		name := visible(r.Workflow)
		if r.Parent != "" {
			name = "↳ " + name // another run's subbot
		}
		table = append(table, []string{
			r.ID, name, r.Status, r.Created.Local().Format("2006-01-02 15:04"), report.Took(time.Duration(r.TookMS) * time.Millisecond),
			report.Number(r.Tokens), report.Money(r.usage), waitsFor(r.Waits),
		})
	}
	_, err := io.WriteString(out, alignedTable(table, map[int]bool{4: true, 5: true, 6: true}, func(row, column int, cell string) string {
		switch {
		case row == 0:
			return paint(color, bold, cell)
		case column == 2:
			return paint(color, statusStyle(table[row][2]), cell)
		}
		return cell
	}))
	return err
}

// waitsFor says in a few words what a run waits for.
func waitsFor(open []waiting) string {
	var parts []string
	for _, w := range open {
		place := w.Node
		if w.Branch != "" {
			place += "@" + w.Branch
		}
		if w.Tool != "" {
			place += " (may " + w.Tool + " run?)"
		}
		parts = append(parts, visible(place))
	}
	return shorten(strings.Join(parts, ", "), 60)
}

func statusStyle(status string) string {
	switch outcome.Status(status) {
	case outcome.Finished:
		return green
	case outcome.Failed, outcome.FailedResumable:
		return red
	case outcome.Running:
		return cyan
	}
	return yellow
}

// alignedTable lines up columns, those in right at their right end. Cells are
// dressed after they are padded; the last column is not padded.
func alignedTable(table [][]string, right map[int]bool, dress func(row, column int, cell string) string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for y, row := range table {
		var line strings.Builder
		for x, cell := range row {
			pad := strings.Repeat(" ", widths[x]-utf8.RuneCountInString(cell))
			switch {
			case right[x]:
				line.WriteString(pad + dress(y, x, cell))
			case x == len(row)-1:
				line.WriteString(dress(y, x, cell))
			default:
				line.WriteString(dress(y, x, cell) + pad)
			}
			line.WriteString("  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func newRunsShow(std streams) *cobra.Command {
	var folder string
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show RUN",
		Short:             "Show what the store keeps of a run",
		Long:              "Show what the store keeps of a run beside its events: file, folder, owner, times.\n`iterion inspect` shows where it stands, `iterion report` what happened.",
		Example:           "  iterion runs show run_ABC",
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&folder),
	}
	storeFlag(cmd, &folder)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return showRun(std.out, folder, args[0], asJSON)
	}
	return cmd
}

func showRun(out io.Writer, folder, id string, asJSON bool) error {
	r, err := findRun(folder, id)
	if err != nil {
		return err
	}
	s, err := readStore(folder)
	if err != nil {
		return storeFailure(err)
	}
	defer s.Close()
	owner, live, err := s.Owner(id)
	if err != nil {
		return storeFailure(err)
	}
	status, err := standing(s, r)
	if err != nil {
		return storeFailure(err)
	}
	if asJSON {
		record := struct {
			store.Run
			Standing string       `json:"standing"`
			Owner    *store.Owner `json:"owner,omitempty"`
		}{r, status, nil}
		if live {
			record.Owner = &owner
		}
		return render.Encode(out, record)
	}
	rows := [][]string{
		{"run", r.ID}, {"part of", r.Parent}, {"workflow", r.Workflow}, {"status", status}, {"file", r.File}, {"folder", r.Workspace},
		{"program", r.Hash}, {"events", report.Number(r.Seq)},
		{"started", r.Created.Local().Format(time.RFC3339)}, {"last event", r.Updated.Local().Format(time.RFC3339)},
	}
	if live {
		rows = append(rows, []string{"driven by", fmt.Sprintf("process %d on %s", owner.PID, owner.Host)})
	}
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
	for _, row := range rows {
		row[1] = visible(row[1])
	}
	_, err = io.WriteString(out, alignedTable(rows, nil, func(_, _ int, cell string) string { return cell }))
	return err
}

func newRunsRemove(std streams) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "rm RUN...",
		Short: "Remove runs with all that is kept of them",
		Long: `Remove runs from the store, with their events and files, and the runs of their
subbots. All or none are removed: a run that a process drives is refused, and so is a
name that no run has. What a removed run left in its worktree is committed to its
branch, which stays.`,
		Example:           "  iterion runs rm run_ABC run_DEF",
		Args:              takes(1, 1<<20, "a run"),
		ValidArgsFunction: completeRuns(&folder),
	}
	storeFlag(cmd, &folder)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		slices.Sort(args)
		return removeRuns(cmd.Context(), std.out, folder, slices.Compact(args))
	}
	return cmd
}

func removeRuns(ctx context.Context, out io.Writer, folder string, ids []string) error {
	for _, id := range ids {
		if _, err := findRun(folder, id); err != nil {
			return err
		}
	}
	s, err := openStore(folder)
	if err != nil {
		return storeFailure(err)
	}
	defer s.Close()
	all, err := s.Runs()
	if err != nil {
		return storeFailure(err)
	}
	ids = withChildren(all, ids)
	var owned *store.OwnedError
	switch err := s.Remove(ids...); {
	case errors.As(err, &owned):
		return failf("%s; end it with `iterion cancel %s` first", err, owned.Run)
	case err != nil:
		return storeFailure(err)
	}
	if err := clearPlaces(ctx, folder, all, ids); err != nil {
		return &status{exitFailed, err.Error()}
	}
	_, err = fmt.Fprintf(out, "removed %s\n", strings.Join(ids, " "))
	return err
}

// withChildren adds the runs of subbots below some runs.
func withChildren(all []store.Run, ids []string) []string {
	for i := 0; i < len(ids); i++ {
		for _, r := range all {
			if r.Parent == ids[i] && !slices.Contains(ids, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}

// clearPlaces removes the files of removed runs and ends their worktrees.
func clearPlaces(ctx context.Context, flag string, all []store.Run, ids []string) error {
	folder, err := storeFolder(flag)
	if err != nil {
		return err
	}
	var failed error
	for _, r := range all {
		if !slices.Contains(ids, r.ID) {
			continue
		}
		failed = errors.Join(failed, os.RemoveAll(filepath.Join(folder, "files", r.ID)))
		_, err := worktree.Prune(ctx, worktree.Options{Repo: r.Workspace, Store: folder}, func(run string) bool { return run != r.ID })
		if !errors.Is(err, worktree.ErrNoRepository) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
