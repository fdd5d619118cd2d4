// Package hook is the gate's arm in agent programs that ask an external command
// before each tool call. The command is this program: it decides by the policy
// in its own arguments and reads nothing of the workspace.
//
// Such programs run the call whenever their hook fails, so everything here ends
// in a refusal that is written: a fault, a panic, a wait that is too long.
package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"iterion/ir/gate"
)

// Verb is the hidden verb of the command line that runs the hook.
const Verb = "__permission-hook"

// Denied is the exit status of a refusal; an allowed call ends with 0 and an
// empty object, which says nothing to the programs that ask.
const Denied = 2

// patience is how long a decision may take: well below the five seconds after
// which the least patient program runs the call.
const patience = 2 * time.Second

// longest is the longest event that is read, in bytes.
const longest = 64 << 20

// Process is what the hook needs of the process it runs in.
type Process struct {
	Args       []string // behind the verb: the policy, encoded
	In         io.Reader
	Out, Err   io.Writer
	Executable func() (string, error) // with its links resolved
	Files      gate.Files
}

// Run answers one event and returns the exit status.
func Run(p Process) int {
	answer := make(chan error, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				answer <- fmt.Errorf("the gate failed: %v", cause)
			}
		}()
		answer <- p.judge()
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case refusal := <-answer:
		return p.reply(refusal)
	case <-late.C:
		return p.reply(errors.New("the gate took too long"))
	}
}

// reply writes a refusal in a form that each program takes for one, whatever
// else stands on the standard output.
func (p *Process) reply(refusal error) int {
	if refusal == nil {
		fmt.Fprintln(p.Out, "{}")
		return 0
	}
	reason := strings.ReplaceAll(refusal.Error(), "\n", " ")
	type output struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	text, err := json.Marshal(struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Output   output `json:"hookSpecificOutput"`
	}{"deny", reason, output{"PreToolUse", "deny", reason}})
	if err == nil {
		fmt.Fprintf(p.Out, "%s\n", text)
	}
	fmt.Fprintln(p.Err, reason)
	return Denied
}

// judge returns why the call is refused, nil when it may run.
func (p *Process) judge() error {
	if len(p.Args) != 1 {
		return errors.New("the gate was started without its policy")
	}
	policy, err := gate.Decode(p.Args[0])
	if err != nil {
		return fmt.Errorf("the policy cannot be read: %w", err)
	}
	if err := p.outside(policy.Cwd); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(p.In, longest+1))
	if err != nil {
		return fmt.Errorf("the call cannot be read: %w", err)
	}
	if len(text) > longest {
		return errors.New("the call is too long to be judged")
	}
	call, err := readEvent(text)
	if err != nil {
		return err
	}
	v := gate.New(policy, p.Files).Evaluate(call)
	switch v.Decision {
	case gate.Allowed:
		return nil
	case gate.Asked:
		return fmt.Errorf("%s; nobody can be asked here", v.Reason())
	}
	return errors.New(v.Reason())
}

// outside refuses to judge with a program that the judged agent can write to.
func (p *Process) outside(workspace string) error {
	exe, err := p.Executable()
	if err != nil {
		return fmt.Errorf("the gate's own program cannot be found: %w", err)
	}
	inside, err := Inside(workspace, exe)
	switch {
	case err != nil:
		return fmt.Errorf("whether the gate's own program lies in the workspace is not known: %w", err)
	case inside:
		return errors.New("the gate's own program lies in the workspace: install it elsewhere")
	}
	return nil
}

// Inside tells whether a file lies in a folder, however either is spelled: the
// folders themselves are compared, so links, bind mounts and file systems that
// fold case hide nothing. The file's own links are resolved by the caller. A
// folder that is not absolute holds everything.
func Inside(folder, file string) (bool, error) {
	if !filepath.IsAbs(folder) || !filepath.IsAbs(file) {
		return true, nil
	}
	top, err := os.Stat(folder)
	if err != nil {
		return false, err
	}
	for at := filepath.Clean(file); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return false, err
		}
		if os.SameFile(info, top) {
			return true, nil
		}
		if at == filepath.Dir(at) {
			return false, nil
		}
	}
}

// Command is what an agent program registers as its hook: it leaves the
// workspace first, and carries the policy by value. However it fails, a program
// that is gone included, it ends as a refusal. home is the folder that was made
// for this run, exe the program, absolute and outside of the workspace.
func Command(home, exe, policy string) string {
	return fmt.Sprintf("cd %s && %s %s %s || exit %d", quote(home), quote(exe), Verb, quote(policy), Denied)
}

// quote writes a word for a POSIX shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
