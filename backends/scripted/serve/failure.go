package serve

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"iterion/ir/outcome"
)

// Faults of a request itself, beside the codes of a run.
const (
	badRequest outcome.Code = "BAD_REQUEST"
	tooLarge   outcome.Code = "REQUEST_TOO_LARGE"
	notFound   outcome.Code = "NOT_FOUND"
)

// failure is what is answered in a turn's place.
type failure struct {
	code       outcome.Code
	message    string // "" for the provider's own words
	retryAfter time.Duration
	delay      time.Duration // before the answer
}

// reply is how a provider answers with a failure.
type reply struct {
	status  int
	kind    string // error.type
	code    string // error.code, "" for null
	message string // when the script has none
}

// refusal is one row of the table of failures.
type refusal struct {
	code              outcome.Code
	anthropic, openai reply
	final             bool // clients are told not to try again
}

// overloaded is Anthropic's own status for an overloaded service.
const overloaded = 529

// refusals is the table; a code that it lacks is answered as its first row.
var refusals = []refusal{
	{code: outcome.ExecutionFailed,
		anthropic: reply{http.StatusInternalServerError, "api_error", "", "Internal server error"},
		openai:    reply{http.StatusInternalServerError, "server_error", "", "The server had an error while processing your request."}},
	{code: outcome.ScriptExhausted, final: true,
		anthropic: reply{http.StatusInternalServerError, "api_error", "", "SCRIPT_EXHAUSTED"},
		openai:    reply{http.StatusInternalServerError, "server_error", "script_exhausted", "SCRIPT_EXHAUSTED"}},
	{code: outcome.RateLimited,
		anthropic: reply{http.StatusTooManyRequests, "rate_limit_error", "", "This request would exceed your organization's rate limit."},
		openai:    reply{http.StatusTooManyRequests, "requests", "rate_limit_exceeded", "Rate limit reached for requests."}},
	{code: outcome.UsageLimitBlocked, final: true,
		anthropic: reply{http.StatusTooManyRequests, "rate_limit_error", "", "This request would exceed your account's rate limit. Please try again later."},
		openai:    reply{http.StatusTooManyRequests, "insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."}},
	{code: outcome.AuthFailed,
		anthropic: reply{http.StatusUnauthorized, "authentication_error", "", "invalid x-api-key"},
		openai:    reply{http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."}},
	{code: outcome.ContextLength,
		anthropic: reply{http.StatusBadRequest, "invalid_request_error", "", tooLong},
		openai:    reply{http.StatusBadRequest, "invalid_request_error", "context_length_exceeded", "Your input exceeds the context window of this model. Please adjust your input and try again."}},
	{code: outcome.NetworkTransient,
		anthropic: reply{overloaded, "overloaded_error", "", "Overloaded"},
		openai:    reply{http.StatusServiceUnavailable, "server_error", "", "The server is overloaded or not ready yet."}},
	{code: outcome.Timeout,
		anthropic: reply{http.StatusGatewayTimeout, "timeout_error", "", "Request timed out"},
		openai:    reply{http.StatusGatewayTimeout, "server_error", "", "The request timed out."}},
	{code: badRequest,
		anthropic: reply{http.StatusBadRequest, "invalid_request_error", "", ""},
		openai:    reply{http.StatusBadRequest, "invalid_request_error", "", ""}},
	{code: tooLarge,
		anthropic: reply{http.StatusRequestEntityTooLarge, "request_too_large", "", ""},
		openai:    reply{http.StatusRequestEntityTooLarge, "invalid_request_error", "request_too_large", ""}},
	{code: notFound,
		anthropic: reply{http.StatusNotFound, "not_found_error", "", ""},
		openai:    reply{http.StatusNotFound, "invalid_request_error", "unknown_url", ""}},
}

// tooLong is by what Anthropic's clients know a conversation that is too long:
// there is no code for it.
const tooLong = "prompt is too long"

func (f failure) row() refusal {
	for _, row := range refusals {
		if row.code == f.code {
			return row
		}
	}
	return refusals[0]
}

// anthropic is the error as Anthropic writes it.
func (f failure) anthropic() (int, any) {
	as := f.row().anthropic
	message := cmp.Or(f.message, as.message)
	if f.code == outcome.ContextLength && !strings.Contains(message, tooLong) {
		message = tooLong + ": " + message
	}
	return as.status, object{"type": "error", "error": object{"type": as.kind, "message": message}}
}

// openai is the error as OpenAI writes it.
func (f failure) openai() (int, any) {
	as := f.row().openai
	var code any
	if as.code != "" {
		code = as.code
	}
	return as.status, object{"error": object{"message": cmp.Or(f.message, as.message), "type": as.kind, "param": nil, "code": code}}
}

// headers tells when to come back, in the words that clients read.
func (f failure) headers(h http.Header, on wire) {
	after := f.retryAfter
	if f.code == outcome.RateLimited {
		after = cmp.Or(after, time.Second) // providers always tell it
	}
	if after > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
		h.Set("Retry-After-Ms", strconv.FormatInt(after.Milliseconds(), 10))
	}
	if f.code == outcome.UsageLimitBlocked && on == (messages{}) {
		h.Set("Anthropic-Ratelimit-Unified-Status", "rejected")
	}
	if f.row().final {
		h.Set("X-Should-Retry", "false")
	}
}

func malformed(format string, args ...any) *failure {
	return &failure{code: badRequest, message: fmt.Sprintf(format, args...)}
}
