package serve

import "encoding/json"

// messages is the wire of Anthropic Messages.
type messages struct{}

type messagesRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

func (messages) read(body []byte) (request, *failure) {
	var in messagesRequest
	if failed := decode(body, &in); failed != nil {
		return request{}, failed
	}
	if in.Model == "" {
		return request{}, malformed("model: Field required")
	}
	if len(in.Messages) == 0 {
		return request{}, malformed("messages: at least one message is required")
	}
	r := request{model: in.Model, stream: in.Stream}
	var roles []string
	for _, m := range in.Messages {
		roles = append(roles, m.Role)
		if m.Role == "user" && r.opening == nil {
			r.opening = m.Content
		}
	}
	r.turns = runs(roles, isAssistant)
	for _, t := range in.Tools {
		r.tools = append(r.tools, tool{name: t.Name})
	}
	return r, nil
}

func isAssistant(role string) bool { return role == "assistant" }

func (messages) whole(_ request, a answer) any {
	content := []any{}
	if a.text != "" {
		content = append(content, object{"type": "text", "text": a.text})
	}
	for _, c := range a.calls {
		// Broken JSON can go over a stream only; here it is a text in its place.
		var input any = c.input
		if json.Valid([]byte(c.input)) {
			input = json.RawMessage(c.input)
		}
		content = append(content, c.block(input))
	}
	m := a.message(content)
	m["stop_reason"] = a.stopReason()
	return m
}

func (messages) stream(f *frames, _ request, a answer) {
	send := func(kind string, data object) {
		data["type"] = kind
		f.event(kind, data)
	}
	index := 0
	block := func(start object, delta func(piece string) object, text string) {
		send("content_block_start", object{"index": index, "content_block": start})
		for _, piece := range pieces(text) {
			send("content_block_delta", object{"index": index, "delta": delta(piece)})
		}
		send("content_block_stop", object{"index": index})
		index++
	}
	send("message_start", object{"message": a.message([]any{})})
	send("ping", object{})
	if a.text != "" {
		block(object{"type": "text", "text": ""}, textDelta, a.text)
	}
	for _, c := range a.calls {
		block(c.block(object{}), inputDelta, c.input)
	}
	send("message_delta", object{
		"delta": object{"stop_reason": a.stopReason(), "stop_sequence": nil},
		"usage": a.messageUsage(),
	})
	send("message_stop", object{})
}

func textDelta(piece string) object { return object{"type": "text_delta", "text": piece} }

func inputDelta(piece string) object {
	return object{"type": "input_json_delta", "partial_json": piece}
}

func (messages) problem(f failure) (int, any) { return f.anthropic() }

func (c placed) block(input any) object {
	return object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.tool.name, "input": input}
}

func (a answer) message(content []any) object {
	return object{
		"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": a.model,
		"content": content, "stop_reason": nil, "stop_sequence": nil, "usage": a.messageUsage(),
	}
}

func (a answer) messageUsage() object {
	return object{
		"input_tokens": a.input, "output_tokens": a.output,
		"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
	}
}

func (a answer) stopReason() string {
	if len(a.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}
