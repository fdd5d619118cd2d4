package main

import (
	"errors"
	"io/fs"
)

// stdinName stands for the standard input among arguments.
const stdinName = "-"

// reason is an error's cause without the path, which the message names already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
