package claw

import (
	"fmt"
	"strings"

	"iterion/runtime/backend"
)

// shed leaves images out beyond what one request may hold: those of the task's
// own prompt stay, of the others the newest.
func shed(parts []part) {
	number, room := backend.MostImages, backend.ImageRoom
	fits := func(m *backend.Message) bool {
		n := len(m.Images)
		size := 0
		for _, url := range m.Images {
			size += len(url)
		}
		if n > number || size > room {
			return false
		}
		number, room = number-n, room-size
		return true
	}
	for _, prompts := range []bool{true, false} {
		for i := len(parts) - 1; i >= 0; i-- {
			messages := parts[i].messages
			for j := len(messages) - 1; j >= 0 && parts[i].prompt == prompts; j-- {
				if m := &messages[j]; !fits(m) {
					unseen(m)
				}
			}
		}
	}
}

// unseen takes the images out of a message and says so.
func unseen(m *backend.Message) {
	if n := len(m.Images); n > 0 {
		m.Images = nil
		m.Text = strings.TrimLeft(m.Text+fmt.Sprintf("\n(left out to save room: images, %d)", n), "\n")
	}
}
