package corpus

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestFiles(t *testing.T) {
	files := Files()
	if len(files) < 80 {
		t.Errorf("%d files, want at least 80", len(files))
	}
	if !slices.IsSortedFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("files are not sorted")
	}
	syntax := 0
	for _, f := range files {
		if len(f.Data) == 0 {
			t.Errorf("%s is empty", f.Name)
		}
		if strings.HasPrefix(f.Name, "syntax/") {
			syntax++
			if !bytes.Contains(f.Data, []byte("corner:")) && !strings.Contains(f.Name, "loose_") {
				t.Errorf("%s does not say which corner it shows", f.Name)
			}
		}
	}
	if syntax < 60 {
		t.Errorf("%d syntax files, want at least 60", syntax)
	}
}

func TestBots(t *testing.T) {
	bots := Bots()
	if len(bots) < 14 {
		t.Fatalf("%d bots, want at least 14", len(bots))
	}
	profile1, short := 0, 0
	for _, b := range bots {
		n := bytes.Count(b.Data, []byte("\n"))
		if n < 80 || n > 400 {
			t.Errorf("%s has %d lines", b.Name, n)
		}
		if n <= 300 {
			short++
		}
		if bytes.Contains(b.Data, []byte("\ndsl: 1\n")) {
			profile1++
		}
	}
	if short < 12 {
		t.Errorf("%d bots of at most 300 lines, want at least 12", short)
	}
	if profile1 < 2 {
		t.Errorf("%d bots of the first profile, want at least 2", profile1)
	}
}

// TestBotsKeepTheirShape holds the bots near the shape of files that people
// write: it is what benchmarks on them stand for.
func TestBotsKeepTheirShape(t *testing.T) {
	prompts, comments, size := 0, 0, 0
	for _, b := range Bots() {
		p, c := shape(b.Data)
		prompts, comments, size = prompts+p, comments+c, size+len(b.Data)
	}
	if p := 100 * float64(prompts) / float64(size); p < 33 || p > 36 {
		t.Errorf("%.1f %% of the bytes are prompts, want 33 to 36", p)
	}
	if c := 100 * float64(comments) / float64(size); c < 28 || c > 31 {
		t.Errorf("%.1f %% of the bytes are full-line comments, want 28 to 31", c)
	}
}

// shape counts the bytes of a bot in prompt bodies and in full-line comments,
// each with its indentation and newline. A hash in another text is no comment.
func shape(data []byte) (prompts, comments int) {
	body, prompt := -1, false // indentation of the header of the open text, -1 outside
	for line := range bytes.Lines(data) {
		text := bytes.TrimSpace(line)
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if len(text) > 0 && indent <= body {
			body = -1
		}
		switch {
		case body >= 0 && prompt:
			prompts += len(line)
		case body >= 0:
		case bytes.HasPrefix(text, []byte("#")):
			comments += len(line)
		case bytes.HasPrefix(line, []byte("prompt ")), bytes.HasSuffix(text, []byte(": |")):
			body, prompt = indent, bytes.HasPrefix(line, []byte("prompt "))
		}
	}
	return prompts, comments
}

func TestCases(t *testing.T) {
	cases := Cases()
	if len(cases) < 40 {
		t.Errorf("%d cases, want at least 40", len(cases))
	}
	codes := map[string]bool{}
	for _, c := range cases {
		if c.Doc == "" {
			t.Errorf("%s does not say what is wrong", c.Name)
		}
		for _, w := range c.Want {
			codes[w.Code] = true
			checkWant(t, c, w)
		}
	}
	for _, code := range parseCodes {
		if !codes[code] {
			t.Errorf("no case expects %s", code)
		}
	}
}

// parseCodes are the codes of the parse stage that text can draw: E013 never
// fires, E050 and up belong to the YAML form.
var parseCodes = strings.Fields(`E001 E002 E003 E004 E005 E006 E010 E011 E012 E014 E020 E021
	E030 E031 E032 E040 E041 E042 E043 E044 E045 E046 E047`)

// checkWant sees that an expected place exists.
func checkWant(t *testing.T, c Case, w Want) {
	i := slices.IndexFunc(c.Files, func(f File) bool { return f.Name == w.File })
	if i < 0 {
		t.Errorf("%s: %v names no file of the case", c.Name, w)
		return
	}
	lines := strings.Split(string(c.Files[i].Data), "\n")
	if w.Line > len(lines) || w.Column > len([]rune(lines[w.Line-1]))+1 {
		t.Errorf("%s: %v lies outside of the text", c.Name, w)
	}
}

func TestParseCase(t *testing.T) {
	raw := "# One.\n# Two.\n-- a.bot --\n<<EF>><<BB>><<BF>>x<<0D>>\n-- lib/x.bot --\ny <<zz>>\n-- want --\n1:2 E001\nlib/x.bot:1:1 E010\n"
	c, err := parseCase("n", txtar.Parse([]byte(raw)))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s|%s|%q|%q|%v", c.Name, c.Doc, c.Files[0].Data, c.Files[1].Data, c.Want)
	want := `n|One. Two.|"\ufeffx\r\n"|"y <<zz>>\n"|[a.bot:1:2 E001 lib/x.bot:1:1 E010]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "-- a.bot --\n", "-- want --\n", "-- a.bot --\n-- want --\n1 E001\n"} {
		if _, err := parseCase("n", txtar.Parse([]byte(bad))); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestUnits(t *testing.T) {
	units := Units()
	if len(units) < 4 {
		t.Errorf("%d units, want at least 4", len(units))
	}
	for _, u := range units {
		if _, err := fs.Stat(u.FS, u.Main); err != nil {
			t.Errorf("%s: %v", u.Name, err)
		}
		if _, err := fs.Stat(u.FS, "lib"); err != nil {
			t.Errorf("%s: %v", u.Name, err)
		}
	}
}

func TestRuns(t *testing.T) {
	plain, scripted := 0, 0
	for _, r := range Runs() {
		if r.Status == "" || len(r.Path) == 0 {
			t.Errorf("%s does not say what is expected", r.Name)
		}
		if r.Script == nil {
			plain++
		} else {
			scripted++
		}
		for node := range r.Outputs {
			if !bytes.Contains(r.File.Data, []byte(" "+node+":\n")) {
				t.Errorf("%s expects an output of %s, which it does not declare", r.Name, node)
			}
		}
	}
	if plain < 12 || scripted < 4 {
		t.Errorf("%d plain and %d scripted runs, want 12 and 4", plain, scripted)
	}
}
