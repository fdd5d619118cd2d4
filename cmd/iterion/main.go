// Command iterion checks, formats, explains and runs .bot files.
//
// One file holds one verb. What a verb decides is in the packages it calls;
// here are arguments, output and exit statuses.
package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"iterion/backends/hook"
	"iterion/runtime/disk"
)

func main() {
	// An agent program waits for the hook before each call, so nothing else of
	// the command line is made for it. A reader that went away must not end it
	// before its exit status refuses the call.
	if len(os.Args) > 1 && os.Args[1] == hook.Verb {
		signal.Ignore(syscall.SIGPIPE)
		os.Exit(hook.Run(hook.Process{Args: os.Args[2:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Executable: executable, Files: disk.Links{}}))
	}
	relaxCollector()
	os.Exit(execute(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// relaxCollector lets a short-lived process spend memory instead of time: on
// small heaps the collector would take the second core from the workers. The
// limit brings it back before a large tree becomes a large process.
func relaxCollector() {
	const limit = 1 << 30
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// executable is this program's file, its links resolved.
func executable() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}
