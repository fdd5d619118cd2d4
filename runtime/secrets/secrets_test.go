package secrets

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/ir"
)

func opt[T any](v T) ir.Opt[T] { return ir.Opt[T]{V: v, Span: source.Span{End: 1}} }

func text(s string) ir.Opt[ir.Text] { return opt(ir.PlainText(s)) }

func secret(name string, set func(*ir.Secret)) *ir.Secret {
	s := &ir.Secret{Decl: ir.Decl{Name: name}}
	set(s)
	return s
}

// resolve runs Resolve in an environment of its own. The private folder lies
// below a folder of the test.
func resolve(t *testing.T, env map[string]string, o Options, secrets ...*ir.Secret) (*Set, error) {
	t.Helper()
	if env["XDG_RUNTIME_DIR"] == "" {
		env = maps.Clone(env)
		if env == nil {
			env = map[string]string{}
		}
		env["XDG_RUNTIME_DIR"] = t.TempDir()
	}
	o.Lookup = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	set, err := Resolve(&ir.Program{Secrets: secrets}, o)
	if set != nil {
		t.Cleanup(func() { set.Close() })
	}
	return set, err
}

// folder holds files by name.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func none(*ir.Secret) {}

func TestValues(t *testing.T) {
	dir := folder(t, map[string]string{"token": "from the file\r\n", "TWO": "a\n\n"})
	for _, c := range []struct {
		name   string
		env    map[string]string
		secret *ir.Secret
		want   string
	}{
		{"by name", map[string]string{"token": "a"}, secret("token", none), "a"},
		{"in capitals", map[string]string{"TOKEN": "a"}, secret("token", none), "a"},
		{"as written first", map[string]string{"token": "a", "TOKEN": "b"}, secret("token", none), "a"},
		{"written", map[string]string{"A": "x"}, secret("token", func(s *ir.Secret) { s.Value = text("${A}-${B:-y}") }), "x-y"},
		{"short", map[string]string{"A": "x"}, secret("token", func(s *ir.Secret) { s.Short = text("$A") }), "x"},
		{"file", map[string]string{FolderVariable: dir, "token": ""}, secret("token", none), "from the file"},
		{"file of a written name", map[string]string{FolderVariable: dir}, secret("token", func(s *ir.Secret) { s.Value = text("${TWO}") }), "a\n"},
		{"environment before file", map[string]string{FolderVariable: dir, "TOKEN": "env", "token": "a"}, secret("token", none), "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := resolve(t, c.env, Options{}, c.secret)
			if err != nil || set.Values["token"] != c.want {
				t.Errorf("got %v, %v; want %q", set, err, c.want)
			}
			if err == nil && set.Dir != "" {
				t.Errorf("a value made the folder %s", set.Dir)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	workspace := folder(t, map[string]string{"token": "planted"})
	outside := folder(t, map[string]string{"other": "x", "big": strings.Repeat("x", maxSize+1)})
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(outside, "other"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	file := func(name string, set func(*ir.Secret)) *ir.Secret {
		return secret(name, func(s *ir.Secret) { s.As, s.Value = opt("file"), text("content"); set(s) })
	}
	for _, c := range []struct {
		name    string
		env     map[string]string
		secrets []*ir.Secret
		want    string
	}{
		{"none", nil, []*ir.Secret{secret("api_token", none)}, "the secret api_token cannot be handed over: set the environment variable API_TOKEN, or put a file api_token into a folder"},
		{"empty", nil, []*ir.Secret{secret("a", func(s *ir.Secret) { s.Value = text("${X}") })}, "set the variables that it names"},
		{"folder in the workspace", map[string]string{FolderVariable: workspace}, []*ir.Secret{secret("token", none)}, "lies in the workspace"},
		{"folder by a relative path", map[string]string{FolderVariable: "secrets"}, []*ir.Secret{secret("token", none)}, "must be an absolute path"},
		{"no such folder", map[string]string{FolderVariable: dir + "/none"}, []*ir.Secret{secret("token", none)}, "no such file"},
		{"link out of the folder", map[string]string{FolderVariable: dir}, []*ir.Secret{secret("link", none)}, "escapes"},
		{"too long", map[string]string{FolderVariable: outside}, []*ir.Secret{secret("big", none)}, "longer than 64 KiB"},
		{"NUL", map[string]string{"a": "x\x00"}, []*ir.Secret{secret("a", none)}, "NUL byte"},
		{"mount path", nil, []*ir.Secret{file("a", func(s *ir.Secret) { s.MountPath = opt("/etc/a.pem") })}, "read the path from {{secrets.a.path}}"},
		{"a file with hosts", nil, []*ir.Secret{file("a", func(s *ir.Secret) { s.Hosts = opt([]ir.Item{{Text: "a.example"}}) })}, "whatever can read it can send it"},
		{"one variable for two", nil, []*ir.Secret{file("a", func(s *ir.Secret) { s.Env = opt("CERT") }), file("b", func(s *ir.Secret) { s.Env = opt("CERT") })}, "goes to the variable CERT, and so does that of a"},
		{"name of a path", nil, []*ir.Secret{file("../a", none)}, "cannot be that of a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			env := map[string]string{"XDG_RUNTIME_DIR": base}
			maps.Copy(env, c.env)
			_, err := resolve(t, env, Options{Workspace: workspace}, c.secrets...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if left, _ := os.ReadDir(base); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func TestOptional(t *testing.T) {
	optional := func(s *ir.Secret) { s.Optional = opt(true) }
	set, err := resolve(t, nil, Options{}, secret("a", optional), secret("b", func(s *ir.Secret) {
		optional(s)
		s.As, s.MountPath = opt("file"), opt("/etc/b")
	}))
	if err != nil || len(set.Values) != 0 || len(set.Paths) != 0 {
		t.Errorf("got %v, %v", set, err)
	}
	// What is there and cannot be read is no missing value.
	_, err = resolve(t, map[string]string{FolderVariable: t.TempDir() + "/none"}, Options{}, secret("a", optional))
	if err == nil {
		t.Error("a folder that is not there was taken as a missing value")
	}
}

func TestFiles(t *testing.T) {
	dir := folder(t, map[string]string{"cert": "line\n"})
	set, err := resolve(t, map[string]string{FolderVariable: dir, "KEY": "k"}, Options{},
		secret("cert", func(s *ir.Secret) { s.As, s.Env = opt("file"), opt("CERT_FILE") }),
		secret("key", func(s *ir.Secret) {
			s.As, s.Value = opt("file"), text("<${KEY}>")
		}),
		secret("bound", func(s *ir.Secret) { s.Value, s.Hosts = text("v"), opt([]ir.Item{{Text: "example.org"}}) }))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"cert": "line\n", "key": "<k>"} {
		got, err := os.ReadFile(set.Paths[name])
		if string(got) != want || err != nil || set.Values[name] != want {
			t.Errorf("%s holds %q, %v and has the value %q; want %q", name, got, err, set.Values[name], want)
		}
		if filepath.Dir(set.Paths[name]) != set.Dir {
			t.Errorf("%s is at %s", name, set.Paths[name])
		}
	}
	if want := []string{"CERT_FILE=" + set.Paths["cert"]}; !slices.Equal(set.Env, want) {
		t.Errorf("variables %v, want %v", set.Env, want)
	}
	if !slices.Equal(set.Hosts["bound"], []string{"example.org"}) || len(set.Hosts) != 1 {
		t.Errorf("hosts %v", set.Hosts)
	}
	for range 2 {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(set.Dir); err == nil {
		t.Error("the private folder is left")
	}
}

// A workspace around the folder for temporary files leaves no place for secrets.
func TestFilesStayOutOfTheWorkspace(t *testing.T) {
	workspace := t.TempDir()
	t.Setenv("TMPDIR", workspace)
	t.Setenv("TMP", workspace)
	file := secret("a", func(s *ir.Secret) { s.As, s.Value = opt("file"), text("x") })
	_, err := resolve(t, map[string]string{"XDG_RUNTIME_DIR": filepath.Join(workspace, "none")}, Options{Workspace: workspace}, file)
	if err == nil || !strings.Contains(err.Error(), "point TMPDIR elsewhere") {
		t.Errorf("got %v", err)
	}
}
