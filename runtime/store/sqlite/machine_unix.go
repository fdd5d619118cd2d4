//go:build unix && !linux

package sqlite

import (
	"errors"
	"syscall"
)

func bootID() string { return "" }

func namespace() string { return "" }

// started tells whether a process is there; when it started is not known here.
func started(pid int) (when string, alive bool) {
	return "", !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
