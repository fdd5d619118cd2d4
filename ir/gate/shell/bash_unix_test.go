//go:build unix

package shell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"iterion/ir/gate/shell"
)

// bench is a folder in which a real bash may run what is generated: the only
// programs on its path are stubs that write down their words, and those that
// start other programs.
type bench struct {
	bash, dir string
	runs      int
}

const (
	wordEnd = "\x1f"
	callEnd = "\x1e"
	newline = "\x1d"
)

// starters start other programs, and none leaves the process group of a run
// for good.
var starters = []string{"env", "nice", "nohup", "timeout", "time", "xargs", "find", "stdbuf", "cat", "tee"}

// stub notes its words beside the folder that it was found in: each run has a
// path of its own, and nothing that is late writes into the next one's.
const stub = `
printf -v s '%s\037' "${0##*/}" "$@"
s=${s//$'\n'/$'\035'} # one line is one write
printf '%s\036' "$s" >> "${0%/*/*}/log"
`

func newBench(t *testing.T) *bench {
	bash, err := exec.LookPath("bash")
	must(t, err)
	b := &bench{bash: bash, dir: t.TempDir()}
	bin := filepath.Join(b.dir, "bin")
	must(t, os.Mkdir(bin, 0o700))
	for _, name := range stubs {
		must(t, os.WriteFile(filepath.Join(bin, name), []byte("#!"+bash+stub), 0o700))
	}
	for _, name := range []string{"bash", "sh", "dash", "ksh", "zsh"} {
		must(t, os.Symlink(bash, filepath.Join(bin, name))) // they are read as bash
	}
	for _, name := range starters {
		if program, err := exec.LookPath(name); err == nil {
			must(t, os.Symlink(program, filepath.Join(bin, name)))
		}
	}
	return b
}

// run lets bash run a command and returns what the stubs wrote down: for each
// call its words, joined by one blank.
func (b *bench) run(t *testing.T, command string) (calls []string) {
	b.runs++
	dir := filepath.Join(b.dir, strconv.Itoa(b.runs))
	work := filepath.Join(dir, "work")
	must(t, os.MkdirAll(work, 0o700))
	must(t, os.Symlink(filepath.Join(b.dir, "bin"), filepath.Join(dir, "bin")))
	defer os.RemoveAll(dir)
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, b.bash, "--norc", "--noprofile", "-c", "ulimit -t 1; exec \"$0\" --norc --noprofile -c \"$1\"", b.bash, command)
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + filepath.Join(dir, "bin")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Run()                                       // it may well fail
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind: a job, a function that calls itself
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	for call := range strings.SplitSeq(string(log), callEnd) {
		if words := strings.TrimSuffix(call, wordEnd); words != "" {
			calls = append(calls, strings.NewReplacer(wordEnd, " ", newline, "\n").Replace(words))
		}
	}
	return calls
}

// compare runs commands; each call that they come to must be known. One that is
// not read is not run: nothing of it is opened unseen.
func compare(t *testing.T, command func(*rapid.T) string) {
	b := newBench(t)
	ran := 0
	rapid.Check(t, func(rt *rapid.T) {
		command := command(rt)
		s := shell.Parse(command, "")
		if s.Opaque != "" {
			return
		}
		for _, call := range b.run(t, command) {
			ran++
			if !known(s, call) {
				rt.Fatalf("%q runs %q, but comes to %q, heads %q", command, call, s.Texts, s.Heads)
			}
		}
	})
	if ran == 0 {
		t.Error("nothing ran: the test shows nothing")
	}
}

// known tells whether a gate could have stopped a call: it is a text, or begins
// like a part that is unreadable for every pattern that meets the call.
func known(s *shell.Script, call string) bool {
	for _, text := range s.Texts {
		if text == call {
			return true
		}
	}
	for _, head := range s.Heads {
		if strings.HasPrefix(call, head) || strings.HasPrefix(head, call) {
			return true
		}
	}
	return false
}

// Whatever bash runs is among the texts, or said to be unreadable.
func TestBash(t *testing.T) { compare(t, scripts) }

// Texts of loose tokens: what the parser and bash may read apart.
func TestBashTokens(t *testing.T) {
	tokens := rapid.SampledFrom([]string{
		"git", "push", "git push", "tool", " ", " ", "\n", ";", "&", "&&", "||", "|", "(", ")", "{ ", "; }", "$(", "`", "'", "\"", "\\", "\\\n",
		"#", "!", "if ", "; then ", "; fi", "[[ ", " ]]", "((", "))", "$((", "{", "}", ",", "<<E\n", "\nE\n", "<<-'E'\n", "\n\tE\n", "<<<", "<(", "$'", "\\x67",
		"eval ", "sh -c ", "bash -c ", "env ", "command ", "$", "${x:-", "${x", "a[", "]", "=", "x=", "x+=", "case x in x) ", ";; esac", "for i in a; do ", "; done",
		"function f ", "f() ", "time ", "coproc ", "$\"", "echo ", "\t", "\r", "*", "?", "~", "@(", "!(", "%", "-c", "--", "2>&1", ">f", "<f", "|&", "&>f", ">&2", "let ", "declare ", "export ", "\\'", "\\\"", "é",
		"until ", "while ", "; do ", "else ", "elif ", " in ", "esac", "[", "test ", "source ", "<&3", "3<&0", "exec ", "alias k=", "trap ", "\"$(", ")\"", "<<", "E", "E\n", ">|f", "2>", "$[", "\\`", "'$(", "+=", "=(", "${x#", "${x/", "${!", "@P}", "/", ".", "..", "1", "readonly ", "local ", "select ", "-n", "<>f", "&>>f", "{x}>f", "$@", "$#", "$$", "$!", "^", ":", "{git,", "push}", "\"", "'",
	})
	compare(t, func(rt *rapid.T) string {
		return strings.Join(rapid.SliceOfN(tokens, 1, 14).Draw(rt, "tokens"), "")
	})
}

// Here-documents in and around substitutions, whose ends are hard to find.
func TestBashHeres(t *testing.T) {
	tokens := rapid.SampledFrom([]string{
		"git status", "tool", " ", "\n", "\n", "<<EF", "<<'EF'", "<<\\EF", "<<-EF", "<<\"EF\"", "EF", "EF", "E\\\nF", "\\\n", "\t", "EF)", "EFx", " x",
		"`", "$(", ")", "<(", "\"", "x", "; ", "| ", "git push\n", "rm x\n", "tool y\n", "#", "'", "\\",
	})
	compare(t, func(rt *rapid.T) string {
		return "git a " + strings.Join(rapid.SliceOfN(tokens, 3, 18).Draw(rt, "tokens"), "")
	})
}
