// Package lsp is the language server: it keeps a session for one client and
// answers its requests, each from the snapshot that held when it came in.
// Notifications are done one after the other; requests run side by side.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// requestCancelled is the error code of a request that its client took back.
const requestCancelled jsonrpc2.Code = -32800

// Options are what the command line knows.
type Options struct {
	Version string // of this build
}

// ErrLeft is the end of a client that left without goodbye.
var ErrLeft = errors.New("the client left without shutdown")

// Serve speaks with one client until it leaves or its process has ended. The
// error is nil when the client said goodbye, with shutdown before it left. Else
// it is ErrLeft, or says why what came could not be read.
func Serve(ctx context.Context, rw io.ReadWriteCloser, opt Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{Options: opt, conn: jsonrpc2.NewConn(newQueued(jsonrpc2.NewStream(rw))), leave: stop,
		pending: map[jsonrpc2.ID]context.CancelFunc{}, slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
	s.pub = newPublisher(s)
	s.conn.Go(ctx, s.handle)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	stop()
	s.conn.Close()
	switch err := s.conn.Err(); {
	case s.stateNow() == closed:
		return nil
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled):
		return ErrLeft
	default:
		return fmt.Errorf("the connection ended: %w", err)
	}
}

// state is how far the protocol has come.
type state int

const (
	fresh  state = iota
	ready        // initialize was answered
	closed       // shutdown was answered
)

type server struct {
	Options
	conn  jsonrpc2.Conn
	leave func() // ends Serve
	pub   *publisher

	mu      sync.Mutex
	state   state
	session *session.Session // from ready on
	client  *protocol317.ClientCapabilities
	pending map[jsonrpc2.ID]context.CancelFunc

	slots chan struct{} // of requests at work
}

func (s *server) stateNow() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// handle takes one message. It never fails: that would end the connection.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	call, isCall := req.(*jsonrpc2.Call)
	if !isCall {
		s.notified(ctx, req)
		return nil
	}
	answer := func(result any, err error) {
		// The client may have left, which the connection sees by itself.
		_ = reply(context.WithoutCancel(ctx), result, err)
	}
	switch state, method := s.stateNow(), req.Method(); {
	case method == protocol.MethodInitialize && state == fresh:
		answer(s.initialize(ctx, req.Params()))
	case state == fresh:
		answer(nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request is initialize"))
	case state == closed || method == protocol.MethodInitialize:
		answer(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s cannot follow now", method))
	case method == protocol.MethodShutdown:
		s.setState(closed)
		answer(nil, nil)
	default:
		s.start(ctx, call, answer)
	}
	return nil
}

func (s *server) setState(to state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = to
}

// start answers a request beside others, from the state of this moment.
func (s *server) start(ctx context.Context, call *jsonrpc2.Call, answer func(any, error)) {
	m, ok := methodNamed(call.Method())
	if !ok {
		answer(nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "%s is not known here", call.Method()))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.pending[call.ID()] = cancel
	s.mu.Unlock()
	snapshot := s.session.Snapshot()
	go func() {
		result, err := s.work(ctx, m, snapshot, call.Params())
		s.mu.Lock()
		delete(s.pending, call.ID())
		s.mu.Unlock()
		if ctx.Err() != nil {
			result, err = nil, jsonrpc2.NewError(requestCancelled, "the request was cancelled")
		}
		cancel()
		answer(result, err)
	}()
}

// work waits for its turn and makes an answer. A defect of ours is an error of
// this request only.
func (s *server) work(ctx context.Context, m method, snapshot *session.Snapshot, params json.RawMessage) (result any, err error) {
	defer s.recovered(m.name, &err)
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.answer(ctx, s, snapshot, params)
}

// recovered turns a panic into an error, and logs where it was.
func (s *server) recovered(what string, err *error) {
	if cause := recover(); cause != nil {
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "a defect of iterion: %v", cause)
		s.log(protocol.MessageTypeError, "a defect of iterion in %s: %v\n%s", what, cause, debug.Stack())
	}
}

// notified does a notification, in the order in which they come.
func (s *server) notified(ctx context.Context, req jsonrpc2.Request) {
	if req.Method() == protocol.MethodExit {
		s.leave()
		return
	}
	do, ok := notifications[req.Method()]
	if !ok || s.stateNow() != ready {
		return
	}
	var err error
	func() {
		defer s.recovered(req.Method(), &err)
		err = do(s, ctx, req.Params())
	}()
	if err != nil {
		s.log(protocol.MessageTypeWarning, "%s: %v", req.Method(), err)
	}
}

// log shows a line in the client's log.
func (s *server) log(kind protocol.MessageType, format string, args ...any) {
	s.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: fmt.Sprintf(format, args...)})
}

// notify sends a notification; a client that has left misses it.
func (s *server) notify(method string, params any) {
	_ = s.conn.Notify(context.Background(), method, params)
}

// request asks the client for something whose answer changes nothing here.
func (s *server) request(ctx context.Context, method string, params any) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	go func() {
		defer cancel()
		_, _ = s.conn.Call(ctx, method, params, nil)
	}()
}
