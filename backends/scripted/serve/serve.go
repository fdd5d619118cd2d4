// Package serve plays a script over the wires of model providers: Anthropic
// Messages, OpenAI Responses and OpenAI Chat Completions, streamed or whole. A
// real agent program that is pointed at it runs without a network and a key.
//
// A request chooses its list of turns by naming a key of the script: in the
// path, /node/NAME/v1/messages, for programs that take a base URL only; as
// ?node=NAME; or in the header X-Iterion-Node. A request that names none has the
// script's only key, else the key `default`.
//
// The turn is the one behind those that the conversation shows: a model's
// messages are counted, so nothing is lost when either side starts anew. A
// failure leaves no message. So failures are counted here: each is given once
// before the turn that follows it, and again when that turn has been given and
// the same conversation begins anew. One that ends its list is given however
// often a client tries.
//
// Agent programs send requests beside their loop, for a title or a status line.
// One without tools has the first turn of the key `aux`, when the script has
// that key. One whose only tool is session_title, and grok's for its status line,
// are never turns of the loop; without an `aux` they are answered by a fixed text.
//
// Tools are called by the names that the script writes: it speaks of the tools
// of the program that it plays for. An `output:` is a call of the structured
// output tool where the request offers one, else JSON text.
package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"iterion/backends/scripted"
)

// maxBody bounds a request's body, in bytes; providers have the same bound.
const maxBody = 32 << 20

// bodyTime is how long a request's body may take.
const bodyTime = time.Minute

// Handler answers requests of all wires.
type Handler struct {
	script   *script
	mux      *http.ServeMux
	answers  atomic.Int64
	log      io.Writer
	logMutex sync.Mutex
}

// New returns a handler over a script's turns by key. Each request is written
// to log as a JSON object on a line of its own, before it is answered; nil for
// no log.
func New(nodes map[string][]scripted.Turn, log io.Writer) (*Handler, error) {
	s, err := newScript(nodes)
	if err != nil {
		return nil, err
	}
	h := &Handler{script: s, mux: http.NewServeMux(), log: log}
	for _, prefix := range []string{"", "/node/{node}"} {
		h.mux.HandleFunc("POST "+prefix+"/v1/messages", h.turns(messages{}))
		h.mux.HandleFunc("POST "+prefix+"/v1/messages/count_tokens", h.countTokens)
		h.mux.HandleFunc("POST "+prefix+"/v1/responses", h.turns(responses{}))
		h.mux.HandleFunc("POST "+prefix+"/v1/chat/completions", h.turns(chat{}))
		h.mux.HandleFunc("GET "+prefix+"/v1/models", h.models)
		h.mux.HandleFunc("GET "+prefix+"/{$}", h.root)
	}
	h.mux.HandleFunc("/", h.unknown)
	return h, nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// grace is how long answers underway may take when the server ends.
const grace = 2 * time.Second

// Serve answers on a listener until ctx is done; then it ends waiting turns,
// lets answers underway end, and returns nil.
func Serve(ctx context.Context, l net.Listener, h *Handler) error {
	// No ReadTimeout: it would end the turns that wait longer.
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if server.Shutdown(limit) != nil {
			server.Close()
		}
	})
	err := server.Serve(l)
	if !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	<-ended
	return nil
}

// turns answers requests for a turn over one wire.
func (h *Handler) turns(on wire) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, failed := readBody(w, r)
		var asked request
		if failed == nil {
			asked, failed = on.read(body)
		}
		if failed != nil {
			h.refuse(w, r, on, entry{body: body}, failed)
			return
		}
		asked.size = weight(body)
		asked.summary = strings.HasPrefix(r.Header.Get("X-Grok-Req-Id"), "xai-turn-summary")
		h.play(w, r, on, asked, body)
	}
}

func (h *Handler) play(w http.ResponseWriter, r *http.Request, on wire, asked request, body []byte) {
	key := h.script.key(named(r), asked)
	now, number, failed := h.script.next(key, asked)
	at := entry{Node: key, Turn: number, body: body}
	if failed != nil {
		h.refuse(w, r, on, at, failed)
		return
	}
	if err := h.record(r, at, http.StatusOK); err != nil {
		h.send(w, on, err)
		return
	}
	if !wait(r.Context(), now.delay) {
		return
	}
	given := newAnswer(now, asked, h.identity(body))
	if !asked.stream {
		writeJSON(w, http.StatusOK, on.whole(asked, given))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	on.stream(&frames{w: w, control: http.NewResponseController(w)}, asked, given)
}

// identity is new for each answer, and in a conversation also when the server was
// started anew: the conversation has grown.
func (h *Handler) identity(body []byte) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", h.answers.Add(1), body))
	return hex.EncodeToString(sum[:8])
}

// refuse records a failure and answers with it.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, on wire, at entry, failed *failure) {
	status, _ := on.problem(*failed)
	at.Code = failed.code
	if err := h.record(r, at, status); err != nil {
		failed = err
	}
	if wait(r.Context(), failed.delay) {
		h.send(w, on, failed)
	}
}

func (h *Handler) send(w http.ResponseWriter, on wire, failed *failure) {
	status, body := on.problem(*failed)
	failed.headers(w.Header(), on)
	writeJSON(w, status, body)
}

// named is the key that a request names, "" for none.
func named(r *http.Request) string {
	for _, name := range []string{r.PathValue("node"), r.URL.Query().Get("node"), r.Header.Get("X-Iterion-Node")} {
		if name != "" {
			return name
		}
	}
	return ""
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, *failure) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(bodyTime))
	defer control.SetReadDeadline(time.Time{})
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &failure{code: tooLarge, message: fmt.Sprintf("the request is larger than %d bytes", large.Limit)}
	case err != nil:
		return nil, malformed("the request cannot be read: %s", err)
	}
	return body, nil
}

// wait tells whether the client is still there after a time.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
