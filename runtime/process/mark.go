package process

import "crypto/rand"

// newMark names a variable that a command's processes are known by: each
// command's own, so that a run inside of a run does not hide the outer mark.
func newMark() string { return "ITERION_CHILD_" + rand.Text() }
