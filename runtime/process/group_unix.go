//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// watch is the first process of a group. It reads a pipe whose other end only
// this process holds, and that closes however this process dies; then it kills
// what carries the mark ($1), in the group and outside, until two looks find
// nothing (between them a daemon may have forked and ended), and the group with
// itself. A child that is being started holds the pipe too, until it is in the
// group, so that none is missed. Signals that a command sends to its own group do not
// concern the watcher; only SIGKILL ends it. It also keeps the group's number
// from being given to others before the group is killed.
//
// A parent-death signal instead would be tied to a thread, reach one process
// only, and exist on Linux only.
const watch = `trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2 TSTP TTIN TTOU
read -r _
none=0 looks=0
while [ $none -lt 2 ] && [ $looks -lt 200 ]; do
	none=$((none+1)) looks=$((looks+1))
	for e in $(grep -lsaF -- "$1" /proc/[0-9]*/environ); do none=0 e=${e#/proc/}; kill -KILL "${e%/environ}"; done
done
kill -KILL 0`

// group is a process group with its watcher.
type group struct {
	watcher  *exec.Cmd
	lifeline *os.File
}

func newGroup(mark string) (*group, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", watch, "watch", mark)
	// Nothing of the command's environment: it may say what a shell does.
	cmd.Env, cmd.Dir, cmd.Stdin = []string{"PATH=/usr/bin:/bin"}, "/", r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return &group{watcher: cmd, lifeline: w}, nil
}

// add makes a command start in the group.
func (g *group) add(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.watcher.Process.Pid}
}

func (g *group) terminate() { _ = syscall.Kill(-g.watcher.Process.Pid, syscall.SIGTERM) }

func (g *group) kill() { _ = syscall.Kill(-g.watcher.Process.Pid, syscall.SIGKILL) }

// close ends the group; its number is free for others afterwards.
func (g *group) close() {
	g.kill()
	_ = g.watcher.Wait() // killed, as it should be
	_ = g.lifeline.Close()
}

func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
