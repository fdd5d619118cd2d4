package serve

import "encoding/json"

// chat is the wire of OpenAI Chat Completions.
type chat struct{}

type chatRequest struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

func (chat) read(body []byte) (request, *failure) {
	var in chatRequest
	if failed := decode(body, &in); failed != nil {
		return request{}, failed
	}
	if in.Model == "" {
		return request{}, malformed("you must provide a model parameter")
	}
	if len(in.Messages) == 0 {
		return request{}, malformed("messages: at least one message is required")
	}
	r := request{model: in.Model, stream: in.Stream, usage: in.StreamOptions.IncludeUsage}
	var roles []string
	for _, m := range in.Messages {
		roles = append(roles, m.Role)
		if m.Role == "user" && r.opening == nil {
			r.opening = m.Content
		}
	}
	r.turns = runs(roles, isAssistant)
	for _, t := range in.Tools {
		r.tools = append(r.tools, tool{name: t.Function.Name})
	}
	return r, nil
}

func (chat) whole(_ request, a answer) any {
	message := object{"role": "assistant", "content": nil, "refusal": nil}
	if a.text != "" {
		message["content"] = a.text
	}
	var calls []any
	for _, c := range a.calls {
		calls = append(calls, c.function(c.input))
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	choice := object{"index": 0, "message": message, "logprobs": nil, "finish_reason": a.finishReason()}
	return a.completion("chat.completion", []any{choice}, a.chatUsage())
}

func (chat) stream(f *frames, r request, a answer) {
	send := func(delta object, finish any) {
		choice := object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}
		f.event("", a.completion("chat.completion.chunk", []any{choice}, nil))
	}
	send(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(a.text) {
		send(object{"content": piece}, nil)
	}
	for i, c := range a.calls {
		opening := c.function("")
		opening["index"] = i
		send(object{"tool_calls": []any{opening}}, nil)
		for _, piece := range pieces(c.input) {
			send(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	send(object{}, a.finishReason())
	if r.usage {
		f.event("", a.completion("chat.completion.chunk", []any{}, a.chatUsage()))
	}
	f.write("data: [DONE]\n\n")
}

func (chat) problem(f failure) (int, any) { return f.openai() }

func (c placed) function(arguments string) object {
	return object{"id": "call_" + c.id, "type": "function", "function": object{"name": c.tool.name, "arguments": arguments}}
}

// completion has no time: a script has none.
func (a answer) completion(kind string, choices []any, usage any) object {
	return object{"id": "chatcmpl-" + a.id, "object": kind, "created": 0, "model": a.model, "choices": choices, "usage": usage}
}

func (a answer) chatUsage() object {
	return object{"prompt_tokens": a.input, "completion_tokens": a.output, "total_tokens": a.input + a.output}
}

func (a answer) finishReason() string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}
