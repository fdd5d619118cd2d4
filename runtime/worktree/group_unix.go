//go:build unix

package worktree

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps the terminal's Ctrl-C from git: what it began is ended by ctx.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
