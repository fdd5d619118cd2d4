package toolrun

import (
	"context"
	"slices"
	"strings"
	"sync"

	"iterion/runtime/backend"
)

// Todo is an entry of a node's list of things to do.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress, completed
	Active  string `json:"activeForm"`
}

type todoList struct {
	mu   sync.Mutex
	list []Todo
}

// Todos returns the list as it is now.
func (r *Runner) Todos() []Todo {
	r.todos.mu.Lock()
	defer r.todos.mu.Unlock()
	return slices.Clone(r.todos.list)
}

var todoBoxes = map[string]string{"pending": "[ ] ", "in_progress": "[~] ", "completed": "[x] "}

// todoWrite takes a new list and shows it.
func todoWrite(_ context.Context, r *Runner, a args) backend.CallResult {
	var in struct {
		Todos []Todo `json:"todos"`
	}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	r.todos.mu.Lock()
	r.todos.list = in.Todos
	r.todos.mu.Unlock()
	if len(in.Todos) == 0 {
		return said("the list is empty now")
	}
	var text strings.Builder
	for _, t := range in.Todos {
		text.WriteString(todoBoxes[t.Status] + t.Content + "\n")
	}
	return said(text.String())
}
