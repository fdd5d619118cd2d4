// Command iterion checks, formats, explains and runs .bot files.
//
// One file holds one verb. What a verb decides is in the packages it calls;
// here are arguments, output and exit statuses.
package main

import (
	"os"
	"runtime/debug"
)

func main() {
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
