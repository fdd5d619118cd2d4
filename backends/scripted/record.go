package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	written, err := yaml.MarshalWithOptions(Call{Name: "x", Input: object}, yaml.JSON())
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

// Script is what was recorded so far. The error names a turn that no script can
// give.
func (r *Recorder) Script() (*Script, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &Script{Nodes: map[string][]Turn{}}
	for key, turns := range r.turns {
		list := make([]Turn, slices.Max(slices.Collect(maps.Keys(turns))))
		for i := range list {
			turn, ok := turns[int64(i+1)]
			if !ok {
				turn = unrecorded
			}
			if err := turn.prepare(i + 1); err != nil {
				return nil, fmt.Errorf("node %s, turn %d: %w", key, i+1, err)
			}
			list[i] = turn
		}
		s.Nodes[key] = list
	}
	return s, nil
}

// encode writes a script as text that is read as the same script: for people
// where the YAML library comes out right, which it does not for every text, else
// with all texts quoted.
func (s *Script) encode() ([]byte, error) {
	for _, options := range [][]yaml.EncodeOption{{yaml.UseLiteralStyleIfMultiline(true)}, {yaml.JSON()}} {
		text, err := yaml.MarshalWithOptions(s, options...)
		if err != nil {
			return nil, err
		}
		if read, err := Parse(text); err == nil && s.same(read) {
			return text, nil
		}
	}
	return nil, errors.New("its texts do not come back")
}

// same tells whether two scripts give the same turns.
func (s *Script) same(other *Script) bool {
	if len(s.Nodes) != len(other.Nodes) {
		return false
	}
	for key, turns := range s.Nodes {
		if !slices.EqualFunc(turns, other.Nodes[key], func(a, b Turn) bool { return reflect.DeepEqual(a.ready, b.ready) }) {
			return false
		}
	}
	return true
}

// Write writes the script to a file, whole or not at all.
func (r *Recorder) Write(path string) error {
	script, err := r.Script()
	if err != nil {
		return fmt.Errorf("the recording cannot be written as a script: %w", err)
	}
	text, err := script.encode()
	if err != nil {
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
