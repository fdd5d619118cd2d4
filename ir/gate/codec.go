package gate

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// wirePolicy is a policy as it travels to another process: rules as their
// authors wrote them, read again by the same parser on the other side.
type wirePolicy struct {
	Version int         `json:"version"`
	Mode    string      `json:"mode"`
	From    string      `json:"from"`
	Deny    []wireRow   `json:"deny,omitempty"`
	Ask     []wireRow   `json:"ask,omitempty"`
	Allow   []wireRow   `json:"allow,omitempty"`
	Grants  []wireGrant `json:"grants,omitempty"`
	Trees   []string    `json:"trees,omitempty"`
	Cwd     string      `json:"cwd,omitempty"`
	Home    string      `json:"home,omitempty"`
}

type wireRow struct {
	Rule  string `json:"rule"`
	From  string `json:"from"`
	Index int    `json:"index"`
}

type wireGrant struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
	Scope Scope           `json:"scope"`
	By    string          `json:"by,omitempty"`
	At    time.Time       `json:"at,omitzero"`
}

// wireVersion is the form of this build. Another one is refused, since a part
// that is not understood could be what closes.
const wireVersion = 1

// MarshalJSON writes the policy without loss.
func (p Policy) MarshalJSON() ([]byte, error) {
	w := wirePolicy{Version: wireVersion, Mode: p.Mode.String(), From: p.ModeFrom.String(), Trees: p.Trees, Cwd: p.Cwd, Home: p.Home}
	for k, list := range w.lists() {
		for _, row := range p.Rows[k] {
			*list = append(*list, wireRow{row.Text, row.From.String(), row.Index})
		}
	}
	for _, g := range p.Grants {
		w.Grants = append(w.Grants, wireGrant{g.Tool, json.RawMessage(g.Input), g.Scope, g.By, g.At})
	}
	return json.Marshal(w)
}

func (w *wirePolicy) lists() [3]*[]wireRow {
	return [3]*[]wireRow{DenyList: &w.Deny, AskList: &w.Ask, AllowList: &w.Allow}
}

// UnmarshalJSON reads a policy. Whatever it does not understand is an error:
// half a policy must not judge.
func (p *Policy) UnmarshalJSON(text []byte) error {
	var w wirePolicy
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("text follows the policy")
	}
	if w.Version != wireVersion {
		return fmt.Errorf("a policy of form %d cannot be read by this build", w.Version)
	}
	var ok bool
	out := Policy{Trees: w.Trees, Cwd: w.Cwd, Home: w.Home}
	if out.Mode, ok = ParseMode(w.Mode); !ok || w.Mode == "" {
		return fmt.Errorf("there is no mode %q", w.Mode)
	}
	if out.ModeFrom, ok = parseOrigin(w.From); !ok {
		return fmt.Errorf("there is no level %q", w.From)
	}
	for k, list := range w.lists() {
		for _, row := range *list {
			rule, err := ParseRule(row.Rule)
			if err != nil {
				return fmt.Errorf("the rule %q: %w", row.Rule, err)
			}
			from, known := parseOrigin(row.From)
			if !known {
				return fmt.Errorf("there is no level %q", row.From)
			}
			out.Rows[k] = append(out.Rows[k], Row{rule, from, row.Index})
		}
	}
	for _, g := range w.Grants {
		switch g.Scope {
		case ForArgument, ForSimilar, ForTool:
		default:
			return fmt.Errorf("there is no scope %q", g.Scope)
		}
		out.Grants = append(out.Grants, Grant{g.Tool, string(g.Input), g.Scope, g.By, g.At})
	}
	*p = out
	return nil
}

func parseOrigin(word string) (Origin, bool) {
	for o := FromDefault; o <= FromFlag; o++ {
		if o.String() == word {
			return o, true
		}
	}
	return 0, false
}

// Encode writes a policy for a command line: base64 of its JSON form.
func (p Policy) Encode() (string, error) {
	text, err := json.Marshal(p)
	return base64.StdEncoding.EncodeToString(text), err
}

// Decode reads what Encode wrote.
func Decode(text string) (Policy, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return Policy{}, err
	}
	var p Policy
	err = json.Unmarshal(raw, &p)
	return p, err
}

// Arm completes a resolved policy with what the engine adds to every one: where
// paths start from, and the folders that stay closed.
func (p Policy) Arm(cwd, home string, trees ...string) Policy {
	p.Cwd, p.Home = cwd, home
	p.Trees = append(SecretTrees[:len(SecretTrees):len(SecretTrees)], trees...)
	return p
}
