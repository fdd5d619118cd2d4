package outcome

import (
	"regexp"
	"strings"
	"testing"
)

// The codes that may be tried again, as the language lists them.
const retryable = "EXECUTION_FAILED TIMEOUT RATE_LIMITED USAGE_LIMIT_BLOCKED NETWORK_TRANSIENT TOOL_FAILED_TRANSIENT BUDGET_EXCEEDED"

func TestTableIsSound(t *testing.T) {
	shape := regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	seen := map[Code]bool{}
	var again []string
	for _, row := range Codes() {
		if !shape.MatchString(string(row.Code)) || seen[row.Code] {
			t.Errorf("bad or repeated code %q", row.Code)
		}
		seen[row.Code] = true
		if !strings.HasSuffix(row.Doc, ".") {
			t.Errorf("%s: the text is no sentence: %q", row.Code, row.Doc)
		}
		if row.Code.Retryable() {
			again = append(again, string(row.Code))
		}
	}
	if len(seen) != 32 {
		t.Errorf("%d codes, want the 29 public ones and 3 of ours", len(seen))
	}
	if got := strings.Join(again, " "); got != retryable {
		t.Errorf("retryable: %s", got)
	}
	if Code("REVIEW_NOT_PASSED").Retryable() {
		t.Error("a code of an author's is not retried")
	}
}

func TestEventsAreUnique(t *testing.T) {
	seen := map[EventType]bool{}
	for _, row := range Events() {
		if seen[row.Type] || row.Family == "" {
			t.Errorf("bad row %v", row)
		}
		seen[row.Type] = true
	}
}
