package process

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// streams are the pipes that a command writes to, each read to its end.
type streams []*stream

// start starts a command whose output goes to the writers. The pipes are ours
// and not the command's own, so that its end is known while something else still
// holds them.
func start(cmd *exec.Cmd, merge bool, stdout, stderr io.Writer) (streams, error) {
	out, outEnd, err := newStream(stdout)
	if err != nil {
		return nil, err
	}
	defer outEnd.Close()
	cmd.Stdout, cmd.Stderr = outEnd, outEnd
	list := streams{out}
	if !merge {
		errs, errEnd, err := newStream(stderr)
		if err != nil {
			return nil, err
		}
		defer errEnd.Close()
		cmd.Stderr = errEnd
		list = append(list, errs)
	}
	if err := cmd.Start(); err != nil {
		return nil, err // our ends close, and the readers with them
	}
	return list, nil
}

// end waits until nothing holds the pipes, or the time to drain them is over.
// The writers are not written to afterwards.
func (s streams) end() {
	over := time.NewTimer(drain)
	defer over.Stop()
	for _, one := range s {
		select {
		case <-one.done:
		case <-over.C:
			over.Reset(0) // for the next one too
		}
		one.close()
	}
}

// stream reads a pipe into a writer.
type stream struct {
	pipe *os.File
	done chan struct{}

	mu     sync.Mutex
	to     io.Writer
	closed bool
}

func newStream(to io.Writer) (s *stream, end *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s = &stream{pipe: r, to: to, done: make(chan struct{})}
	go func() {
		_, _ = io.Copy(s, r) // a writer of ours takes everything; the pipe ends in EOF or is closed
		_ = r.Close()
		close(s.done)
	}()
	return s, w, nil
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, io.ErrClosedPipe
	}
	return s.to.Write(p)
}

func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	_ = s.pipe.Close()
}
