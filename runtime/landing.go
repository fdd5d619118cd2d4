package runtime

import (
	"context"
	"fmt"

	"iterion/ir"
	"iterion/ir/outcome"
)

// Landing brings what a run did to a branch of its repository. Its errors say
// what to do, and that nothing was merged.
type Landing interface {
	// Snapshot names the state of the run's files, the same one as long as they do
	// not change. The error also tells that nothing can be merged into the target.
	Snapshot(ctx context.Context, into string) (commit string, err error)
	// Merge merges a snapshot, as a whole or not at all. One that was cut off is
	// asked for again with the same Key, and happens once.
	Merge(ctx context.Context, m Merge) (Merged, error)
}

// Merge says what is merged where.
type Merge struct {
	Key      string // of the decision
	Commit   string // of Snapshot
	Into     string // a branch, or `current`
	Strategy string // squash, merge
	Message  string
}

// Merged is what a merge came to.
type Merged struct {
	Branch string // the target
	Commit string // its tip
}

// approvals merge what a review approves.
type approvals struct {
	Landing
	merge Merge
	field string // of the verdict, that says yes
}

// approvals are nil for a review that merges nothing.
func (e *engine) approvals(n *ir.Node, key string) (*approvals, *Failure) {
	h := n.Human
	into := h.MergeInto.Or("current")
	if into == "none" {
		return nil, nil
	}
	a := &approvals{Landing: e.Landing, field: approval(e.p.schema(n.Output))}
	switch {
	case a.field == "":
		return nil, failed(outcome.Unsupported, n.ID+" merges what is approved, and its output has no field that says so: give it `approved: bool`, or set `merge_into: none`").failure
	case a.Landing == nil:
		return nil, failed(outcome.Unsupported, n.ID+" merges into "+into+", and the run works in place: start it in a git repository with a commit and leave `worktree:` at `auto`, or set `merge_into: none`").failure
	}
	a.merge = Merge{
		Key: key, Into: into, Strategy: h.MergeStrategy.Or("squash"),
		Message: fmt.Sprintf("%s: what run %s did, approved at %s", e.p.Workflow.Name, e.RunID, n.ID),
	}
	return a, nil
}

// approval is the field of a verdict that says yes: `approved`, else the only
// bool; "" for none.
func approval(schema *ir.Schema) string {
	if schema == nil {
		return ""
	}
	var bools []string
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.Type == "bool" {
			bools = append(bools, f.Name)
			if f.Name == "approved" {
				return f.Name
			}
		}
	}
	if len(bools) != 1 {
		return ""
	}
	return bools[0]
}

// snapshot is the commit that the next question is about, "" for no merge.
func (a *approvals) snapshot(ctx context.Context) (string, *Failure) {
	if a == nil {
		return "", nil
	}
	commit, err := a.Snapshot(ctx, a.merge.Into)
	if err != nil {
		return "", a.unmerged(ctx, err)
	}
	return commit, nil
}

// offer tells a person what an approval does.
func (a *approvals) offer(commit string) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("\n\n`%s: true` merges the work, as of commit %.12s, into %s.", a.field, commit, a.merge.Into)
}

// close ends the review with a verdict, and merges what it approves.
func (a *approvals) close(ctx context.Context, verdict map[string]any, commit string) answer {
	if a == nil || verdict[a.field] != true {
		return answer{output: verdict}
	}
	m := a.merge
	m.Commit = commit
	done, err := a.Merge(ctx, m)
	if err != nil {
		return answer{failure: a.unmerged(ctx, err)}
	}
	return answer{output: verdict, extra: map[string]any{"merged": map[string]any{"branch": done.Branch, "commit": done.Commit}}}
}

func (a *approvals) unmerged(ctx context.Context, err error) *Failure {
	if ctx.Err() != nil {
		f, _ := classify(ctx, err)
		return f
	}
	return &Failure{Code: outcome.ExecutionFailed, Message: err.Error()}
}
