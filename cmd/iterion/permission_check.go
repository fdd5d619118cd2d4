package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"iterion/runtime/disk"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/gate"
)

// Exit statuses of a single verdict, besides those of every verb.
const (
	exitAsk  = 10
	exitDeny = 11
)

func newPermissionCheck(std streams) *cobra.Command {
	var flags permissionFlags
	var node, tool, input string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Judge one tool call, and say why",
		Long: `Judge one call of a node as the gate would, and print the verdict with every
rule that was tried and what it was tried on. Nothing is run. Paths are those of
the current folder.

Exit status: 0 the call is allowed; 10 it asks; 11 it is denied; 1 an invalid
program; 2 a wrong request, an input that is no JSON object among them.`,
		Example: "  iterion permission check bots/review.bot --node worker --tool Bash --input '{\"command\":\"git push\"}'",
		Args:    takes(1, 1, "one file"),
	}
	f := cmd.Flags()
	f.StringVar(&node, "node", "", "the node that calls")
	f.StringVar(&tool, "tool", "", "the tool, as the backend spells it")
	f.StringVar(&input, "input", "", "the call's input, a JSON object; - reads the standard input")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if tool == "" || input == "" {
			return misuse(cmd, "--tool and --input say which call to judge")
		}
		if input == "-" {
			text, err := io.ReadAll(io.LimitReader(std.in, longestLine))
			if err != nil {
				return failf("the standard input cannot be read: %s", reason(err))
			}
			input = string(text)
		}
		if !isObject(input) {
			return misuse(cmd, "--input is no JSON object, as '{\"command\":\"git push\"}' is one")
		}
		p, err := newPolicies(std, cmd, args[0], flags)
		if err != nil {
			return err
		}
		n, err := p.reader(node)
		if err != nil {
			return err
		}
		policy, err := p.resolve(n)
		if err != nil {
			return failf("%s", err)
		}
		v, trace := gate.New(policy, disk.Links{}).Explain(gate.Call{Tool: tool, Input: input})
		if asJSON {
			err = render.Encode(std.out, checkedJSON(&v, &trace))
		} else {
			err = printVerdict(std.out, &v, &trace)
		}
		if err != nil {
			return err
		}
		return ended(verdictStatus(v.Decision))
	}
	return cmd
}

func isObject(text string) bool {
	return json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}

func verdictStatus(d gate.Decision) int {
	return map[gate.Decision]int{gate.Allowed: exitOK, gate.Asked: exitAsk, gate.Denied: exitDeny}[d]
}

// printVerdict prints a verdict and how it came about.
func printVerdict(out io.Writer, v *gate.Verdict, trace *gate.Trace) error {
	_, err := fmt.Fprintf(out, "%s: %s (stage %s)\n", v.Decision, visible(v.Reason()), v.Stage)
	if err == nil && trace.Unread != "" {
		_, err = fmt.Fprintf(out, "    the call cannot be read: %s\n", visible(trace.Unread))
	}
	for _, s := range trace.Steps {
		if err != nil {
			return err
		}
		outcome := "does not match"
		if s.Matched {
			outcome = "matches " + visible(s.Candidate)
		}
		_, err = fmt.Fprintf(out, "    %s %s (%s): %s\n", s.List, visible(s.Rule), s.From, outcome)
	}
	return err
}

// verdictJSON is a verdict as JSON, with its trace where that was asked for.
type verdictJSON struct {
	From    string     `json:"from,omitempty"`
	Reason  string     `json:"reason"`
	Rule    string     `json:"rule"`
	Stage   string     `json:"stage"`
	Steps   []stepJSON `json:"steps,omitempty"`
	Unread  string     `json:"unread,omitempty"`
	Verdict string     `json:"verdict"`
}

type stepJSON struct {
	Candidate string `json:"candidate,omitempty"`
	From      string `json:"from"`
	List      string `json:"list"`
	Matched   bool   `json:"matched"`
	Rule      string `json:"rule"`
}

func checkedJSON(v *gate.Verdict, trace *gate.Trace) verdictJSON {
	out := verdictJSON{Verdict: v.Decision.String(), Stage: v.Stage.String(), Rule: v.Rule, Reason: v.Reason(), Unread: trace.Unread}
	switch v.Stage {
	case gate.StageDeny, gate.StageAsk, gate.StageAllow, gate.StageMode, gate.StageOff:
		out.From = v.From.String()
	}
	for _, s := range trace.Steps {
		out.Steps = append(out.Steps, stepJSON{s.Candidate, s.From.String(), s.List.String(), s.Matched, s.Rule})
	}
	return out
}
