package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// shelf is a Landing that notes what is merged.
type shelf struct {
	files  int // changes the snapshot
	drifts bool
	refuse error
	merges []Merge
}

func (s *shelf) Snapshot(context.Context, string) (string, error) {
	if s.drifts {
		s.files++
	}
	return fmt.Sprintf("commit-%d", s.files), nil
}

func (s *shelf) Merge(_ context.Context, m Merge) (Merged, error) {
	if s.refuse != nil {
		return Merged{}, s.refuse
	}
	s.merges = append(s.merges, m)
	return Merged{Branch: "main", Commit: "merged"}, nil
}

// merging is a run with a review that merges.
func merging(s *store.Memory, l *shelf, change func(*ir.Human)) Options {
	n := output(node("gate", ir.KindHuman), "verdict")
	n.Human = &ir.Human{Interaction: set("review"), InteractionModel: str("m")}
	if change != nil {
		change(n.Human)
	}
	f := &fake{turns: map[string][]turn{"gate": {{output: map[string]any{"reply": "It looks good.", "verdict": map[string]any{"approved": true, "comment": "fine"}}}}}}
	o := Options{Store: s, Backends: f.find,
		Program: program(n, schema("verdict", "approved", "bool", "comment", "string"), edge("gate", "done"))}
	if l != nil {
		o.Landing = l
	}
	return o
}

var yes = map[string]any{"approved": "true", "comment": "go"}

func TestAnApprovalMerges(t *testing.T) {
	s, l := &store.Memory{}, &shelf{}
	o := merging(s, l, nil)
	o.Asker = Answers{"gate": yes}
	wantStatus(t, play(t, o), outcome.Finished, "")
	if len(l.merges) != 1 || l.merges[0].Key != "r/gate/1" || l.merges[0].Commit != "commit-0" || l.merges[0].Into != "current" || l.merges[0].Strategy != "squash" {
		t.Errorf("merged %+v", l.merges)
	}
	asked, ended := only(t, s, outcome.HumanInputRequested), only(t, s, outcome.NodeFinished)
	if len(asked) != 1 || asked[0]["commit"] != "commit-0" || !strings.Contains(fmt.Sprint(asked[0]["text"]), "`approved: true` merges the work, as of commit commit-0, into current") {
		t.Errorf("asked %v", asked)
	}
	if got := fmt.Sprint(ended[0]["merged"]); got != "map[branch:main commit:merged]" {
		t.Errorf("ended with %v", ended[0])
	}
}

func TestWhatDoesNotMerge(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ir.Human)
		answer map[string]any
	}{
		"a refusal": {nil, map[string]any{"approved": "false", "comment": "no"}},
		"none":      {func(h *ir.Human) { h.MergeInto = set("none") }, yes},
	} {
		l := &shelf{}
		o := merging(&store.Memory{}, l, c.change)
		o.Asker = Answers{"gate": c.answer}
		if r := play(t, o); r.Status != outcome.Finished || len(l.merges) > 0 {
			t.Errorf("%s: %s, merged %+v", name, r.Status, l.merges)
		}
	}
}

func TestTheCompanionsVerdictMerges(t *testing.T) {
	l := &shelf{}
	wantStatus(t, play(t, merging(&store.Memory{}, l, func(h *ir.Human) {
		h.Posture, h.MergeInto, h.MergeStrategy = set("agent_verdict_ok"), set("next"), set("merge")
	})), outcome.Finished, "")
	if len(l.merges) != 1 || l.merges[0].Into != "next" || l.merges[0].Strategy != "merge" {
		t.Errorf("merged %+v", l.merges)
	}
}

// A verdict is about the files that were shown. Others are asked about again.
func TestAVerdictIsOfWhatWasShown(t *testing.T) {
	s, l := &store.Memory{}, &shelf{}
	o := merging(s, l, nil)
	wantStatus(t, play(t, o), outcome.PausedHuman, "")
	l.files = 7
	r, err := goOn(t, o, Resumption{Given: yes})
	if err != nil || r.Status != outcome.PausedHuman || len(l.merges) > 0 || !strings.Contains(r.Waiting[0].Instructions, "have changed since the verdict") {
		t.Fatalf("%s, %v, merged %+v, asked %+v", r.Status, err, l.merges, r.Waiting)
	}
	r, err = goOn(t, o, Resumption{Given: yes})
	if err != nil || r.Status != outcome.Finished || len(l.merges) != 1 || l.merges[0].Commit != "commit-7" {
		t.Errorf("%s, %v, merged %+v", r.Status, err, l.merges)
	}
}

func TestFilesThatNeverRest(t *testing.T) {
	l := &shelf{drifts: true}
	o := merging(&store.Memory{}, l, func(h *ir.Human) { h.MaxTurns = set(int64(3)) })
	o.Asker = Answers{"gate": yes}
	wantStatus(t, play(t, o), outcome.FailedResumable, outcome.WorkspaceSafety)
	if len(l.merges) > 0 {
		t.Errorf("merged %+v", l.merges)
	}
}

// A merge that is refused can be tried again, and nobody is asked again.
func TestARefusedMergeGoesOn(t *testing.T) {
	s, l := &store.Memory{}, &shelf{refuse: errors.New("conflict in a.txt")}
	o := merging(s, l, nil)
	o.Asker = Answers{"gate": yes}
	r := play(t, o)
	wantStatus(t, r, outcome.FailedResumable, outcome.ExecutionFailed)
	if r.Error != "conflict in a.txt" {
		t.Errorf("failed with %q", r.Error)
	}
	l.refuse, o.Asker = nil, nil
	r, err := goOn(t, o, Resumption{})
	if err != nil || r.Status != outcome.Finished || len(l.merges) != 1 || len(only(t, s, outcome.HumanInputRequested)) != 1 {
		t.Errorf("%s, %v, merged %+v", r.Status, err, l.merges)
	}
}

// A process that dies between the verdict and the end of the node asks for the
// same merge again.
func TestADeathBeforeTheMerge(t *testing.T) {
	s, l := &store.Memory{}, &shelf{}
	o := merging(s, l, nil)
	o.Asker = Answers{"gate": yes}
	wantStatus(t, play(t, o), outcome.Finished, "")
	o.Store = died(t, s, outcome.HumanAnswersRecorded, 1)
	o.Asker = nil
	r, err := goOn(t, o, Resumption{})
	if err != nil || r.Status != outcome.Finished || len(l.merges) != 2 || l.merges[0] != l.merges[1] {
		t.Errorf("%s, %v, merged %+v", r.Status, err, l.merges)
	}
}

func TestWhatCannotMergeIsRefused(t *testing.T) {
	inPlace := merging(&store.Memory{}, nil, nil)
	wordless := merging(&store.Memory{}, &shelf{}, nil)
	wordless.Program.Schemas[0].Fields[0].Type = "string"
	for part, o := range map[string]Options{"the run works in place": inPlace, "give it `approved: bool`": wordless} {
		r := play(t, o)
		wantStatus(t, r, outcome.FailedResumable, outcome.Unsupported)
		if !strings.Contains(r.Error, part) {
			t.Errorf("failed with %q, want %q", r.Error, part)
		}
	}
}

// Words by a node's name are for one round: the review waits then.
func TestWordsAreSaidOnce(t *testing.T) {
	s := &store.Memory{}
	o := merging(s, &shelf{}, nil)
	o.Asker = Answers{"gate": {"message": "why?"}}
	f := &fake{turns: map[string][]turn{"gate": {{output: map[string]any{"reply": "Look."}}, {output: map[string]any{"reply": "Because."}}}}}
	o.Backends = f.find
	r := play(t, o)
	if r.Status != outcome.PausedHuman || len(only(t, s, outcome.HumanInputRequested)) != 2 {
		t.Errorf("%s after %d questions", r.Status, len(only(t, s, outcome.HumanInputRequested)))
	}
}
