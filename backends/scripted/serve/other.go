package serve

import (
	"maps"
	"net/http"
	"slices"
)

// countTokens answers with a rough count.
func (h *Handler) countTokens(w http.ResponseWriter, r *http.Request) {
	body, failed := readBody(w, r)
	if failed == nil {
		_, failed = messages{}.read(body)
	}
	at := entry{body: body}
	if failed != nil {
		h.refuse(w, r, messages{}, at, failed)
		return
	}
	h.fixed(w, r, at, object{"input_tokens": tokens(weight(body))})
}

// models lists the models that the script names, and one that answers like any
// other name; in the words of both providers.
func (h *Handler) models(w http.ResponseWriter, r *http.Request) {
	names := map[string]bool{"scripted": true}
	for _, turns := range h.script.nodes {
		for _, t := range turns {
			if t.model != "" {
				names[t.model] = true
			}
		}
	}
	list := []any{}
	sorted := slices.Sorted(maps.Keys(names))
	for _, name := range sorted {
		list = append(list, object{
			"id": name, "object": "model", "created": 0, "owned_by": "script",
			"type": "model", "display_name": name, "created_at": "1970-01-01T00:00:00Z",
		})
	}
	h.fixed(w, r, entry{}, object{
		"object": "list", "data": list, "has_more": false, "first_id": sorted[0], "last_id": sorted[len(sorted)-1],
	})
}

// root answers a client that looks whether somebody is there.
func (h *Handler) root(w http.ResponseWriter, r *http.Request) {
	h.fixed(w, r, entry{}, object{"status": "ok"})
}

// fixed records a request and answers it.
func (h *Handler) fixed(w http.ResponseWriter, r *http.Request, at entry, v any) {
	if failed := h.record(r, at, http.StatusOK); failed != nil {
		h.send(w, spoken(r), failed)
		return
	}
	writeJSON(w, http.StatusOK, v)
}

// unknown refuses what is no address of a wire.
func (h *Handler) unknown(w http.ResponseWriter, r *http.Request) {
	body, failed := readBody(w, r)
	if failed == nil {
		failed = &failure{code: notFound, message: "there is no " + r.Method + " " + r.URL.Path +
			" here; POST /v1/messages, /v1/responses and /v1/chat/completions answer, also behind /node/NAME"}
	}
	h.refuse(w, r, spoken(r), entry{body: body}, failed)
}

// spoken guesses the wire of a request by the header that Anthropic's clients
// send.
func spoken(r *http.Request) wire {
	if r.Header.Get("Anthropic-Version") != "" {
		return messages{}
	}
	return chat{}
}
