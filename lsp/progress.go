package lsp

import (
	"encoding/json"
	"time"

	"go.lsp.dev/protocol"

	"iterion/lsp/feature"
)

// reportEvery is the least time between two reports of a work.
const reportEvery = 100 * time.Millisecond

// progressParams is protocol.ProgressParams with the client's token as it came.
type progressParams struct {
	Token json.RawMessage `json:"token"`
	Value any             `json:"value"`
}

// progress reports under the token of a request; without one nobody is told.
func (s *server) progress(title string, params json.RawMessage) (report feature.Progress, end func()) {
	var p struct {
		Token json.RawMessage `json:"workDoneToken"`
	}
	if json.Unmarshal(params, &p) != nil || len(p.Token) == 0 {
		return func(int, int, string) {}, func() {}
	}
	send := func(value any) { s.notify(protocol.MethodProgress, &progressParams{p.Token, value}) }
	send(&protocol.WorkDoneProgressBegin{Kind: protocol.WorkDoneProgressKindBegin, Title: title})
	last := time.Time{}
	report = func(done, total int, what string) {
		if time.Since(last) < reportEvery {
			return
		}
		last = time.Now()
		send(&protocol.WorkDoneProgressReport{Kind: protocol.WorkDoneProgressKindReport, Message: what, Percentage: uint32(100 * done / max(total, 1))})
	}
	return report, func() { send(&protocol.WorkDoneProgressEnd{Kind: protocol.WorkDoneProgressKindEnd}) }
}
