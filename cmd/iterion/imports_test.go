package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrow says what the packages of a folder may import besides the standard
// library and their own folder. The longest folder that holds a package counts.
type arrow struct {
	folder  string
	ours    []string // folders of ours with all below them; "=ir" is the package alone
	modules []string // outside modules
	pure    bool     // no file, network or environment: neither os nor net nor syscall
	what    string
}

var arrows = []arrow{
	{"ast", nil, nil, true, "text, places and the tree"},
	{"diagnostics", []string{"ast/source"}, []string{"golang.org/x/text"}, true, "findings and how they are shown"},
	{"grammar", []string{"ast", "diagnostics"}, []string{"github.com/alecthomas/participle/v2"}, true, "text to tree and back"},
	{"grammar/author", []string{"ast", "diagnostics", "grammar"}, []string{"github.com/goccy/go-yaml"}, true, "YAML author documents to `.bot` text and tree"},
	{"grammar/reference/sample", []string{"grammar/schema"}, []string{"pgregory.net/rapid"}, false, "random programs, for tests only"},
	{"ir", []string{"ast", "diagnostics", "grammar"}, nil, true, "the compiler"},
	{"ir/bundle", []string{"ast", "diagnostics"}, []string{"github.com/goccy/go-yaml"}, true, "manifests, skills and archives; nothing of the compiler"},
	{"ir/directive", []string{"ast", "diagnostics"}, []string{"github.com/goccy/go-yaml"}, true, "lint comments"},
	{"ir/gate", []string{"ir/tools", "ir/routes"}, []string{"github.com/bmatcuk/doublestar/v4", "mvdan.cc/sh/v3", "golang.org/x/text", "golang.org/x/net/idna"}, true, "policy; nothing of the compiler"},
	{"ir/tools", nil, nil, true, "a table; nothing of the compiler"},
	{"ir/routes", nil, nil, true, "a table; nothing of the compiler"},
	{"ir/outcome", nil, nil, true, "a table; nothing of the compiler"},
	{"workspace", []string{"grammar/author", "ir/build"}, []string{"github.com/bmatcuk/doublestar/v4"}, false, "where programs lie on disk"},
	{"editors/tree-sitter-bot", []string{"ast", "grammar"}, []string{"github.com/rogpeppe/go-internal"}, true, "tests of the tree-sitter grammar, and what of it is made from the tables"},
	{"editors/textmate", []string{"grammar"}, nil, true, "the TextMate grammar, from the tables"},
	{"lsp", []string{"workspace", "ir", "grammar", "diagnostics", "ast"}, []string{"go.lsp.dev/protocol", "go.lsp.dev/jsonrpc2", "go.lsp.dev/uri", "github.com/pmezard/go-difflib"}, false, "the editor's side; no runtime"},
	{"runtime", []string{"ast/source", "diagnostics", "=ir", "ir/expr", "ir/effective", "ir/gate", "ir/tools", "ir/routes", "ir/outcome"}, []string{"golang.org/x/sync", "golang.org/x/sys"}, false, "the engine; no text, no backend"},
	{"runtime/store/sqlite", []string{"runtime/store", "ir/outcome"}, []string{"modernc.org/sqlite"}, false, "the durable store; the engine does not know it"},
	{"runtime/toolrun", []string{"runtime/backend", "runtime/process", "runtime/redact", "ir/gate", "ir/tools", "ir/outcome"}, []string{
		"github.com/bmatcuk/doublestar/v4", "github.com/google/jsonschema-go", "golang.org/x/sys", "golang.org/x/net",
	}, false, "tools in this process; no engine, no store"},
	{"backends/claw", []string{"runtime/backend", "runtime/redact", "runtime/toolrun", "ir/gate", "ir/tools", "ir/outcome"}, []string{"github.com/google/jsonschema-go"}, false, "the agent loop; no engine, no provider"},
	{"runtime/report", []string{"diagnostics", "=ir", "ir/diagram", "ir/outcome", "runtime"}, nil, true, "a run's page for people, from its events"},
	{"runtime/trace", []string{"ir/outcome", "runtime/store"}, nil, true, "what happened in a run, visit by visit"},
	{"backends", []string{"runtime/backend", "runtime/toolrun", "ir/gate", "ir/tools", "ir/routes", "ir/outcome", "backends/hook"}, []string{"github.com/goccy/go-yaml"}, false, "one package each; none knows another"},
	{"backends/scripted/serve", []string{"=backends/scripted", "ir/tools", "ir/outcome"}, nil, false, "a script over the wires of providers; no engine"},
	{"corpus", nil, []string{"github.com/creack/pty", "github.com/rogpeppe/go-internal"}, false, "test inputs; imported by tests only"},
	{"cmd", []string{"ast", "diagnostics", "grammar", "ir", "workspace", "lsp", "runtime", "backends"}, []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sync", "golang.org/x/term",
		"github.com/fsnotify/fsnotify", "github.com/pmezard/go-difflib", "github.com/goccy/go-yaml",
	}, false, "arguments and output; it alone joins runtime and backends"},
}

// testModules are what tests may use everywhere.
var testModules = []string{
	"github.com/creack/pty", "github.com/rogpeppe/go-internal", "pgregory.net/rapid", "github.com/santhosh-tekuri/jsonschema/v6",
	"github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "go.lsp.dev/jsonrpc2",
	"github.com/anthropics/anthropic-sdk-go/v2", "github.com/openai/openai-go/v3",
}

type goPackage struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		folder := strings.TrimPrefix(p.ImportPath, "iterion/")
		if strings.Contains(folder, "testdata") {
			continue
		}
		a, ok := arrowOf(folder)
		if !ok {
			t.Errorf("%s: no row in the table", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if reason := a.refuses(folder, imported); reason != "" {
				t.Errorf("%s imports %s: %s", folder, imported, reason)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if outside(imported) && !within(imported, a.modules) && !within(imported, testModules) {
				t.Errorf("%s, tests: the module of %s is not in the table", folder, imported)
			}
		}
	}
}

// The rules refuse what they are there to refuse.
func TestArrowsHold(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"ast", "iterion/diagnostics"}, {"diagnostics", "iterion/grammar/parser"},
		{"grammar/parser", "iterion/ir"}, {"ir/check", "iterion/lsp"}, {"ir/build", "iterion/runtime"},
		{"ir/gate", "iterion/ir/build"}, {"ir/routes", "iterion/ir"}, {"ir/outcome", "iterion/ast"},
		{"lsp/feature", "iterion/runtime"}, {"lsp", "iterion/backends/scripted"},
		{"runtime", "iterion/grammar/parser"}, {"runtime", "iterion/ast"}, {"runtime", "iterion/ir/build"},
		{"runtime", "iterion/backends/scripted"}, {"backends/a", "iterion/backends/b"}, {"backends/a", "iterion/ir/compile"},
		{"backends/a", "iterion/runtime"}, {"cmd/iterion", "iterion/corpus"},
		{"ir/build", "os"}, {"grammar/parser", "net/http"}, {"ast", "syscall"}, {"runtime", "iterion/ir/check"}, {"ir", "github.com/spf13/cobra"}, {"runtime", "modernc.org/sqlite"},
	} {
		a, ok := arrowOf(c.from)
		if !ok || a.refuses(c.from, c.to) == "" {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func arrowOf(folder string) (arrow, bool) {
	var best arrow
	for _, a := range arrows {
		if below(folder, a.folder) && len(a.folder) > len(best.folder) {
			best = a
		}
	}
	return best, best.folder != ""
}

// refuses says why a package may not import another, "" when it may.
func (a arrow) refuses(folder, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, "iterion/")
	switch {
	case isOurs && a.allows(folder, ours):
		return ""
	case isOurs:
		return fmt.Sprintf("%s may import %s only", a.folder, a.list())
	case outside(imported) && !within(imported, a.modules):
		return "the module is not in the table"
	case a.pure && imported != "net/url" && imported != "net/netip" && within(imported, []string{"os", "net", "syscall"}):
		return "no file, network or environment here"
	}
	return ""
}

func (a arrow) allows(folder, ours string) bool {
	own := a.folder
	if a.folder == "backends" {
		own = folder // a backend is a folder of its own
	}
	if below(ours, own) {
		return true
	}
	return slices.ContainsFunc(a.ours, func(may string) bool {
		alone, exact := strings.CutPrefix(may, "=")
		return ours == alone || !exact && below(ours, may)
	})
}

func (a arrow) list() string {
	if len(a.ours) == 0 {
		return "the standard library"
	}
	return strings.ReplaceAll(strings.Join(a.ours, ", "), "=", "")
}

// below tells whether a path is a folder or lies under it.
func below(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func within(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return below(path, f) })
}

// outside tells whether an import is neither ours nor of the standard library.
func outside(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".")
}
