package toolrun

import (
	"net/url"
	"strings"
	"testing"
)

func TestPageText(t *testing.T) {
	base, err := url.Parse("https://docs.example/a/b")
	if err != nil {
		t.Fatal(err)
	}
	for page, want := range map[string]string{
		"plain  \n text":                                         "plain text",
		"<h1>One</h1><p>a <b>b</b>c<p>d":                         "# One\n\na bc\n\nd",
		"<ul><li>x<li>y</ul>z":                                   "- x\n- y\n\nz",
		"<pre>a\n  b\n</pre>c":                                   "a\n  b\n\nc",
		"<table><tr><td>1<td>2<tr><th>3</table>":                 "| 1 | 2\n| 3",
		`<a href="c?d#e">see</a> <a href="#x">here</a>`:          "see (https://docs.example/a/c?d#e) here",
		`<a href="javascript:x()">js</a>`:                        "js",
		`a<br>b<img alt=" pic " src=x>c`:                         "a\nb [pic] c",
		"a&nbsp;b&lt;script&gt;":                                 "a b<script>",
		"<script>x</script><style>y</style>z":                    "z",
		"<noscript>x<p>y</noscript><template>q</template>z":      "z",
		`<div hidden>x<div>y</div>z</div>seen`:                   "seen",
		`<p hidden>x<p>seen`:                                     "seen",
		`<li style="Display: NONE">x<ul><li>y</ul></li><li>seen`: "- seen",
		`<span style="color:red;visibility:hidden">x</span>seen`: "seen",
		`<div><p hidden>x</div>seen`:                             "seen",
		`<input hidden>seen<br hidden>`:                          "seen",
		`<svg><title>x</title><path d="M"/></svg>seen`:           "seen",
		`<svg/>seen`:                         "seen",
		`<script src=x />seen?</script>seen`: "seen",
		"<!-- x -->seen<!DOCTYPE html>":      "seen",
		"<p>\u202e\x1b[2Jx\x00y":             "\u202e[2Jxy",
		"<":                                  "<",
		"<a href":                            "",
		"<textarea>x<p>y</textarea>seen":     "seen",
	} {
		if got := pageText(page, base); got != want {
			t.Errorf("%s\n\t%q\nwant\n\t%q", page, got, want)
		}
	}
}

// Whatever a page repeats, its text comes at once and is no longer than the page.
func TestPagesEnd(t *testing.T) {
	base := &url.URL{}
	for _, part := range []string{
		"<div>", "<div hidden>", "<p hidden>", "</p>", "<b a=1><p>x", "<a href=x>", "<blockquote>x", "<ul><li>", "<svg>", "<x ", "&amp", "<!--", "<pre>\n", "<h1>", "<td>",
	} {
		page := strings.Repeat(part, mostFetched/len(part))
		if got := pageText(page, base); len(got) > mostFetched {
			t.Errorf("%s: %d bytes", part, len(got))
		}
	}
}

func FuzzPageText(f *testing.F) {
	f.Add("<p hidden>a<b>c</p><a href=/x>y</a>")
	f.Fuzz(func(t *testing.T, page string) {
		got := pageText(page, &url.URL{Scheme: "https", Host: "x.example"})
		if strings.ContainsAny(got, "\x00\x1b\r") || strings.TrimSpace(got) != got {
			t.Errorf("%q", got)
		}
	})
}
