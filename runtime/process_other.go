//go:build unix && !linux

package runtime

import "syscall"

func guarded(args []string) []string { return args }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
