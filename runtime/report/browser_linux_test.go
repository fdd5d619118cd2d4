package report_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// seen is what a browser complained about and asked for.
type seen struct {
	mu       sync.Mutex
	problems []string
	requests []string
}

func (s *seen) event(ev any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		s.problems = append(s.problems, fmt.Sprintf("console.%s", ev.Type))
	case *runtime.EventExceptionThrown:
		s.problems = append(s.problems, ev.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		s.problems = append(s.problems, ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		s.requests = append(s.requests, ev.Request.URL)
	}
}

// browser starts Chromium and returns its first page. Its whole process group
// ends with the test.
func browser(t *testing.T) (context.Context, *seen) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("the report is looked at in a browser: install Debian's package chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("proxy-server", "127.0.0.1:9"),
		chromedp.WSURLReadTimeout(2*time.Minute),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
			t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		}))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	s := &seen{}
	err = chromedp.Do(ctx, call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}))
	if err == nil {
		err = chromedp.Listen(ctx, s.event)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx, s
}

// call is a command of the protocol as an action.
func call[P, R any](c cdp.Command[P, R], p P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, p)
		return chromedp.Void{}, err
	}
}

// facts are what the page looks like to one who measures it.
type facts struct {
	Overflow               int
	Graph, Timeline        struct{ Width, Height float64 }
	Nodes, Edges, Taken    int
	Bars, Lanes, Pauses    int
	Refused                int
	Title, Lang            string
	Headings               []int
	Cells, Pictures, Faint []string
	Background             string
}

// measure collects the facts. A text's contrast is that of its colour with the
// nearest background behind it, as WCAG computes it.
const measure = `(() => {
  const all = s => [...document.querySelectorAll(s)], box = s => { const e = document.querySelector(s); return e ? e.getBoundingClientRect().toJSON() : {width: 0, height: 0} };
  const rgb = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const l = rgb(c).slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * l[0] + .7152 * l[1] + .0722 * l[2] };
  const behind = e => { for (; e; e = e.parentElement) { const b = getComputedStyle(e).backgroundColor; if (rgb(b).length === 3 || rgb(b)[3] > 0) return b } return 'rgb(255, 255, 255)' };
  const faint = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; n = walk.nextNode();) {
    const e = n.parentElement;
    if (!n.data.trim() || e.closest('svg')) continue;
    const a = light(getComputedStyle(e).color), b = light(behind(e)), ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) faint.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ': ' + n.data.trim().slice(0, 30));
  }
  const plot = all('section .scroll .timeline')[0];
  return {
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    graph: box('.graph'), timeline: box('.timeline'),
    nodes: all('.graph .node').length, edges: all('.graph .way').length, taken: all('.graph .taken').length,
    bars: plot ? plot.querySelectorAll('.visit').length : 0, lanes: plot ? plot.querySelectorAll('.lane').length : 0, pauses: plot ? plot.querySelectorAll('.pause').length : 0,
    refused: all('tr.refused').length, title: document.title, lang: document.documentElement.lang,
    headings: all('h1,h2,h3').map(h => +h.tagName[1]),
    cells: all('th:not([scope])').map(e => e.textContent),
    pictures: all('svg:not([aria-label]):not([aria-hidden])').map(e => e.className.baseVal),
    faint: [...faint], background: getComputedStyle(document.body).backgroundColor,
  };
})()`

// The report, as people get to see it: on a desk and on a phone, light and dark.
func TestInBrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	var page bytes.Buffer
	if err := demoReport(t).HTML(&page); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := browser(t)
	backgrounds := map[string]bool{}
	for _, view := range []struct {
		width, height int64
		scheme        string
	}{{1280, 900, "light"}, {1280, 900, "dark"}, {390, 844, "light"}, {390, 844, "dark"}} {
		t.Run(fmt.Sprintf("%d %s", view.width, view.scheme), func(t *testing.T) {
			err := chromedp.Do(ctx,
				chromedp.EmulateViewport(view.width, view.height),
				call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: view.scheme}}}),
				chromedp.Navigate("file://"+file),
				chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('details').forEach(d => d.open = true)`),
			)
			if err != nil {
				t.Fatal(err)
			}
			f, err := chromedp.Run(ctx, chromedp.Evaluate[facts](measure))
			if err != nil {
				t.Fatal(err)
			}
			shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			judge(t, f)
			judgePicture(t, shot)
			backgrounds[f.Background] = true
		})
	}
	if len(backgrounds) != 2 {
		t.Errorf("light and dark have the backgrounds %v", backgrounds)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) > 0 {
		t.Errorf("the browser complains: %q", s.problems)
	}
	for _, url := range s.requests {
		if url != "file://"+file {
			t.Errorf("the page asks for %s", url)
		}
	}
}

func judge(t *testing.T, f facts) {
	t.Helper()
	if f.Overflow > 0 {
		t.Errorf("the page is %d px wider than the window", f.Overflow)
	}
	if f.Graph.Width < 200 || f.Graph.Height < 300 || f.Timeline.Width < 500 || f.Timeline.Height < 100 {
		t.Errorf("graph %v, time line %v", f.Graph, f.Timeline)
	}
	got := [...]int{f.Nodes, f.Edges, f.Taken, f.Bars, f.Lanes, f.Pauses, f.Refused}
	if want := [...]int{10, 11, 8, 11, 4, 2, 1}; got != want {
		t.Errorf("nodes, edges, taken, bars, lanes, pauses, refused: %v, want %v", got, want)
	}
	if f.Title == "" || f.Lang == "" || len(f.Cells)+len(f.Pictures)+len(f.Faint) > 0 {
		t.Errorf("title %q, language %q, headers without scope %q, pictures without name %q, texts of little contrast %q", f.Title, f.Lang, f.Cells, f.Pictures, f.Faint)
	}
	level := 0
	for _, h := range f.Headings {
		if h > level+1 || h == 1 && level > 0 {
			t.Errorf("headings out of order: %v", f.Headings)
			break
		}
		level = h
	}
}

// judgePicture refuses a picture in which nothing is to be seen.
func judgePicture(t *testing.T, shot []byte) {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]int{}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			r, g, b, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	if len(colours) < 50 {
		t.Errorf("a picture of %v with %d colours", b, len(colours))
	}
}
