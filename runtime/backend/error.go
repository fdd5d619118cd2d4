package backend

import (
	"fmt"
	"time"

	"iterion/ir/outcome"
)

// Error is a failure with its class.
type Error struct {
	Code       outcome.Code
	Message    string
	RetryAfter time.Duration // what the provider asked for; 0 for nothing
	Cause      error
}

// Errorf makes an Error.
func Errorf(code outcome.Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
