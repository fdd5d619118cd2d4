package sqlite

import (
	"os"
	"strings"
	"time"

	"iterion/runtime/store"
)

// machine is this process as an owner, and how it judges others.
type machine struct {
	store.Owner
	now     func() time.Time
	started func(pid int) (when string, alive bool)
}

func thisMachine() machine {
	host, _ := os.Hostname()
	when, _ := started(os.Getpid())
	return machine{store.Owner{Host: host, PID: os.Getpid(), Boot: bootID(), Started: namespace() + when}, time.Now, started}
}

// lives tells whether an owner still drives its run. A process that can be seen
// from here is looked at, however long it has been silent: it may be stopped and
// go on. Of any other only its heartbeat is known; the clock of its host may be
// wrong in both directions.
func (m machine) lives(o store.Owner) bool {
	if o.PID == 0 {
		return false
	}
	space, when := split(o.Started)
	ourSpace, _ := split(m.Started)
	switch {
	case o.Host != m.Host:
	case o.Boot != m.Boot && o.Boot != "" && m.Boot != "":
		return false // its host has started anew since
	case space != ourSpace: // a container of the same name counts its own processes
	default:
		now, alive := m.started(o.PID)
		return alive && now == when
	}
	return m.now().Sub(o.Beat).Abs() <= silence
}

// split parts the start of a process from the namespace of its number.
func split(started string) (space, when string) {
	if i := strings.LastIndexByte(started, '/'); i >= 0 {
		return started[:i+1], started[i+1:]
	}
	return "", started
}
