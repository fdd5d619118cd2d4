//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command in a group of its own; cancelling asks the whole
// group to end.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup ends what the command left running.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
