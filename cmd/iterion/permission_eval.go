package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"iterion/diagnostics/render"
	"iterion/runtime/disk"

	"github.com/spf13/cobra"

	"iterion/ir/gate"
)

// longestLine is the longest call that eval reads, in bytes.
const longestLine = 16 << 20

// fullBatch ends a batch, in bytes.
const fullBatch = 1 << 20

func newPermissionEval(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Judge calls from the standard input, one JSON object a line",
		Long: `Judge calls that stand one a line on the standard input, each with its policy:

  {"id":"…","policy":{"mode":"ask","allow":[],"ask":[],"deny":[],"grants":[],
   "cwd":"/work","home":"/home/me"},"call":{"tool":"Bash","input":{}}}

Each line is answered in order by {"id","verdict","stage","rule","reason"}, or by
{"id","error"} when it is no such object; the others go on. Memory does not grow
with the number of lines.

Exit status: 0 every line was judged; 2 one was not.`,
		Example: "  iterion permission eval < calls.jsonl",
		Args:    takes(0, 0, "no argument"),
	}
	cmd.Flags().Bool("json", true, "the only form there is")
	cmd.RunE = func(*cobra.Command, []string) error {
		return new(evaluator).run(std.in, std.out)
	}
	return cmd
}

// evaluator judges lines in batches, the lines of one side by side. Lines with
// the policy of an earlier one share its gate.
type evaluator struct {
	gates  gateCache
	failed atomic.Bool
}

// asked is one line, and in its place the answer.
type asked struct {
	line   []byte
	err    error // why there is no line
	answer []byte
}

func (e *evaluator) run(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		batch, err := readBatch(r)
		e.judge(batch)
		for i := range batch {
			if _, werr := out.Write(batch[i].answer); werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if e.failed.Load() {
		return ended(exitUsage)
	}
	return nil
}

// judge answers the lines of a batch, on every processor.
func (e *evaluator) judge(batch []asked) {
	var next atomic.Int32
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(batch) {
				return
			}
			q := &batch[i]
			q.answer = e.answer(q.line, q.err).text()
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(batch)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// readBatch reads what has already come, and at least one line: whoever waits
// for an answer gets it before the next question.
func readBatch(r *bufio.Reader) (batch []asked, err error) {
	for size := 0; ; {
		line, err := readLine(r)
		q := asked{line: line}
		if err == errLong {
			q.err, err = err, nil
		}
		if q.err != nil || len(bytes.TrimSpace(line)) > 0 {
			batch = append(batch, q)
		}
		if size += len(line); err != nil || size > fullBatch || r.Buffered() == 0 {
			return batch, err
		}
	}
}

var errLong = fmt.Errorf("the line is longer than %d MiB", longestLine>>20)

// readLine reads to the next newline. Of a line that is too long the rest is
// passed over.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) <= longestLine {
			line = append(line, part...)
		} else {
			line = nil
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			if err == nil || err == io.EOF {
				return nil, errLong
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// answerJSON is one line of the answer.
type answerJSON struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Verdict string          `json:"verdict,omitempty"`
	Stage   string          `json:"stage,omitempty"`
	Rule    *string         `json:"rule,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Error   string          `json:"error,omitempty"`
}

func (a answerJSON) text() []byte {
	var out bytes.Buffer
	if err := render.EncodeLine(&out, a); err != nil {
		panic(err) // the id was read as JSON, the rest is text
	}
	return out.Bytes()
}

func (e *evaluator) answer(line []byte, err error) answerJSON {
	var q struct {
		ID     json.RawMessage
		Policy json.RawMessage
		Call   *struct {
			Tool  string
			Input json.RawMessage
		}
	}
	if err == nil {
		err = json.Unmarshal(line, &q)
	}
	a := answerJSON{ID: q.ID}
	var g *gate.Gate
	switch {
	case err != nil:
	case q.Policy == nil || q.Call == nil || q.Call.Tool == "":
		err = errors.New("it needs a policy and a call with a tool")
	default:
		g, err = e.gates.find(q.Policy, len(line))
	}
	if err != nil {
		e.failed.Store(true)
		a.Error = err.Error()
		return a
	}
	v := g.Evaluate(gate.Call{Tool: q.Call.Tool, Input: string(q.Call.Input)})
	a.Verdict, a.Stage, a.Rule, a.Reason = v.Decision.String(), v.Stage.String(), &v.Rule, v.Reason()
	return a
}

// gateCache keeps the gates of the latest policies, for lines side by side.
type gateCache struct {
	mu    sync.Mutex
	gates map[string]*gate.Gate
	spent int // bytes of the lines that its gates judged, which they may keep
}

// The bounds of a gateCache.
const (
	mostGates = 1024
	mostSpent = 64 << 20
)

// find finds or makes the gate of a policy, for a line of some bytes.
func (c *gateCache) find(text []byte, line int) (*gate.Gate, error) {
	c.mu.Lock()
	if c.spent += line; c.gates == nil || len(c.gates) >= mostGates || c.spent > mostSpent {
		c.gates, c.spent = map[string]*gate.Gate{}, line
	}
	g := c.gates[string(text)]
	c.mu.Unlock()
	if g != nil {
		return g, nil
	}
	policy, err := readPolicy(text)
	if err != nil {
		return nil, err
	}
	g = gate.New(policy, disk.Links{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gates[string(text)] = g
	return g, nil
}

// readPolicy reads a policy as people write it. A key that is not known could
// be a rule list that is misspelt, so it is an error.
func readPolicy(text []byte) (gate.Policy, error) {
	var p struct {
		Mode             string
		Allow, Ask, Deny []string
		Grants           []struct {
			Tool  string
			Input json.RawMessage
			Scope gate.Scope
		}
		Cwd, Home string
	}
	if key := gate.RepeatedKey(text); key != "" {
		return gate.Policy{}, fmt.Errorf("the policy: the key %q stands twice", key)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return gate.Policy{}, fmt.Errorf("the policy: %w", err)
	}
	level := gate.Level{Mode: p.Mode}
	for k, list := range [3][]string{gate.DenyList: p.Deny, gate.AskList: p.Ask, gate.AllowList: p.Allow} {
		for _, entry := range list {
			rule, err := gate.ParseRule(entry)
			if err != nil {
				return gate.Policy{}, fmt.Errorf("the %s rule %q: %w", gate.Kind(k), entry, err)
			}
			level.Lists[k] = append(level.Lists[k], rule)
		}
	}
	policy, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		return policy, err
	}
	for _, g := range p.Grants {
		switch g.Scope {
		case gate.ForArgument, gate.ForSimilar, gate.ForTool:
			policy.Grants = append(policy.Grants, gate.Grant{Tool: g.Tool, Input: string(g.Input), Scope: g.Scope})
		default:
			return policy, fmt.Errorf("the scope %q of a grant: write argument, similar or tool", g.Scope)
		}
	}
	return policy.Arm(p.Cwd, p.Home), nil
}
