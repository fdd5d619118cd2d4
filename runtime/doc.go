// Package runtime executes a compiled program.
//
// The events of a run are its truth. Fold makes the state of them, a pure
// function; plan.next says what the state wants done; the engine does it and appends
// what came back, which leads to the next state. Whatever decided anything (a
// chosen edge, an input, an item of a fan-out, a price) is in an event.
//
// One goroutine, the engine's loop, owns the state. What may block runs in
// goroutines of its own that get everything rendered beforehand and answer by
// message.
package runtime
