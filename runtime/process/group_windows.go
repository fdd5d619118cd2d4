package process

import "os/exec"

func guarded(args []string) []string { return args }

func ownGroup(*exec.Cmd) {}

func killGroup(int) {}
