//go:build unix && !linux

package process

import "syscall"

func guarded(args []string) []string { return args }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
