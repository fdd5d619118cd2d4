package serve

import (
	"encoding/json"
	"slices"
	"strings"
)

// responses is the wire of OpenAI Responses. It keeps no answers, so a request
// carries its whole conversation.
type responses struct{}

type responsesRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	Previous string          `json:"previous_response_id"`
	Input    json.RawMessage `json:"input"`
	Tools    []offer         `json:"tools"`
}

// offer is an entry of `tools`: a tool, or a namespace of tools.
type offer struct {
	Type  string  `json:"type"`
	Name  string  `json:"name"`
	Tools []offer `json:"tools"`
}

// item is an entry of `input`.
type item struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Tools   []offer         `json:"tools"` // of additional_tools
}

func (responses) read(body []byte) (request, *failure) {
	var in responsesRequest
	if failed := decode(body, &in); failed != nil {
		return request{}, failed
	}
	if in.Model == "" {
		return request{}, malformed("Missing required parameter: 'model'.")
	}
	if in.Previous != "" {
		return request{}, malformed("Previous response with id '%s' not found: answers are not kept here, send the whole conversation as 'input'.", in.Previous)
	}
	r := request{model: in.Model, stream: in.Stream}
	r.offers("", in.Tools)
	return r, r.conversation(in.Input)
}

// conversation reads `input`: a text, or items.
func (r *request) conversation(input json.RawMessage) *failure {
	if strings.HasPrefix(string(input), `"`) {
		r.opening = input
		return nil
	}
	var items []item
	if err := json.Unmarshal(input, &items); err != nil || len(items) == 0 {
		return malformed("Missing or invalid parameter: 'input' has to be a text or a list of items.")
	}
	for _, i := range items {
		if i.Role == "user" && r.opening == nil {
			r.opening = i.Content
		}
		r.offers("", i.Tools)
	}
	r.turns = runs(items, item.ofModel)
	return nil
}

func (i item) ofModel() bool {
	return i.Role == "assistant" || i.Type == "reasoning" || strings.HasSuffix(i.Type, "_call")
}

func (r *request) offers(namespace string, list []offer) {
	for _, o := range list {
		if o.Type == "namespace" {
			r.offers(o.Name, o.Tools)
			continue
		}
		name := o.Name
		if name == "" {
			name = o.Type // a provider's own tool
		}
		r.tools = append(r.tools, tool{name, namespace, o.Type == "custom"})
	}
}

func (responses) whole(_ request, a answer) any {
	items := []any{}
	for _, o := range a.items() {
		items = append(items, o.done)
	}
	return a.response("completed", items)
}

func (responses) stream(f *frames, _ request, a answer) {
	number := 0
	send := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, number
		number++
		f.event(kind, data)
	}
	send("response.created", object{"response": a.response("in_progress", []any{})})
	send("response.in_progress", object{"response": a.response("in_progress", []any{})})
	items := []any{}
	for i, o := range a.items() {
		o.stream(i, send)
		items = append(items, o.done)
	}
	send("response.completed", object{"response": a.response("completed", items)})
}

func (responses) problem(f failure) (int, any) { return f.openai() }

// outputItem is an item of an answer, as it begins and as it is when done.
type outputItem struct {
	id          string
	begun, done object
	text        string // what is streamed between
	event       string // of the text, without .delta or .done
	field       string // of the text in the event .done
	part        bool   // the text is a part of the item's content
}

func (a answer) items() (list []outputItem) {
	if a.text != "" {
		id := "msg_" + a.id
		list = append(list, outputItem{
			id: id, text: a.text, event: "response.output_text", field: "text", part: true,
			begun: message(id, "in_progress", []any{}),
			done:  message(id, "completed", []any{textPart(a.text)}),
		})
	}
	for _, c := range a.calls {
		list = append(list, c.item())
	}
	return list
}

// stream writes an item's events.
func (o outputItem) stream(index int, send func(kind string, data object)) {
	place := func(more object) object {
		more["output_index"], more["item_id"] = index, o.id
		if o.part {
			more["content_index"] = 0
		}
		return more
	}
	send("response.output_item.added", object{"output_index": index, "item": o.begun})
	if o.part {
		send("response.content_part.added", place(object{"part": textPart("")}))
	}
	for _, piece := range pieces(o.text) {
		send(o.event+".delta", place(object{"delta": piece}))
	}
	send(o.event+".done", place(object{o.field: o.text}))
	if o.part {
		send("response.content_part.done", place(object{"part": textPart(o.text)}))
	}
	send("response.output_item.done", object{"output_index": index, "item": o.done})
}

func (c placed) item() outputItem {
	o := outputItem{id: "fc_" + c.id, text: c.input, event: "response.function_call_arguments", field: "arguments"}
	kind := "function_call"
	if c.tool.custom {
		kind = "custom_tool_call"
		o = outputItem{id: "ctc_" + c.id, text: freeText(c.input), event: "response.custom_tool_call_input", field: "input"}
	}
	as := func(status, text string) object {
		item := object{"id": o.id, "type": kind, "status": status, "call_id": "call_" + c.id, "name": c.tool.name, o.field: text}
		if c.tool.namespace != "" {
			item["namespace"] = c.tool.namespace
		}
		return item
	}
	o.begun, o.done = as("in_progress", ""), as("completed", o.text)
	return o
}

// freeText is the input of a custom tool, for which a script has an object: the
// text in it when it is all there is.
func freeText(input string) string {
	var fields map[string]string
	if json.Unmarshal([]byte(input), &fields) == nil && len(fields) == 1 {
		for _, text := range fields {
			return text
		}
	}
	return input
}

func message(id, status string, content []any) object {
	return object{"id": id, "type": "message", "role": "assistant", "status": status, "content": content}
}

func textPart(text string) object {
	return object{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// response has no time: a script has none.
func (a answer) response(status string, output []any) object {
	r := object{
		"id": "resp_" + a.id, "object": "response", "created_at": 0, "status": status, "model": a.model,
		"output": slices.Clip(output), "error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{},
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{}, "temperature": nil, "top_p": nil, "usage": nil,
	}
	if status == "completed" {
		r["usage"] = object{
			"input_tokens": a.input, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": a.output, "output_tokens_details": object{"reasoning_tokens": 0},
			"total_tokens": a.input + a.output,
		}
	}
	return r
}
