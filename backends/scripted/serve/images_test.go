package serve

import (
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	responsesapi "github.com/openai/openai-go/v3/responses"
)

const looks = "nodes: { worker: [ { text: one }, { text: two } ] }"

// Images of the user and of a tool's result change neither the turn nor make a
// small conversation look like a full window.

// picture is the base64 of an image.
func picture() string { return strings.Repeat("AAAA", 100_000) }

func counted(t *testing.T, tokens int64) {
	t.Helper()
	if tokens < 1600 || tokens > 2*1600+200 {
		t.Errorf("%d tokens", tokens)
	}
}

func TestImagesOverMessages(t *testing.T) {
	client := anthropic.NewClient(anthropicoption.WithBaseURL(listen(t, looks)), anthropicoption.WithAPIKey("k"), anthropicoption.WithMaxRetries(0))
	image := anthropic.NewImageBlockBase64("image/png", picture())
	params := anthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("look"), image),
	}}
	first, err := client.Messages.New(t.Context(), params)
	if err != nil || first.Content[0].Text != "one" {
		t.Fatalf("%+v, %v", first, err)
	}
	result := anthropic.ToolResultBlockParam{ToolUseID: "c", Content: []anthropic.ToolResultBlockParamContentUnion{{OfImage: image.OfImage}}}
	params.Messages = append(params.Messages, first.ToParam(), anthropic.NewUserMessage(anthropic.ContentBlockParamUnion{OfToolResult: &result}))
	second, err := client.Messages.New(t.Context(), params)
	if err != nil || second.Content[0].Text != "two" {
		t.Fatalf("%+v, %v", second, err)
	}
	counted(t, second.Usage.InputTokens)
	asked, err := client.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: "m", Messages: params.Messages})
	if err != nil {
		t.Fatal(err)
	}
	counted(t, asked.InputTokens)
}

func TestImagesOverChat(t *testing.T) {
	client := openaiClient(t, looks)
	params := openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
			openai.TextContentPart("look"),
			openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:image/png;base64," + picture()}),
		}),
		openai.AssistantMessage("one"), openai.UserMessage("more"),
	}}
	got, err := client.Chat.Completions.New(t.Context(), params)
	if err != nil || got.Choices[0].Message.Content != "two" {
		t.Fatalf("%+v, %v", got, err)
	}
	counted(t, got.Usage.PromptTokens)
}

func TestImagesOverResponses(t *testing.T) {
	client := openaiClient(t, looks)
	image := responsesapi.ResponseInputContentUnionParam{OfInputImage: &responsesapi.ResponseInputImageParam{
		ImageURL: param.NewOpt("data:image/png;base64," + picture()), Detail: "auto",
	}}
	params := responsesapi.ResponseNewParams{Model: "m"}
	params.Input.OfInputItemList = []responsesapi.ResponseInputItemUnionParam{
		responsesapi.ResponseInputItemParamOfMessage(responsesapi.ResponseInputMessageContentListParam{image}, "user"),
		responsesapi.ResponseInputItemParamOfMessage("one", "assistant"),
		responsesapi.ResponseInputItemParamOfMessage("more", "user"),
	}
	got, err := client.Responses.New(t.Context(), params)
	if err != nil || got.OutputText() != "two" {
		t.Fatalf("%+v, %v", got, err)
	}
	counted(t, got.Usage.InputTokens)
}
