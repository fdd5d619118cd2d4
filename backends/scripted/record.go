package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Recorder is a language model that keeps what another one answers, to be
// written as a script.
type Recorder struct {
	backend.LanguageModel
	hide  func(string) string
	mu    sync.Mutex
	turns map[string]map[int64]Turn
}

// NewRecorder records what a model answers. hide takes secrets out of a text;
// nil leaves it as it is.
func NewRecorder(m backend.LanguageModel, hide func(string) string) *Recorder {
	if hide == nil {
		hide = func(text string) string { return text }
	}
	return &Recorder{LanguageModel: m, hide: hide, turns: map[string]map[int64]Turn{}}
}

// Turn implements backend.LanguageModel. A turn that was cancelled is none.
func (r *Recorder) Turn(ctx context.Context, q backend.Request) (backend.Turn, error) {
	t, err := r.LanguageModel.Turn(ctx, q)
	if err != nil && ctx.Err() != nil {
		return t, err
	}
	key := keys(q)[0]
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.turns[key] == nil {
		r.turns[key] = map[int64]Turn{}
	}
	r.turns[key][q.Number] = r.record(t, err)
	return t, err
}

func (r *Recorder) record(t backend.Turn, err error) Turn {
	out := Turn{Text: r.hide(t.Text), Model: t.Model}
	if u := t.Usage; u != (backend.Usage{}) {
		out.Usage = &Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
	}
	if err != nil {
		out.Text, out.Error = "", r.failure(err)
		return out
	}
	for i, c := range t.Calls {
		input := r.hide(c.Input)
		object, exact := asObject(input)
		switch {
		case !exact:
			out.Tools = append(out.Tools, Call{Name: c.Tool, JSON: &input})
		case c.Tool == outputTool && i == len(t.Calls)-1 && len(object) > 0:
			out.Output = object
		default:
			out.Tools = append(out.Tools, Call{Name: c.Tool, Input: object})
		}
	}
	return out
}

func (r *Recorder) failure(err error) *Failure {
	var typed *backend.Error
	if !errors.As(err, &typed) {
		return &Failure{Code: outcome.ExecutionFailed, Message: r.hide(err.Error())}
	}
	f := &Failure{Code: typed.Code, Message: r.hide(typed.Message)}
	if typed.RetryAfter > 0 {
		f.RetryAfter = typed.RetryAfter.String()
	}
	return f
}

// asObject reads an input as a mapping. It is not exact when the script would
// give the model's tool another text than the model gave.
func asObject(input string) (object map[string]any, exact bool) {
	dec := json.NewDecoder(strings.NewReader(input))
	if dec.Decode(&object) != nil || object == nil {
		return nil, false
	}
	written, err := yaml.Marshal(Call{Name: "x", Input: object})
	if err != nil {
		return nil, false
	}
	var read Call
	if yaml.UnmarshalWithOptions(written, &read, yaml.Strict()) != nil {
		return nil, false
	}
	call, err := read.ready("")
	return object, err == nil && call.Input == input
}

// unrecorded stands for a turn that another process had, so that the turns behind
// it keep their numbers.
var unrecorded = Turn{Error: &Failure{Code: outcome.ScriptExhausted, Message: "this turn was not recorded"}}

// Script is what was recorded so far.
func (r *Recorder) Script() *Script {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &Script{Nodes: map[string][]Turn{}}
	for key, turns := range r.turns {
		for number, turn := range turns {
			for int64(len(s.Nodes[key])) < number {
				s.Nodes[key] = append(s.Nodes[key], unrecorded)
			}
			s.Nodes[key][number-1] = turn
		}
	}
	return s
}

// Write writes the script to a file, whole or not at all. The text is read once
// more before it is written: what is there can be replayed.
func (r *Recorder) Write(path string) error {
	text, err := yaml.Marshal(r.Script())
	if err != nil {
		return fmt.Errorf("the recording cannot be written as a script: %w", err)
	}
	if _, err := Parse(text); err != nil {
		return fmt.Errorf("the recording cannot be written as a script: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
