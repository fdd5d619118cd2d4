package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"iterion/runtime/store"
)

// Events implements store.Store. Times come back in UTC.
func (s *Store) Events(run string, after int64) ([]store.Event, error) {
	t, err := s.reads.Begin() // the run and its events as of one moment
	if err != nil {
		return nil, s.fault(err)
	}
	defer t.Rollback()
	var key, last int64
	err = t.QueryRow(`SELECT key, seq FROM runs WHERE id = ?`, run).Scan(&key, &last)
	after = max(0, after)
	if errors.Is(err, sql.ErrNoRows) || err == nil && last <= after {
		return nil, nil
	}
	if err != nil {
		return nil, s.fault(err)
	}
	return s.events(t, run, key, after, last)
}

// events reads the events behind after, to the last one: none may be missing.
func (s *Store) events(t *sql.Tx, run string, key, after, last int64) ([]store.Event, error) {
	rows, err := t.Query(`SELECT seq, time, type, node, branch, payload, crc FROM events WHERE key > ?1 << 32 | ?2 AND key < ?1 + 1 << 32 ORDER BY key`, key, after)
	if err != nil {
		return nil, s.fault(err)
	}
	defer rows.Close()
	list := make([]store.Event, 0, min(last-after, 1<<17))
	var check checksum
	for rows.Next() {
		e, err := s.event(rows, run, &check)
		if err != nil {
			return nil, err
		}
		if e.Seq != after+int64(len(list))+1 {
			break
		}
		list = append(list, e)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fault(err)
	}
	if at := after + int64(len(list)); at != last {
		return nil, s.corrupt("event %d of run %s is missing", at+1, run)
	}
	return list, nil
}

// event reads one row of events.
func (s *Store) event(rows *sql.Rows, run string, check *checksum) (e store.Event, err error) {
	var kind sql.RawBytes
	var payload string
	var at sql.NullInt64
	var sum int64
	if err := rows.Scan(&e.Seq, &at, &kind, &e.NodeID, &e.BranchID, &payload, &sum); err != nil {
		return e, s.unread(err)
	}
	e.RunID, e.Time, e.Type = run, timeOf(at), typeOf(kind)
	if sum != check.of(&e, payload) {
		return e, s.corrupt("event %d of run %s was changed", e.Seq, run)
	}
	e.Data, err = s.data(run, e.Seq, payload)
	return e, err
}

func (s *Store) data(run string, seq int64, payload string) (map[string]any, error) {
	data, err := decode(payload, s.blobs.load)
	var known fault
	if err != nil && !errors.As(err, &known) {
		err = s.corrupt("event %d of run %s: %w", seq, run, err)
	}
	return data, err
}

const runColumns = `SELECT id, parent, workflow, hash, file, workspace, status, seq, created, updated`

func scanRun(scan func(...any) error, more ...any) (r store.Run, err error) {
	var created, updated sql.NullInt64
	err = scan(append([]any{&r.ID, &r.Parent, &r.Workflow, &r.Hash, &r.File, &r.Workspace, &r.Status, &r.Seq, &created, &updated}, more...)...)
	r.Created, r.Updated = timeOf(created), timeOf(updated)
	return r, err
}

// Run implements store.Store.
func (s *Store) Run(id string) (store.Run, error) {
	var program []byte
	r, err := scanRun(s.reads.QueryRow(runColumns+`, program FROM runs LEFT JOIN programs ON run = key WHERE id = ?`, id).Scan, &program)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Run{}, fmt.Errorf("run %s: %w", id, store.ErrUnknownRun)
	}
	r.Program = program
	return r, s.unread(err)
}

// Runs implements store.Store.
func (s *Store) Runs() ([]store.Run, error) {
	return list(s, runColumns+` FROM runs ORDER BY created DESC, key DESC`, func(rows *sql.Rows) (store.Run, error) {
		return scanRun(rows.Scan)
	})
}

// list runs a query and reads its rows.
func list[T any](s *Store, query string, read func(*sql.Rows) (T, error), args ...any) ([]T, error) {
	rows, err := s.reads.Query(query, args...)
	if err != nil {
		return nil, s.fault(err)
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		one, err := read(rows)
		if err != nil {
			return nil, s.unread(err)
		}
		out = append(out, one)
	}
	return out, s.fault(rows.Err())
}

// Artifact is a published output.
type Artifact struct {
	Name     string    `json:"name"` // of `publish:`
	Node     string    `json:"node_id"`
	Branch   string    `json:"branch_id,omitempty"`
	Version  int64     `json:"version"`
	Written  time.Time `json:"written_at"`
	Labels   []any     `json:"labels,omitempty"`
	Finished bool      `json:"finished"` // its node has ended; the rest is known then only
	SHA256   string    `json:"sha256,omitempty"`
	Size     int64     `json:"size,omitempty"` // of the value's text, in bytes
	Value    any       `json:"value,omitempty"`
}

// Artifacts lists what the nodes of a run published, the oldest first.
func (s *Store) Artifacts(run string) ([]Artifact, error) {
	return list(s, `SELECT a.name, a.node, a.branch, a.version, a.written, w.time, w.payload, coalesce(a.finished, 0), coalesce(a.sha256, ''), coalesce(a.size, 0), coalesce(f.payload, '')
		FROM artifacts a JOIN events w ON w.key = a.run << 32 | a.written LEFT JOIN events f ON f.key = a.run << 32 | a.finished
		WHERE a.run = (SELECT key FROM runs WHERE id = ?) ORDER BY a.written`,
		func(rows *sql.Rows) (a Artifact, err error) {
			var at sql.NullInt64
			var written, finished int64
			var labels, value string
			if err := rows.Scan(&a.Name, &a.Node, &a.Branch, &a.Version, &written, &at, &labels, &finished, &a.SHA256, &a.Size, &value); err != nil {
				return a, err
			}
			data, err := s.data(run, written, labels)
			if err != nil {
				return a, err
			}
			a.Written, a.Finished = timeOf(at), finished > 0
			a.Labels, _ = data["labels"].([]any)
			if data, err = s.data(run, finished, value); err != nil {
				return a, err
			}
			a.Value = data["output"]
			return a, nil
		}, run)
}

// Interaction is a question that a run asked.
type Interaction struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Node     string         `json:"node_id"`
	Branch   string         `json:"branch_id,omitempty"`
	Asked    time.Time      `json:"asked_at"`
	Request  map[string]any `json:"request"`              // data of human_input_requested
	Answered time.Time      `json:"answered_at,omitzero"` // zero: it is open
	Reply    map[string]any `json:"reply,omitempty"`      // data of human_answers_recorded
}

// Interactions lists the questions of a run, the oldest first.
func (s *Store) Interactions(run string) ([]Interaction, error) {
	return list(s, `SELECT i.id, i.kind, q.node, q.branch, i.asked, q.time, q.payload, coalesce(i.answered, 0), a.time, coalesce(a.payload, '')
		FROM interactions i JOIN events q ON q.key = i.run << 32 | i.asked LEFT JOIN events a ON a.key = i.run << 32 | i.answered
		WHERE i.run = (SELECT key FROM runs WHERE id = ?) ORDER BY i.asked`,
		func(rows *sql.Rows) (i Interaction, err error) {
			var askedAt, answeredAt sql.NullInt64
			var asked, answered int64
			var request, reply string
			if err := rows.Scan(&i.ID, &i.Kind, &i.Node, &i.Branch, &asked, &askedAt, &request, &answered, &answeredAt, &reply); err != nil {
				return i, err
			}
			i.Asked, i.Answered = timeOf(askedAt), timeOf(answeredAt)
			if i.Request, err = s.data(run, asked, request); err != nil {
				return i, err
			}
			i.Reply, err = s.data(run, answered, reply)
			return i, err
		}, run)
}

// Grant is a right that a person gave for the rest of the run.
type Grant struct {
	Tool  string    `json:"tool"`
	Input string    `json:"input"` // of the call that was approved
	Scope string    `json:"scope"`
	By    string    `json:"by"`
	At    time.Time `json:"at"`
	Node  string    `json:"node_id"` // that asked
}

// Grants lists the rights of a run, the oldest first.
func (s *Store) Grants(run string) ([]Grant, error) {
	return list(s, `SELECT g.seq, g.tool, g.scope, g.by, e.time, e.node, e.payload
		FROM grants g JOIN events e ON e.key = g.run << 32 | g.seq
		WHERE g.run = (SELECT key FROM runs WHERE id = ?) ORDER BY g.seq`,
		func(rows *sql.Rows) (g Grant, err error) {
			var at sql.NullInt64
			var seq int64
			var payload string
			if err := rows.Scan(&seq, &g.Tool, &g.Scope, &g.By, &at, &g.Node, &payload); err != nil {
				return g, err
			}
			data, err := s.data(run, seq, payload)
			granted, _ := data["grant"].(map[string]any)
			g.At, g.Input = timeOf(at), text(granted, "input")
			return g, err
		}, run)
}

// Session is the conversation that a slot of a run goes on with.
type Session struct {
	Slot string    `json:"slot"`
	ID   string    `json:"session_id"`
	Node string    `json:"node_id"` // that used it last
	At   time.Time `json:"at"`
}

// Sessions lists the conversations of a run by slot.
func (s *Store) Sessions(run string) ([]Session, error) {
	return list(s, `SELECT n.slot, n.id, e.node, e.time FROM sessions n JOIN events e ON e.key = n.run << 32 | n.seq
		WHERE n.run = (SELECT key FROM runs WHERE id = ?) ORDER BY n.slot`,
		func(rows *sql.Rows) (n Session, err error) {
			var at sql.NullInt64
			err = rows.Scan(&n.Slot, &n.ID, &n.Node, &at)
			n.At = timeOf(at)
			return n, err
		}, run)
}
