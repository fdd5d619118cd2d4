package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"
)

// defect carries a panic of a worker, with the stack it happened on.
type defect struct {
	cause any
	stack []byte
}

// guarded turns a panic into an exit status and a message that says whose
// fault it is. The stack is shown on request only.
func guarded(stderr io.Writer, do func() int) (code int) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		d, ok := cause.(*defect)
		if !ok {
			d = &defect{cause, debug.Stack()}
		}
		fmt.Fprintf(stderr, "iterion: internal error: %v\n", d.cause)
		fmt.Fprintf(stderr, "    This is a defect of iterion, not of your file: %s.\n", versionLine())
		if os.Getenv("ITERION_DEBUG") == "" {
			fmt.Fprintln(stderr, "    Please report it with the command line, the file, and what ITERION_DEBUG=1 prints.")
		} else {
			stderr.Write(d.stack)
		}
		code = exitDefect
	}()
	return do()
}

// each calls do with 0 … n-1 on as many goroutines as there are processors,
// and returns when all calls have. The first panic is passed on then.
func each(n int, do func(i int)) {
	if n == 1 {
		do(0) // no thread need be started for one
		return
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var once sync.Once
	var broken *defect
	for i := range n {
		group.Go(func() error {
			defer func() {
				if cause := recover(); cause != nil {
					once.Do(func() { broken = &defect{cause, debug.Stack()} })
				}
			}()
			do(i)
			return nil
		})
	}
	group.Wait()
	if broken != nil {
		panic(broken)
	}
}
