package runtime

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// Options say what to run and with what. Program and Backends are needed, all
// else has a default.
type Options struct {
	Program *ir.Program
	Vars    map[string]any // bound, as BindVars returns them
	Inputs  map[string]any // launch inputs, read by the entry node
	// Backends finds a backend by the name of `backend:`, "" where the program
	// names none.
	Backends func(name string) (backend.Backend, bool)
	// Child compiles the program of a subbot: its `source:` and the file that
	// holds the line, both as written; it tells the file too, for the record. nil:
	// subbots are not supported.
	Child       func(source, from string) (p *ir.Program, file string, err error)
	Asker       Asker          // nil: every question pauses the run
	Store       store.Store    // nil: in memory
	RunID       string         // "" for a random one
	Parent      string         // the run whose subbot this is, "" for none
	File        string         // of the program, for the record
	Started     string         // folder that the run was started in, for the record; "" for Workspace
	Workspace   string         // working directory of tools and backends; "" for the process's
	ArtifactDir string         // files that tools hand over; "" for a temporary folder
	Attachments map[string]any // by name: {path, url, mime, size, sha256}
	Secrets     Secrets
	Landing     Landing    // where reviews merge; nil when the run works in place
	Permission  Permission // what the operator says beside the program
	Operator    string     // who answers, for grants; "" for nobody named
	Backend     string     // of every node, whatever the program says; "" to leave it
	Model       string     // of every node, whatever the program says; "" to leave it
	Caps        Caps       // of the budget, in the place of the program's
	// AllowUnknownCost runs models whose price is not known under a cap of cost.
	AllowUnknownCost bool
	// Tools stands in for the commands of tool nodes, in tests; nil: they run.
	Tools StandIn
	Env   []string         // of tools and backends; nil for the process's
	Clock func() time.Time // nil: time.Now
	// OnEvent is told of every event once it is stored, in order, from one
	// goroutine.
	OnEvent func(Event)
	// OnWarning is told of what a log should show: a condition that could not
	// be judged, a session that starts fresh.
	OnWarning func(message string)

	depth int  // of subbots
	force bool // subbots go on although their programs have changed
}

// Secrets are the values that a program's tools may name.
type Secrets struct {
	Values map[string]string   // by name; all are redacted wherever they would show
	Paths  map[string]string   // files that hold values, by name
	Hosts  map[string][]string // hosts that a value may go to; without an entry, any
	Env    []string            // NAME=path of files, for every tool and backend
}

// Asker puts questions to a person. It is safe for concurrent use.
type Asker interface {
	// Ask returns the answers by field: text, which is read as the field's type,
	// or values. False leaves the question open and the run pauses. Answers that
	// do not fit are asked for again, with Problem set.
	Ask(ctx context.Context, q Question) (answers map[string]any, ok bool, err error)
}

// Question is what a person is asked.
type Question struct {
	ID           string // the same in every attempt
	Kind         string // AskForm, AskApproval, AskQuestion, AskLater
	NodeID       string
	BranchID     string
	Instructions string // markdown
	Input        map[string]any
	Fields       []ir.Field // the form; empty: any answers
	MinAnswers   int64      // 0: every field
	Problem      string     // why the answers before were refused

	// Of an approval: the call, why it is not simply allowed, and what each
	// answer stores.
	Call    backend.Call
	Rule    string
	Reason  string
	Choices []Choice
	Hidden  bool // the input holds characters that do not show
}

// Answers is an Asker that knows them beforehand: fields by node id, or by the
// question's own id. It does not answer twice to one question. A call is approved
// by the question's id only: a node's may ask for any call.
type Answers map[string]map[string]any

// Ask implements Asker.
func (a Answers) Ask(_ context.Context, q Question) (map[string]any, bool, error) {
	answers, ok := a.to(q)
	return answers, ok && q.Problem == "", nil
}

func (a Answers) to(q Question) (map[string]any, bool) {
	answers, ok := a[q.ID]
	if !ok && q.Kind != AskApproval {
		answers, ok = a[q.NodeID]
		// Words are for the first round of a review: given again and again, they
		// would keep it from its end.
		if q.Kind == AskReview && text(answers, "message") != "" && !strings.HasSuffix(q.ID, "/1") {
			return nil, false
		}
	}
	return answers, ok
}

// Result is how a run ended or where it waits.
type Result struct {
	RunID       string
	Status      outcome.Status
	FailureCode outcome.Code // "" unless it failed
	Error       string
	FailedNode  string
	Outputs     map[string]any // latest output by node, of the trunk
	Waiting     []Question     // open questions of a paused run
	State       *State
}

// Run executes a program from its entry until it ends or waits. The error
// tells that the run could not be recorded or started; how the run itself ended
// is in the Result. Cancelling ctx cancels the run.
func Run(ctx context.Context, o Options) (Result, error) {
	e, err := newEngine(o)
	if err != nil {
		return Result{}, err
	}
	defer e.close()
	if err := e.guard(); err != nil {
		return Result{}, err
	}
	lease, err := e.create()
	if err != nil {
		return Result{}, err
	}
	defer lease.Release()
	e.p.limits.cap(e.Caps)
	data := map[string]any{
		"workflow": e.p.Workflow.Name, "workflow_hash": e.p.Hash(), "entry": e.p.Workflow.Entry.V,
		"vars": e.Vars, "inputs": e.Inputs,
	}
	if caps := e.Caps.data(); caps != nil {
		data["caps"] = caps
	}
	if said := e.Permission.data(); said != nil {
		data["permission"] = said
	}
	if len(e.Attachments) > 0 {
		data["attachments"] = e.Attachments
	}
	e.emit(Event{Type: outcome.RunStarted, Data: data})
	return e.run(ctx)
}

// NewID makes a name for a run.
func NewID() string { return "run_" + rand.Text() }

// create adds the run to the store and takes it.
func (e *engine) create() (store.Lease, error) {
	program, err := json.Marshal(e.Program)
	if err != nil {
		return nil, err
	}
	err = e.Store.Create(store.Run{
		ID: e.RunID, Parent: e.Parent, Workflow: e.p.Workflow.Name, Hash: e.p.Hash(), Program: []byte(e.hidden.Text(string(program))),
		File: e.File, Workspace: cmp.Or(e.Started, e.Workspace), Created: e.now(),
	})
	if err != nil {
		return nil, err
	}
	return e.Store.Own(e.RunID)
}

func (o *Options) defaults() error {
	if o.Store == nil {
		o.Store = &store.Memory{}
	}
	if o.RunID == "" {
		o.RunID = NewID()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Backends == nil {
		o.Backends = func(string) (backend.Backend, bool) { return nil, false }
	}
	if o.OnEvent == nil {
		o.OnEvent = func(Event) {}
	}
	if o.OnWarning == nil {
		o.OnWarning = func(string) {}
	}
	var err error
	if o.Vars, err = values(o.Vars); err != nil {
		return err
	}
	o.Inputs, err = values(o.Inputs)
	return err
}
