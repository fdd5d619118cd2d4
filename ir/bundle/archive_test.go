package bundle

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// entry is a file of an archive that a test writes.
type entry struct {
	name, text string
	mode       fs.FileMode
}

func archive(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHostileArchives(t *testing.T) {
	plain := entry{name: "main.bot", text: "x"}
	zeros := strings.Repeat("\x00", maxMember)
	many := make([]entry, maxMembers+1)
	for i := range many {
		many[i].name = "lib/" + strings.Repeat("x", i%50+1) + string(rune('a'+i%26)) + ".bot"
	}
	for want, entries := range map[string][]entry{
		`"../x.bot" has no plain relative path`:                        {plain, {name: "../x.bot"}},
		`"lib/../../x" has no plain relative path`:                     {{name: "lib/../../x"}},
		`"/etc/x" has no plain relative path`:                          {{name: "/etc/x"}},
		`"./x" has no plain relative path`:                             {{name: "./x"}},
		`"a//b" has no plain relative path`:                            {{name: "a//b"}},
		`"a\\b" has a name that not every system can hold`:             {{name: `a\b`}},
		`"C:x" has a name that not every system can hold`:              {{name: "C:x"}},
		`"a\x00b" has a name with hidden characters`:                   {{name: "a\x00b"}},
		`"a\u202eb" has a name with hidden characters`:                 {{name: "a\u202eb"}},
		`"a\xff" has a name that is not UTF-8`:                         {{name: "a\xff"}},
		`"link" is a link or another special file`:                     {{name: "link", text: "main.bot", mode: fs.ModeSymlink | 0o777}},
		`"main.bot" has the name of another file, capitals aside`:      {plain, plain},
		`"Main.bot" has the name of another file, capitals aside`:      {plain, {name: "Main.bot"}},
		`"main.bot/x" has a file for its folder`:                       {plain, {name: "main.bot/x"}},
		`"lib" has the name of another file, capitals aside`:           {{name: "lib/x"}, {name: "lib"}},
		`"../" has no plain relative path`:                             {{name: "../"}},
		`"big" is larger than 16 MiB`:                                  {{name: "big", text: zeros + "x"}},
		`it unpacks to more than 64 MiB`:                               {{name: "a", text: zeros}, {name: "b", text: zeros}, {name: "c", text: zeros}, {name: "d", text: zeros}, {name: "e", text: "x"}},
		`it holds more than 4096 files`:                                many,
		`"` + strings.Repeat("x", maxName+1) + `" has too long a name`: {{name: strings.Repeat("x", maxName+1)}},
	} {
		raw := archive(t, entries...)
		if _, err := Open(bytes.NewReader(raw), int64(len(raw))); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A damaged archive is refused, wherever the damage is, or holds what it held.
func TestDamagedArchives(t *testing.T) {
	raw := archive(t, entry{name: "main.bot", text: strings.Repeat("some text ", 20)}, entry{name: "lib/", mode: fs.ModeDir | 0o755}, entry{name: "lib/a.bot", text: "a"})
	for i := range raw {
		hurt := slices.Clone(raw)
		hurt[i] ^= 0x20
		fsys, err := Open(bytes.NewReader(hurt), int64(len(hurt)))
		if err != nil {
			continue
		}
		if text, err := fs.ReadFile(fsys, "main.bot"); err == nil && string(text) != strings.Repeat("some text ", 20) {
			t.Errorf("byte %d: main.bot is %q", i, text)
		}
	}
	for _, raw := range [][]byte{nil, []byte("\x1f\x8b\x08"), raw[:len(raw)-1], raw[1:]} {
		if _, err := Open(bytes.NewReader(raw), int64(len(raw))); err == nil {
			t.Errorf("%d bytes are opened", len(raw))
		}
	}
	if _, err := Open(bytes.NewReader(nil), MaxArchive+1); err == nil {
		t.Error("a file beyond the bound is opened")
	}
}

func TestCollect(t *testing.T) {
	link := &fstest.MapFile{Data: []byte("x"), Mode: fs.ModeSymlink | 0o777}
	fsys := fstest.MapFS{"lib/link.bot": link, "prompts/pipe": {Mode: fs.ModeNamedPipe}, "skills/big": {Data: make([]byte, maxMember+1)}}
	for _, name := range strings.Fields(`main.bot manifest.yaml README.md LICENSE notes.md steps/a.bot steps/b.bot other/c.bot
		lib/a.bot lib/deep/b.md lib/.hidden lib/x.bot.yaml lib/old.botz lib/a.bot~ lib/__pycache__/x prompts/p.md prompts/keys.md
		skills/s.md skills/s/SKILL.md skills/s/server.pem skills/s/secrets.yaml presets/p.md presets/P.md attachments/logo.png
		.env .git/config .iterion/x scripts/x.py skills/a:b.md`) {
		fsys[name] = &fstest.MapFile{Data: []byte(name)}
	}
	c, err := Collect(fsys, []string{"main.bot", "manifest.yaml", "steps/a.bot", "prompts/p.md"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range c.Files {
		got = append(got, f.Name)
	}
	want := strings.Fields(`LICENSE README.md attachments/logo.png lib/a.bot lib/deep/b.md main.bot manifest.yaml presets/P.md
		prompts/keys.md prompts/p.md skills/s.md skills/s/SKILL.md steps/a.bot`)
	if !slices.Equal(got, want) {
		t.Errorf("packed %v", got)
	}
	if got, want := lines(c.LeftOut), `.env: it is hidden
.git/: it is hidden
.iterion/: it is hidden
lib/.hidden: it is hidden
lib/__pycache__/: a tool left it behind
lib/a.bot~: a tool left it behind
lib/link.bot: it is a link or another special file
lib/old.botz: a tool left it behind
lib/x.bot.yaml: it is a draft of a `+"`.bot`"+`
notes.md: no source names it
other/: it is no folder of a bundle, and no source names a file in it
prompts/pipe: it is a link or another special file
scripts/: it is no folder of a bundle, and no source names a file in it
skills/s/secrets.yaml: it looks like a secret
skills/s/server.pem: it looks like a secret
steps/b.bot: no source names it
`; got != want {
		t.Errorf("left out:\n%s", got)
	}
	if got, want := lines(c.Refused), `presets/p.md: it has the name of another file, capitals aside
skills/a:b.md: it has a name that not every system can hold
skills/big: it is larger than 16 MiB
`; got != want {
		t.Errorf("refused:\n%s", got)
	}
}

func lines(list []Left) string {
	var b strings.Builder
	for _, l := range list {
		b.WriteString(l.Name + ": " + l.Why + "\n")
	}
	return b.String()
}

// The same files give the same bytes, and the archive holds them.
func TestPack(t *testing.T) {
	fsys := fstest.MapFS{"main.bot": {Data: []byte("x"), Mode: 0o755}, "lib/a.bot": {Data: []byte("a")}}
	c, err := Collect(fsys, []string{"main.bot"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := Pack(fsys, c.Files)
	if err != nil {
		t.Fatal(err)
	}
	fsys["main.bot"].Mode, fsys["main.bot"].ModTime = 0o600, packedAt
	if second, err := Pack(fsys, c.Files); err != nil || !bytes.Equal(first, second) {
		t.Errorf("other bytes, %v", err)
	}
	back, err := Open(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(back, "lib/a.bot"); string(text) != "a" {
		t.Errorf("lib/a.bot holds %q, %v", text, err)
	}
}
