package main

import "fmt"

// Exit statuses. The most severe of several files wins, as ordered here for
// the first three.
const (
	exitOK        = 0
	exitFailed    = 1   // an invalid file; a file that would change; a failed run
	exitUsage     = 2   // the request itself is wrong, or a file cannot be read
	exitPaused    = 3   // a run waits for a person
	exitResumable = 4   // a run failed and may be run again
	exitDefect    = 70  // a defect of ours
	exitCancelled = 130 // a run was cancelled
)

// status ends a verb with an exit status. An empty message means that the
// verb has said everything itself.
type status struct {
	code    int
	message string
}

func (s *status) Error() string { return s.message }

// failf is a wrong request with its cause and what to do next.
func failf(format string, args ...any) error {
	return &status{exitUsage, fmt.Sprintf(format, args...)}
}

// ended is the error of an exit status without a message, nil for success.
func ended(code int) error {
	if code == exitOK {
		return nil
	}
	return &status{code: code}
}
