package process

import (
	"context"
	"sync"
)

type leftoverKey struct{}

// leftovers are the watchers of what commands left outside of their groups.
type leftovers struct {
	mu   sync.Mutex
	kept []leftover
}

type leftover struct {
	watch *group
	mark  string
}

// WithLeftovers makes a context whose commands' leftovers (Output.Escaped) run on
// until end is called or this process ends, however it ends. Inside of such a
// context they are the outer one's.
func WithLeftovers(ctx context.Context) (_ context.Context, end func()) {
	if ctx.Value(leftoverKey{}) != nil {
		return ctx, func() {}
	}
	l := &leftovers{}
	return context.WithValue(ctx, leftoverKey{}, l), l.end
}

// keep watches what carries a mark, where the context has a keeper.
func keep(ctx context.Context, mark string) error {
	l, _ := ctx.Value(leftoverKey{}).(*leftovers)
	if l == nil {
		return nil
	}
	watch, err := newGroup(mark)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, leftover{watch, mark})
	return nil
}

func (l *leftovers) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.kept {
		one.watch.escaped(one.mark, true)
		one.watch.close()
	}
	l.kept = nil
}
