package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	"iterion/ir/outcome"
)

// entry is a line of the log.
type entry struct {
	Method  string       `json:"method"`
	Path    string       `json:"path"`
	Node    string       `json:"node,omitempty"` // the key whose turn it is
	Turn    int          `json:"turn,omitempty"` // in the key's list, from 1
	Status  int          `json:"status"`
	Code    outcome.Code `json:"code,omitempty"` // of a failure
	Headers http.Header  `json:"headers"`
	Body    any          `json:"body,omitempty"` // JSON, else a text
	body    []byte
}

// secretHeaders are left out of the log. A query is too: some providers take a
// key there.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie"}

// record writes a request to the log. A request that cannot be recorded is not
// answered: who reads the log counts on it.
func (h *Handler) record(r *http.Request, at entry, status int) *failure {
	if h.log == nil {
		return nil
	}
	at.Method, at.Path, at.Status, at.Headers = r.Method, r.URL.Path, status, r.Header.Clone()
	for _, name := range secretHeaders {
		if at.Headers.Get(name) != "" {
			at.Headers.Set(name, "[redacted]")
		}
	}
	switch {
	case json.Valid(at.body):
		at.Body = json.RawMessage(at.body)
	case len(at.body) > 0:
		at.Body = string(at.body)
	}
	line, err := encode(at)
	if err == nil {
		h.logMutex.Lock()
		defer h.logMutex.Unlock()
		_, err = fmt.Fprintln(h.log, line)
	}
	if err != nil {
		return &failure{code: outcome.ExecutionFailed, message: "the log cannot be written: " + err.Error()}
	}
	return nil
}
