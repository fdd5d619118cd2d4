package backend

import (
	"strings"
	"testing"
)

func TestImage(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n"
	url, kind, err := Image([]byte(png + "x"))
	if err != nil || kind != "image/png" || url != "data:image/png;base64,iVBORw0KGgp4" {
		t.Errorf("%q %q %v", url, kind, err)
	}
	most := png + strings.Repeat("x", LargestImage-len(png))
	if url, _, err := Image([]byte(most)); err != nil || len(url)-len("data:image/png;base64,") != 5<<20 {
		t.Errorf("the largest image: %v", err)
	}
	for content, want := range map[string]string{
		"": "no PNG", "<svg/>": "no PNG", "%PDF-1.7": "no PNG", most + "x": "larger than 3840 KiB",
	} {
		if _, _, err := Image([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", content, err)
		}
	}
}
