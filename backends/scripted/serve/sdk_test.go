package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	responsesapi "github.com/openai/openai-go/v3/responses"
)

// The official clients read what the wires write, as they would a provider's.

const loop = `
nodes:
  worker:
    - error: { code: RATE_LIMITED, message: slow down, retry_after: 3s }
    - text: Looking.
      tools:
        - { name: bash, input: { command: "git diff" } }
        - { name: bash, input: { command: "git log" } }
      usage: { input_tokens: 900, output_tokens: 40 }
    - output: { approved: true }
      model: other
`

// listen serves a script at an address that leads to its node.
func listen(t *testing.T, script string) (url string) {
	t.Helper()
	server := httptest.NewServer(handlerOf(t, script, nil))
	t.Cleanup(server.Close)
	return server.URL + "/node/worker"
}

func TestAnthropicClient(t *testing.T) {
	client := anthropic.NewClient(
		anthropicoption.WithBaseURL(listen(t, loop)), anthropicoption.WithAPIKey("k"), anthropicoption.WithMaxRetries(0))
	params := anthropic.MessageNewParams{
		Model: "m", MaxTokens: 100,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))},
		Tools: []anthropic.ToolUnionParam{
			{OfTool: &anthropic.ToolParam{Name: "bash"}}, {OfTool: &anthropic.ToolParam{Name: "StructuredOutput"}},
		},
	}
	var failed *anthropic.Error
	_, err := client.Messages.New(t.Context(), params)
	if !errors.As(err, &failed) || failed.StatusCode != http.StatusTooManyRequests || failed.Type() != "rate_limit_error" ||
		failed.Response.Header.Get("Retry-After") != "3" {
		t.Fatalf("turn 1: %v", err)
	}

	stream := client.Messages.NewStreaming(t.Context(), params)
	var first anthropic.Message
	for stream.Next() {
		if err := first.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if stream.Err() != nil || first.StopReason != "tool_use" || first.Usage.InputTokens != 900 || first.Usage.OutputTokens != 40 {
		t.Fatalf("turn 2: %+v, %v", first, stream.Err())
	}
	if len(first.Content) != 3 || first.Content[0].Text != "Looking." || string(first.Content[2].Input) != `{"command":"git log"}` ||
		first.Content[1].ID == first.Content[2].ID {
		t.Fatalf("turn 2: %+v", first.Content)
	}

	params.Messages = append(params.Messages, first.ToParam(), anthropic.NewUserMessage(
		anthropic.NewToolResultBlock(first.Content[1].ID, "ok", false), anthropic.NewToolResultBlock(first.Content[2].ID, "ok", false)))
	second, err := client.Messages.New(t.Context(), params)
	if err != nil || second.Model != "other" || len(second.Content) != 1 || second.Content[0].Name != "StructuredOutput" ||
		string(second.Content[0].Input) != `{"approved":true}` {
		t.Fatalf("turn 3: %+v, %v", second, err)
	}

	params.Messages = append(params.Messages, second.ToParam(), anthropic.NewUserMessage(anthropic.NewTextBlock("more")))
	_, err = client.Messages.New(t.Context(), params)
	if !errors.As(err, &failed) || failed.StatusCode != http.StatusInternalServerError {
		t.Fatalf("turn 4: %v", err)
	}
	counted, err := client.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: "m", Messages: params.Messages})
	if err != nil || counted.InputTokens < 10 {
		t.Fatalf("%+v, %v", counted, err)
	}
	models, err := client.Models.List(t.Context(), anthropic.ModelListParams{})
	if err != nil || len(models.Data) != 2 || models.Data[0].ID != "other" {
		t.Fatalf("%+v, %v", models, err)
	}
}

func openaiClient(t *testing.T, script string) openai.Client {
	return openai.NewClient(
		openaioption.WithBaseURL(listen(t, script)+"/v1"), openaioption.WithAPIKey("k"), openaioption.WithMaxRetries(0))
}

// rateLimited checks the failure of the script's first turn.
func rateLimited(t *testing.T, err error) {
	t.Helper()
	var failed *openai.Error
	if !errors.As(err, &failed) || failed.StatusCode != http.StatusTooManyRequests || failed.Code != "rate_limit_exceeded" ||
		failed.Message != "slow down" || failed.Response.Header.Get("Retry-After") != "3" {
		t.Fatalf("turn 1: %v", err)
	}
}

func TestChatClient(t *testing.T) {
	client := openaiClient(t, loop)
	tool := func(name string) openai.ChatCompletionToolUnionParam {
		return openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: name})
	}
	params := openai.ChatCompletionNewParams{
		Model:         "m",
		Messages:      []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("be kind"), openai.UserMessage("go")},
		Tools:         []openai.ChatCompletionToolUnionParam{tool("bash"), tool("structured_output")},
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	_, err := client.Chat.Completions.New(t.Context(), params)
	rateLimited(t, err)

	stream := client.Chat.Completions.NewStreaming(t.Context(), params)
	first := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		if !first.AddChunk(stream.Current()) {
			t.Fatalf("a chunk that does not fit: %s", stream.Current().RawJSON())
		}
	}
	if stream.Err() != nil || len(first.Choices) != 1 || first.Usage.TotalTokens != 940 {
		t.Fatalf("turn 2: %+v, %v", first, stream.Err())
	}
	said := first.Choices[0]
	if said.FinishReason != "tool_calls" || said.Message.Content != "Looking." || len(said.Message.ToolCalls) != 2 ||
		said.Message.ToolCalls[1].Function.Arguments != `{"command":"git log"}` || said.Message.ToolCalls[0].ID == said.Message.ToolCalls[1].ID {
		t.Fatalf("turn 2: %+v", said)
	}

	params.Messages = append(params.Messages, said.Message.ToParam(),
		openai.ToolMessage("ok", said.Message.ToolCalls[0].ID), openai.ToolMessage("ok", said.Message.ToolCalls[1].ID))
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	second, err := client.Chat.Completions.New(t.Context(), params)
	if err != nil || second.Model != "other" || len(second.Choices[0].Message.ToolCalls) != 1 ||
		second.Choices[0].Message.ToolCalls[0].Function.Name != "structured_output" {
		t.Fatalf("turn 3: %+v, %v", second, err)
	}
	models, err := client.Models.List(t.Context())
	if err != nil || len(models.Data) != 2 || models.Data[1].ID != "scripted" {
		t.Fatalf("%+v, %v", models, err)
	}
}

func TestResponsesClient(t *testing.T) {
	client := openaiClient(t, loop)
	items := []responsesapi.ResponseInputItemUnionParam{responsesapi.ResponseInputItemParamOfMessage("go", "user")}
	params := responsesapi.ResponseNewParams{Model: "m", Tools: []responsesapi.ToolUnionParam{
		{OfFunction: &responsesapi.FunctionToolParam{Name: "bash"}}, {OfFunction: &responsesapi.FunctionToolParam{Name: "structured_output"}},
	}}
	params.Input.OfInputItemList = items
	_, err := client.Responses.New(t.Context(), params)
	rateLimited(t, err)

	stream := client.Responses.NewStreaming(t.Context(), params)
	var text, arguments string
	var first responsesapi.Response
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case responsesapi.ResponseTextDeltaEvent:
			text += event.Delta
		case responsesapi.ResponseFunctionCallArgumentsDeltaEvent:
			arguments += event.Delta
		case responsesapi.ResponseCompletedEvent:
			first = event.Response
		}
	}
	if stream.Err() != nil || text != "Looking." || arguments != `{"command":"git diff"}{"command":"git log"}` || first.OutputText() != text {
		t.Fatalf("turn 2: %q %q %+v, %v", text, arguments, first, stream.Err())
	}
	if len(first.Output) != 3 || first.Usage.TotalTokens != 940 || first.Status != "completed" || first.Output[1].CallID == first.Output[2].CallID {
		t.Fatalf("turn 2: %+v", first)
	}

	for _, o := range first.Output {
		if o.Type == "function_call" {
			items = append(items, responsesapi.ResponseInputItemParamOfFunctionCall(o.Arguments.OfString, o.CallID, o.Name))
		}
	}
	for _, o := range first.Output[1:] {
		result := responsesapi.ResponseInputItemParamOfFunctionCallOutput("ok")
		result.OfFunctionCallOutput.CallID = openai.String(o.CallID)
		items = append(items, result)
	}
	params.Input.OfInputItemList = items
	second, err := client.Responses.New(t.Context(), params)
	if err != nil || second.Model != "other" || len(second.Output) != 1 || second.Output[0].Name != "structured_output" ||
		!json.Valid([]byte(second.Output[0].Arguments.OfString)) {
		t.Fatalf("turn 3: %+v, %v", second, err)
	}
}

func TestFailuresHaveTheirClasses(t *testing.T) {
	for code, want := range map[string]struct {
		anthropic, openai int
		openaiCode        string
	}{
		"AUTH_FAILED":             {401, 401, "invalid_api_key"},
		"RATE_LIMITED":            {429, 429, "rate_limit_exceeded"},
		"USAGE_LIMIT_BLOCKED":     {429, 429, "insufficient_quota"},
		"CONTEXT_LENGTH_EXCEEDED": {400, 400, "context_length_exceeded"},
		"NETWORK_TRANSIENT":       {529, 503, ""},
		"TIMEOUT":                 {504, 504, ""},
		"TOOL_FAILED_PERMANENT":   {500, 500, ""},
	} {
		script := "nodes: { worker: [ { error: { code: " + code + ", message: why } } ] }"
		one := anthropic.NewClient(
			anthropicoption.WithBaseURL(listen(t, script)), anthropicoption.WithAPIKey("k"), anthropicoption.WithMaxRetries(0))
		_, err := one.Messages.New(t.Context(), anthropic.MessageNewParams{
			Model: "m", MaxTokens: 1, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))}})
		var a *anthropic.Error
		if !errors.As(err, &a) || a.StatusCode != want.anthropic || a.Type() == "" {
			t.Errorf("%s: %v", code, err)
		}
		two := openaiClient(t, script)
		stream := two.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{
			Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("go")}})
		for stream.Next() {
			t.Errorf("%s: a chunk", code)
		}
		var o *openai.Error
		if !errors.As(stream.Err(), &o) || o.StatusCode != want.openai || o.Code != want.openaiCode || o.Message != "why" {
			t.Errorf("%s: %v", code, stream.Err())
		}
	}
}
