package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"iterion/runtime/disk"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/gate"
)

var testFormats = []string{"text", "json", "junit"}

func newPermissionTest(std streams) *cobra.Command {
	var flags permissionFlags
	var format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run tests of a program's policies",
		Long: `Run tests of policies. A test file is YAML and stands beside the program:

  bot: review.bot
  node: worker
  cases:
    - name: pushes are refused
      tool: Bash
      input: { command: git push }
      want: deny
      rule: Bash(git push:*)

"node" may stand in a case as well, and "rule" may be absent. Paths are those
of the test file's folder. Nothing is run.

A file that cannot be run is said, and the others go on.

Exit status: 0 every case agrees; 1 one does not, or a program is invalid; 2 a
file that cannot be read.`,
		Example: "  iterion permission test bots/review.policy.yaml\n  iterion permission test --format junit bots/*.policy.yaml > policy.xml",
		Args:    takes(1, math.MaxInt, "a test file"),
	}
	cmd.Flags().StringVar(&format, "format", "text", orList(testFormats))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, as --format json does")
	completes(cmd, "format", testFormats)
	flags.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON {
			format = "json"
		}
		if !slices.Contains(testFormats, format) {
			return misuse(cmd, "--format takes %s, not %q", orList(testFormats), format)
		}
		t := policyTester{std: std, cmd: cmd, flags: flags}
		report := render.TestReport{Suites: []render.TestSuite{}, Verb: "permission test"}
		code := exitOK
		for _, name := range args {
			suite, err := t.suite(name)
			if err != nil {
				code = max(code, conclude(std.err, cmd, err))
				continue
			}
			report.Suites = append(report.Suites, suite)
		}
		if err := report.Print(std.out, format); err != nil {
			return err
		}
		if report.Failed() > 0 {
			code = max(code, exitFailed)
		}
		return ended(code)
	}
	return cmd
}

// policyTester runs test files.
type policyTester struct {
	std   streams
	cmd   *cobra.Command
	flags permissionFlags
}

// policyTests is a test file.
type policyTests struct {
	Bot   string       `yaml:"bot"`
	Node  string       `yaml:"node"`
	Cases []policyCase `yaml:"cases"`
}

// policyCase is a call with the verdict that is wanted.
type policyCase struct {
	Name  string         `yaml:"name"`
	Node  string         `yaml:"node"`
	Tool  string         `yaml:"tool"`
	Input map[string]any `yaml:"input"`
	Want  string         `yaml:"want"`
	Rule  *string        `yaml:"rule"`
}

// suite runs one file.
func (t *policyTester) suite(name string) (render.TestSuite, error) {
	suite := render.TestSuite{Name: filepath.ToSlash(name)}
	tests, err := readPolicyTests(name)
	if err != nil {
		return suite, err
	}
	p, err := newPolicies(t.std, t.cmd, filepath.Join(filepath.Dir(name), tests.Bot), t.flags)
	if err != nil {
		return suite, err
	}
	if p.cwd, err = filepath.Abs(filepath.Dir(name)); err != nil {
		return suite, failf("%s: %s", name, reason(err))
	}
	gates := map[string]*gate.Gate{}
	for i, c := range tests.Cases {
		if c.Name == "" {
			c.Name = caseName(i+1, c)
		}
		result, err := p.run(c, tests.Node, gates)
		if err != nil {
			return suite, failf("%s: case %d: %s", name, i+1, err)
		}
		suite.Cases = append(suite.Cases, result)
	}
	return suite, nil
}

// caseName names a case without a name by its place and its call.
func caseName(n int, c policyCase) string {
	const longest = 60
	input, err := json.Marshal(c.Input)
	if err != nil {
		input = nil // run says so
	}
	name := fmt.Sprintf("case %d: %s %s", n, c.Tool, input)
	if short := []rune(name); len(short) > longest {
		name = string(short[:longest-1]) + "…"
	}
	return name
}

// readPolicyTests reads a test file. A key that is not known is an error: what
// is misspelt would test nothing.
func readPolicyTests(name string) (tests policyTests, err error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return tests, failf("%s: %s", name, reason(err))
	}
	if err := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict()).Decode(&tests); err != nil {
		return tests, failf("%s: %s", name, yaml.FormatError(err, false, false))
	}
	switch {
	case tests.Bot == "":
		return tests, failf("%s: `bot:` is missing: name the program, relative to this file", name)
	case len(tests.Cases) == 0:
		return tests, failf("%s: `cases:` is missing or empty", name)
	}
	return tests, nil
}

// run judges one case.
func (p *policies) run(c policyCase, node string, gates map[string]*gate.Gate) (render.TestCase, error) {
	out := render.TestCase{Name: c.Name, Want: c.Want}
	if c.Node != "" {
		node = c.Node
	}
	switch c.Want {
	case "allow", "ask", "deny":
	default:
		return out, fmt.Errorf("`want:` is allow, ask or deny, not %q", c.Want)
	}
	if c.Tool == "" {
		return out, fmt.Errorf("`tool:` is missing")
	}
	g := gates[node]
	if g == nil {
		n, err := p.reader(node)
		if err != nil {
			return out, err
		}
		policy, err := p.resolve(n)
		if err != nil {
			return out, err
		}
		g = gate.New(policy, disk.Links{})
		gates[node] = g
	}
	if c.Input == nil {
		c.Input = map[string]any{}
	}
	input, err := json.Marshal(c.Input)
	if err != nil {
		return out, err
	}
	v := g.Evaluate(gate.Call{Tool: c.Tool, Input: string(input)})
	out.Got, out.Reason = v.Decision.String(), v.Reason()
	out.Failed = out.Got != c.Want
	if c.Rule != nil && v.Rule != *c.Rule {
		out.Failed, out.Reason = true, fmt.Sprintf("%s; the rule wanted is `%s`", out.Reason, *c.Rule)
	}
	return out, nil
}
