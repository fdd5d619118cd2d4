package gate

import "sync"

// mostVerdicts bounds the verdicts that are kept by text.
const mostVerdicts = 1024

// verdictCache keeps verdicts on commands that depend on nothing but their
// text: those that name no file to write and no folder to go to.
type verdictCache struct {
	mu   sync.RWMutex
	kept map[string]map[string]Verdict // by tool, by input
	n    int
}

// get finds a kept verdict. Whoever wants to know why gets none.
func (c *verdictCache) get(call Call, note *Trace) (Verdict, bool) {
	if note != nil {
		return Verdict{}, false
	}
	c.mu.RLock()
	v, ok := c.kept[call.Tool][string(call.Input)]
	c.mu.RUnlock()
	v.call = call
	return v, ok
}

func (c *verdictCache) put(j *judgement, v Verdict) {
	command, ok := j.arg.(*commandArgument)
	if !ok || j.note != nil || command.script == nil || command.readsFiles() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || c.n >= mostVerdicts {
		c.kept, c.n = map[string]map[string]Verdict{}, 0
	}
	of := c.kept[j.call.Tool]
	if of == nil {
		of = map[string]Verdict{}
		c.kept[j.call.Tool] = of
	}
	v.call = Call{}
	of[string(j.call.Input)] = v
	c.n++
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
