package gate

import (
	"hash/maphash"
	"sync/atomic"
)

// places is how many verdicts are kept by text; a power of two.
const places = 1024

// longestKept bounds the calls whose verdicts are kept, in bytes.
const longestKept = 4096

// verdictCache keeps verdicts on commands that depend on nothing but their
// text: those that name no file to write and no folder to go to. Each text has
// one place, which the next text with the same place takes.
type verdictCache struct {
	table  atomic.Pointer[table]
	judged atomic.Uint32 // before there was a table
}

type table struct {
	seed maphash.Seed
	kept [places]atomic.Pointer[Verdict]
}

// settled is how many verdicts a gate gives before it keeps any: one that is
// made for a call or two needs no table.
const settled = 8

// get finds a kept verdict. Whoever wants to know why gets none.
func (c *verdictCache) get(call Call, note *Trace) (Verdict, bool) {
	t := c.table.Load()
	if t == nil || note != nil {
		return Verdict{}, false
	}
	v := t.at(call).Load()
	if v == nil || v.call != call {
		return Verdict{}, false
	}
	return *v, true
}

func (t *table) at(call Call) *atomic.Pointer[Verdict] {
	return &t.kept[maphash.String(t.seed, call.Input)%places]
}

func (c *verdictCache) put(j *judgement, v Verdict) {
	command, ok := j.arg.(*commandArgument)
	if !ok || j.note != nil || command.script == nil || command.readsFiles() || len(v.call.Input) > longestKept {
		return
	}
	t := c.table.Load()
	if t == nil {
		if c.judged.Add(1) < settled {
			return
		}
		t = &table{seed: maphash.MakeSeed()}
		if !c.table.CompareAndSwap(nil, t) {
			t = c.table.Load()
		}
	}
	kept := v
	t.at(v.call).Store(&kept)
}

// readsFiles tells whether a verdict on the command depends on the links of the
// file system.
func (c *commandArgument) readsFiles() bool {
	if len(c.script.Writes) > 0 || c.workdir != "" {
		return true
	}
	for i := range c.script.Simple {
		if len(c.script.Simple[i].Dirs) > 0 {
			return true
		}
	}
	return false
}
