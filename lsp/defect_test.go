package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"iterion/lsp/session"
)

// A defect in one answer is an error of that request, told in the log; the next
// one is answered.
func TestDefectEndsItsRequestOnly(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	s := &server{conn: jsonrpc2.NewConn(newQueued(jsonrpc2.NewStream(there))), slots: make(chan struct{}, 1)}
	defer s.conn.Close()
	logged := make(chan jsonrpc2.Message, 1)
	go func() {
		m, _, _ := jsonrpc2.NewStream(here).Read(context.Background())
		logged <- m
	}()
	broken := method{name: "broken", answer: func(context.Context, *server, *session.Snapshot, json.RawMessage) (any, error) {
		var none []int
		return none[len(none)+3], nil
	}}
	_, err := s.work(context.Background(), broken, nil, nil)
	var rpc *jsonrpc2.Error
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc2.InternalError || !strings.Contains(rpc.Message, "a defect of iterion") {
		t.Errorf("got %v", err)
	}
	if n, ok := (<-logged).(*jsonrpc2.Notification); !ok || !strings.Contains(string(n.Params()), "index out of range") {
		t.Errorf("logged %v", n)
	}
	fine := method{name: "fine", answer: func(context.Context, *server, *session.Snapshot, json.RawMessage) (any, error) { return 1, nil }}
	if got, err := s.work(context.Background(), fine, nil, nil); got != 1 || err != nil {
		t.Errorf("the next request: %v, %v", got, err)
	}
}
