package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// bootID changes whenever the host starts.
func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// namespace names the table of processes that numbers count in.
func namespace() string {
	name, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return name + "/"
}

// started is when a process started, in ticks since the boot; alive is false for
// one that is gone, or dead and not collected yet.
func started(pid int) (when string, alive bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", !errors.Is(err, fs.ErrNotExist)
	}
	// The name in parentheses may hold anything; the fields behind it begin with
	// the third, the state.
	behind := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
	fields := strings.Fields(behind)
	if len(fields) < 20 {
		return "", true
	}
	return fields[19], fields[0] != "Z" && fields[0] != "X"
}
