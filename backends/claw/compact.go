package claw

import (
	"fmt"
	"strings"

	"iterion/runtime/backend"
)

// A conversation that nears the model's window is shown shortened; what is kept
// of it stays whole. The short view follows from the conversation alone, so a
// task that is resumed shows the same: results of old calls are cut, then the
// oldest turns are left out.

const (
	threshold  = 0.8  // of the window
	recent     = 10   // messages that stay as they are
	hardRecent = 4    // the same, when a model has refused the view
	shortened  = 2000 // bytes of a recent result then
	imageSize  = 1600 // tokens of an image, about
)

// limitOf is how many tokens a task's requests may have, 0 for any number.
func limitOf(m backend.LanguageModel, task backend.Task) int64 {
	share := task.Compaction.Threshold
	if share <= 0 {
		share = threshold
	}
	return int64(share * float64(m.Window(task.Model)))
}

// estimate is about how many tokens messages have.
func estimate(messages []backend.Message) (tokens int64) {
	for i := range messages {
		m := &messages[i]
		n := len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Tool) + len(c.Input)
		}
		tokens += int64(n/4+4) + int64(len(m.Images)*imageSize)
	}
	return tokens
}

// view is the conversation as the next request shows it.
func (l *loop) view() []backend.Message {
	parts := l.parts()
	shed(parts)
	room := l.limit - int64(len(l.task.System)/4)
	if l.limit == 0 || size(parts) <= room {
		return joined(parts)
	}
	old := len(parts) - l.recent(parts)
	for i := range old {
		parts[i].cut(0)
	}
	for i := old; l.hard && i < len(parts); i++ {
		parts[i].cut(shortened)
	}
	return joined(dropped(parts, old, room))
}

// part is what must stay together: a turn with the results of its calls, or a
// message of the user.
type part struct {
	messages []backend.Message
	prompt   bool // the task's own
}

// parts takes the conversation apart. Every call has its result behind it, one
// that was never run as well: a provider refuses anything else.
func (l *loop) parts() (list []part) {
	for i, m := range l.said {
		switch m.Role {
		case backend.User:
			list = append(list, part{[]backend.Message{m}, i == l.start})
		case backend.Model:
			list = append(list, part{messages: append([]backend.Message{m}, l.resultsOf(i)...)})
		}
	}
	return list
}

// resultsOf lists the results of a turn in the order of its calls.
func (l *loop) resultsOf(turn int) (list []backend.Message) {
	given := map[string]backend.Message{}
	for _, m := range l.said[turn+1:] {
		if m.Role == backend.Model {
			break
		}
		if m.Role == backend.Tool {
			given[m.CallID] = m
		}
	}
	for _, c := range l.said[turn].Calls {
		m, ok := given[c.ID]
		if !ok {
			m = backend.Message{Role: backend.Tool, CallID: c.ID, Text: "not run: the task ended before", Failed: true}
		}
		list = append(list, m)
	}
	return list
}

// recent counts the parts at the end that stay as they are.
func (l *loop) recent(parts []part) (n int) {
	keep := int(l.task.Compaction.PreserveRecent)
	if keep <= 0 {
		keep = recent
	}
	if l.hard {
		keep = min(keep, hardRecent)
	}
	for messages := 0; n < len(parts) && messages < keep; n++ {
		messages += len(parts[len(parts)-1-n].messages)
	}
	return n
}

// cut shortens the results in a part to so many bytes and a note, and leaves out
// images.
func (p *part) cut(most int) {
	for i := range p.messages {
		m := &p.messages[i]
		if !p.prompt {
			unseen(m)
		}
		if m.Role != backend.Tool {
			continue
		}
		if len(m.Text) > most+200 { // a short one is worth its note
			m.Text = strings.ToValidUTF8(m.Text[:most], "") + fmt.Sprintf("(left out to save room: %d bytes)", len(m.Text)-most)
		}
	}
}

// dropped leaves out old parts until the rest has room. The task's own prompt
// stays.
func dropped(parts []part, old int, room int64) []part {
	total, n := size(parts), 0
	out := []part{{}} // the place of the note
	for i, p := range parts {
		if i < old && !p.prompt && total > room {
			total -= estimate(p.messages)
			n += len(p.messages)
			continue
		}
		out = append(out, p)
	}
	if n == 0 {
		return parts
	}
	note := fmt.Sprintf("(%d earlier messages of this conversation are left out to save room.)", n)
	out[0].messages = []backend.Message{{Role: backend.User, Text: note}}
	return out
}

func size(parts []part) (tokens int64) {
	for i := range parts {
		tokens += estimate(parts[i].messages)
	}
	return tokens
}

func joined(parts []part) (list []backend.Message) {
	for i := range parts {
		list = append(list, parts[i].messages...)
	}
	return list
}
