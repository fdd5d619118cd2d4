package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"

	"iterion/ir/tools"
)

// wire is how one API writes requests and answers.
type wire interface {
	// read takes out of a body what decides the answer.
	read(body []byte) (request, *failure)
	// whole is the answer as one JSON value.
	whole(r request, a answer) any
	// stream writes the answer as events.
	stream(f *frames, r request, a answer)
	// problem is a failure's status and JSON value.
	problem(f failure) (status int, body any)
}

// object is a JSON object.
type object = map[string]any

// request is what of a request decides the answer.
type request struct {
	model   string
	stream  bool
	usage   bool   // a stream of Chat Completions is to tell the usage
	turns   int    // of the model in the conversation
	opening []byte // the user's first message
	size    int    // of the conversation in bytes, images counted as their tokens
	tools   []tool
	summary bool // for a status line, by its header
}

// tool is a tool that a request offers.
type tool struct {
	name      string
	namespace string // of Responses
	custom    bool   // its input is free text, not JSON
}

// aside tells whether the request is surely none of the loop: for the title of a
// session or for a status line.
func (r request) aside() bool {
	return r.summary || len(r.tools) == 1 && r.tools[0].name == "session_title"
}

// find is the offered tool that a script's name means; one of a namespace is
// named with it, as in mcp__server__tool. A tool that is not offered is called
// by its name all the same.
func (r request) find(name string) tool {
	for _, t := range r.tools {
		if name == t.name || t.namespace != "" && (name == t.namespace+"__"+t.name || name == t.namespace+t.name) {
			return t
		}
	}
	return tool{name: name}
}

// structured is the name of the offered tool for structured output.
func (r request) structured() (name string, ok bool) {
	i := slices.IndexFunc(r.tools, func(t tool) bool {
		known := tools.Lookup(t.name)
		return known != nil && known.Key == "structured_output"
	})
	if i < 0 {
		return "", false
	}
	return r.tools[i].name, true
}

// answer is a turn as it goes over a wire.
type answer struct {
	id            string // the tail of all its ids
	model         string
	text          string
	calls         []placed
	input, output int64 // tokens
}

// placed is a call with its id and the tool that it is for.
type placed struct {
	id    string // the tail
	tool  tool
	input string
}

func newAnswer(t turn, r request, id string) answer {
	a := answer{id: id, model: r.model, text: t.text}
	if t.model != "" {
		a.model = t.model
	}
	calls := t.calls
	if t.output != nil {
		text, _ := encode(t.output) // what YAML or JSON gave can be written as JSON
		if name, ok := r.structured(); ok {
			calls = append(slices.Clip(calls), call{name, text})
		} else {
			a.text = text // words beside it would make it no JSON
		}
	}
	for i, c := range calls {
		a.calls = append(a.calls, placed{fmt.Sprintf("%s_%d", a.id, i+1), r.find(c.name), c.input})
	}
	a.input, a.output = tokens(r.size), tokens(a.size())
	if t.usage != nil {
		a.input, a.output = t.usage.InputTokens, t.usage.OutputTokens
	}
	return a
}

// size is how much the model wrote, in bytes.
func (a answer) size() int {
	n := len(a.text)
	for _, c := range a.calls {
		n += len(c.tool.name) + len(c.input)
	}
	return n
}

// tokens is a rough count, for a turn that tells none: a client takes zero for
// a fault.
func tokens(size int) int64 { return int64(size)/4 + 1 }

// runs counts the turns of a model: what it says at a stretch is one turn.
func runs[T any](entries []T, ofModel func(T) bool) (n int) {
	before := false
	for _, e := range entries {
		now := ofModel(e)
		if now && !before {
			n++
		}
		before = now
	}
	return n
}

// pieces cuts a text for the deltas of a stream, at most eight, between
// characters.
func pieces(text string) (list []string) {
	size := max(16, len(text)/8+utf8.UTFMax)
	for len(text) > size {
		end := size
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		if end == 0 {
			end = size // no text at all
		}
		list, text = append(list, text[:end]), text[end:]
	}
	if text == "" {
		return list
	}
	return append(list, text)
}

// decode reads a body as JSON.
func decode(body []byte, into any) *failure {
	err := json.Unmarshal(body, into)
	var misfit *json.UnmarshalTypeError
	switch {
	case errors.As(err, &misfit) && misfit.Field != "":
		return malformed("%s cannot be a JSON %s", misfit.Field, misfit.Value)
	case errors.As(err, &misfit):
		return malformed("the request has to be a JSON object, not a JSON %s", misfit.Value)
	case err != nil:
		return malformed("the request is no JSON: %s", err)
	}
	return nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	text, err := encode(v)
	if err != nil { // a defect of ours
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

// frames writes server-sent events. After a client has gone it does nothing.
type frames struct {
	w       io.Writer
	control *http.ResponseController
	gone    bool
}

// event writes one event; one without a name has data only.
func (f *frames) event(name string, data any) {
	text, err := encode(data)
	if err != nil { // a defect of ours: the stream must not look whole
		panic(http.ErrAbortHandler)
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	f.write(name + "data: " + text + "\n\n")
}

func (f *frames) write(text string) {
	if f.gone {
		return
	}
	if _, err := io.WriteString(f.w, text); err != nil {
		f.gone = true
		return
	}
	f.gone = f.control.Flush() != nil
}
