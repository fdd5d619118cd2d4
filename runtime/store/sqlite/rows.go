package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"sync"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// row is a statement with its values; the run's key comes before them.
type row struct {
	sql    string
	values []any
}

const (
	putEvent       = `INSERT INTO events (key, time, type, node, branch, iteration, payload, crc) VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`
	putArtifact    = `INSERT OR REPLACE INTO artifacts (run, node, branch, version, name, written, finished, sha256, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	finishArtifact = `UPDATE artifacts SET finished = ?4, sha256 = ?5, size = ?6 WHERE run = ?1 AND node = ?2 AND branch = ?3 AND finished IS NULL`
	putInteraction = `INSERT OR REPLACE INTO interactions (run, id, kind, asked) VALUES (?, ?, ?, ?)`
	answer         = `UPDATE interactions SET answered = ?3 WHERE run = ?1 AND id = ?2`
	putGrant       = `INSERT INTO grants (run, seq, tool, scope, by) VALUES (?, ?, ?, ?, ?)`
	putSession     = `INSERT OR REPLACE INTO sessions (run, slot, id, seq) VALUES (?, ?, ?, ?)`
)

// derive makes the rows that events bring to the tables beside them. The
// output of an artifact is in the node_finished that follows; open are the
// node_finished of artifacts that an earlier batch holds, if any.
func derive(events []store.Event) (rows []row, open []store.Event) {
	artifacts := map[string]row{} // of nodes that have not finished yet, by branch and node
	var order []string
	for _, e := range events {
		at := e.BranchID + "\x00" + e.NodeID
		switch e.Type {
		case outcome.ArtifactWritten:
			artifacts[at] = row{putArtifact, []any{e.NodeID, e.BranchID, whole64(e.Data, "version"), text(e.Data, "publish"), e.Seq, nil, nil, nil}}
			order = append(order, at)
		case outcome.NodeFinished:
			if a, ok := artifacts[at]; ok {
				rows = append(rows, row{putArtifact, append(a.values[:5], output(e)...)})
				delete(artifacts, at)
			} else {
				open = append(open, e)
			}
			if slot := text(e.Data, "session_slot"); slot != "" {
				rows = append(rows, row{putSession, []any{slot, text(e.Data, "session_id"), e.Seq}})
			}
		case outcome.HumanInputRequested:
			rows = append(rows, row{putInteraction, []any{text(e.Data, "interaction_id"), text(e.Data, "kind"), e.Seq}})
		case outcome.HumanAnswersRecorded:
			rows = append(rows, row{answer, []any{text(e.Data, "interaction_id"), e.Seq}})
			if g, ok := e.Data["grant"].(map[string]any); ok {
				rows = append(rows, row{putGrant, []any{e.Seq, text(g, "tool"), text(g, "scope"), text(g, "by")}})
			}
		}
	}
	for _, at := range order {
		if a, ok := artifacts[at]; ok {
			rows = append(rows, a)
			delete(artifacts, at)
		}
	}
	return rows, open
}

// finished closes the artifacts of a node whose end came in a later batch.
func finished(e store.Event) row {
	return row{finishArtifact, append([]any{e.NodeID, e.BranchID}, output(e)...)}
}

// output is where an artifact's value is, its SHA-256 and its size: of the text
// of the whole value, whatever of it became blobs.
func output(e store.Event) []any {
	enc := encoder{}
	_ = enc.value(e.Data["output"], 0) // the event as a whole was written before
	sum := sha256.Sum256(enc.out)
	return []any{e.Seq, hex.EncodeToString(sum[:]), len(enc.out)}
}

func text(d map[string]any, key string) string { s, _ := d[key].(string); return s }

func whole64(d map[string]any, key string) int64 { n, _ := d[key].(int64); return n }

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// checksum guards an event against damage that SQLite does not see, and against
// one that gives it to another run. It is a buffer, used again for each event.
type checksum []byte

func (c *checksum) of(e *store.Event, payload string) int64 {
	buf := append((*c)[:0], e.RunID...)
	for _, part := range []string{string(e.Type), e.NodeID, e.BranchID, payload} {
		buf = append(append(buf, 0), part...)
	}
	*c = buf
	return int64(crc32.Update(uint32(e.Seq), castagnoli(), buf))
}

// spelled is an event as its row has it.
func spelled(e store.Event, sum *checksum) (row, []blob, error) {
	payload, blobs, err := encode(e.Data, maxInline)
	if err != nil {
		return row{}, nil, err
	}
	var iteration any
	if n, ok := e.Data["iteration"].(int64); ok {
		iteration = n
	}
	return row{putEvent, []any{e.Seq, nanos(e.Time), string(e.Type), e.NodeID, e.BranchID, iteration, payload, sum.of(&e, payload)}}, blobs, nil
}

// types are the known types of events, so that reading does not make each anew.
var types = sync.OnceValue(func() map[string]outcome.EventType {
	known := map[string]outcome.EventType{}
	for _, info := range outcome.Events() {
		known[string(info.Type)] = info.Type
	}
	return known
})

func typeOf(word []byte) outcome.EventType {
	if t, ok := types()[string(word)]; ok {
		return t
	}
	return outcome.EventType(word)
}
