package main

import (
	"iterion/backends/scripted"
	"iterion/runtime/backend"
)

// backendsFor finds the backends of a run. With a script every model is
// replaced; this build has no other backend.
func backendsFor(script string) (func(name string) (backend.Backend, bool), error) {
	if script == "" {
		return func(string) (backend.Backend, bool) { return nil, false }, nil
	}
	s, err := scripted.Load(script)
	if err != nil {
		return nil, failf("--script: %s", err)
	}
	b := scripted.New(s)
	return func(string) (backend.Backend, bool) { return b, true }, nil
}
