package runtime

import "time"

func (s *State) startNode(sc *Scope, e Event) {
	sc.Input, sc.Iteration = object(e.Data, "input"), whole(e.Data, "iteration")
	for resource, lease := range object(e.Data, "leases") {
		if sc.Leases == nil {
			sc.Leases = map[string]string{}
		}
		sc.Leases[resource], _ = lease.(string)
		s.Held[resource] = append(s.Held[resource], sc.Leases[resource])
	}
	if !sc.Again {
		s.Usage.Iterations++
	}
	sc.Again = true
	s.startClock(e.Time)
	s.phase(sc, PhaseRunning)
}

func (s *State) release(sc *Scope) {
	if sc == nil {
		return
	}
	for resource, lease := range sc.Leases {
		s.Held[resource] = without(s.Held[resource], lease)
	}
	sc.Leases = nil
}

func (s *State) park(sc *Scope, e Event) {
	sc.Asked = text(e.Data, "interaction_id")
	s.phase(sc, PhaseParked)
	if s.Running == 0 && s.Active == 0 && len(s.Ready) == 0 { // only people are at work
		s.Spent, s.Since = s.Elapsed(e.Time), time.Time{}
	}
}

// startClock counts time from now, when a person alone was at work until now.
func (s *State) startClock(now time.Time) {
	if s.Since.IsZero() {
		s.Since = now
	}
}

func (s *State) publish(sc *Scope, e Event) {
	if sc.Artifacts == nil {
		sc.Artifacts = map[string]Artifact{}
	}
	version := whole(e.Data, "version")
	sc.Artifacts[text(e.Data, "publish")] = Artifact{Node: e.NodeID, Version: version, Pending: true}
	s.Versions[visitKey(e.NodeID, e.BranchID)] = version + 1
}

func (s *State) endNode(sc *Scope, e Event) {
	output := e.Data["output"]
	s.startClock(e.Time)
	if sc.Outputs == nil {
		sc.Outputs = map[string]any{}
	}
	sc.Outputs[e.NodeID] = output
	for name, a := range sc.Artifacts {
		if a.Pending && a.Node == e.NodeID {
			sc.Artifacts[name] = Artifact{Node: a.Node, Version: a.Version, Value: output}
		}
	}
	if flag(e.Data, "history") {
		if sc.History == nil {
			sc.History = map[string][]any{}
		}
		sc.History[e.NodeID] = append(sc.History[e.NodeID], output)
	}
	if name := text(e.Data, "emitted"); name != "" {
		if _, fired := s.Mailbox[name]; !fired {
			s.Mailbox[name] = output
		}
	}
	if slot := text(e.Data, "session_slot"); slot != "" {
		s.Sessions[slot] = text(e.Data, "session_id")
	}
	s.Visits[visitKey(e.NodeID, sc.ID)]++
	s.release(sc)
	for id, it := range s.Interactions {
		if it.Node == e.NodeID && it.Scope == sc.ID && it.Kind != AskLater {
			delete(s.Interactions, id)
		}
	}
	sc.Arrived, sc.Absent, sc.Asked = nil, nil, ""
	sc.Again, sc.Session, sc.Turns, sc.Route, sc.Turned = false, "", 0, "", nil
	if plan := object(e.Data, "fan"); plan != nil {
		s.fan(sc, e.NodeID, plan)
		return
	}
	s.phase(sc, PhaseLeaving)
}

// cross follows a chosen edge.
func (s *State) cross(sc *Scope, e Event) {
	d := e.Data
	for _, name := range names(d, "resets") {
		sc.loops()[name] = &LoopState{Mark: s.mark(e)}
	}
	for _, node := range names(d, "forget") {
		delete(sc.History, node)
	}
	from := text(d, "from")
	sc.Back = false
	for _, kind := range []string{"loop", "foreach"} {
		name := text(d, kind)
		if name == "" {
			continue
		}
		old := s.loop(sc.ID, name)
		sc.loops()[name] = &LoopState{
			Count: whole(d, "iteration"), Previous: old.Staged, Staged: sc.Outputs[from],
			Same: whole(d, "same"), Mark: s.mark(e),
		}
		sc.Back = true
	}
	if position, ok := d["position"]; ok {
		s.Positions[from] = toInt(position)
	}
	sc.Before = sc.From
	sc.Node, sc.Pred, sc.From = text(d, "to"), from, []int{int(whole(d, "edge"))}
	s.phase(sc, PhaseReady)
}

func (sc *Scope) loops() map[string]*LoopState {
	if sc.Loops == nil {
		sc.Loops = map[string]*LoopState{}
	}
	return sc.Loops
}

func (s *State) mark(e Event) Usage {
	u := s.Usage
	u.Elapsed = s.Elapsed(e.Time)
	return u
}
