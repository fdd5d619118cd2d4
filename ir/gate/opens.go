package gate

import "iterion/ir/tools"

// Opens lists what the paths of the call led to when the permit was made: each
// as a file system takes it, absolute and with its links resolved, in the order
// of the input; "" for a loop of links. A search that names no folder has the
// workspace. Whoever carries out the call opens these and follows no link any
// more: what has become a link since was not judged.
func (p *Permit) Opens() []string { return p.opens }

func (g *Gate) opens(c Call) (list []string) {
	t := tools.Lookup(c.Tool)
	if !treeBound(t) {
		return nil
	}
	var a arguments
	a.read(c.Input)
	texts, _ := a.filePaths()
	if len(texts) == 0 && t.Subject != tools.Path && !a.mentionsPath() {
		texts = []string{"."}
	}
	for _, text := range texts {
		list = append(list, g.place.opened(text))
	}
	return list
}

// opened is what a path leads to, read as it is written; "" for nowhere.
func (p *place) opened(text string) string {
	abs := p.absolute(text)
	if abs == "" {
		return ""
	}
	real, ok := p.walk(abs)
	if !ok {
		return ""
	}
	return real
}
