package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/grammar/migrate"
	"iterion/workspace"
)

func newMigrate(std streams) *cobra.Command {
	to := 0
	w := &rewriter{streams: std, verb: "migrate", to: migrated}
	cmd := &cobra.Command{
		Use:   "migrate --to 2 [flags] [PATH]...",
		Short: "Bring files of profile 1 to profile 2",
		Long: `Rewrite .bot files of profile 1 so that they say the same in profile 2.

The header becomes "dsl: 2". Backslashes in quoted texts are doubled, blank lines
in prompts go, and so does the strict-escape directive: every text keeps the
value it had. Before a file is written the result is compared with it, value by
value and comment by comment. Each file is judged alone, also of those that
import each other; a file of profile 2 is not touched. A folder is walked for
.bot files, except what git ignores. "-" migrates the standard input to the
standard output. A manifest is not changed: a note says which language level it
has to require.

Exit status: 0 fine, also when files were rewritten; 1 with --check when a file
would change; 2 a wrong flag, or a file that does not parse, has a property that
profile 2 does not have (E043), is missing or cannot be read. The most severe of
several counts, and all are processed.`,
		Example: `  iterion migrate --to 2 --diff bots/review.bot
  iterion migrate --to 2 bots/
  iterion migrate --to 2 --check .`,
	}
	cmd.Flags().IntVar(&to, "to", 0, "the profile to migrate to; there is only 2")
	w.opt.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if to != 2 {
			return misuse(cmd, "name the profile to migrate to: --to 2")
		}
		rows, err := w.run(cmd, args)
		if err != nil {
			return err
		}
		code := w.print(rows)
		w.floors(rows)
		return ended(code)
	}
	return cmd
}

// migrated brings a text to profile 2.
func migrated(name string, raw []byte) rewrite {
	after, err := migrate.Text(filepath.ToSlash(name), string(raw))
	r := rewrite{name: name, code: exitUsage}
	var removed *migrate.RemovedError
	switch {
	case errors.Is(err, migrate.ErrSyntax):
		r.err = unparsed("migrate", name, raw)
	case errors.As(err, &removed):
		r.err = leftAlone("migrate", removedReport(name, raw, removed), removed.Error())
	case err != nil:
		r.err = fmt.Appendf(nil, "iterion: migrate: %s is left as it is: %s\n", visible(name), err)
	default:
		return rewrite{name: name, before: raw, after: []byte(after)}
	}
	return r
}

// removedReport says where a text uses what profile 2 does not have.
func removedReport(name string, raw []byte, removed *migrate.RemovedError) render.Report {
	report := render.Report{File: name}
	src := source.Load(filepath.ToSlash(name), raw)
	for _, at := range removed.Places {
		report.Diagnostics = append(report.Diagnostics, diagnostics.Diagnostic{
			Code: "E043", Severity: diagnostics.Error, Stage: diagnostics.Parse,
			Message: "`" + src.Text[at.Start:at.End] + "` is gone from profile 2",
			Range: diagnostics.Range{File: src.Name, Offsets: at,
				Start: src.Position(int(at.Start)), End: src.Position(int(at.End))},
		})
	}
	return report
}

// floors notes which manifests have to require a release that reads profile 2.
func (w rewriter) floors(rows []rewrite) {
	told := map[string]bool{}
	for _, r := range rows {
		if r.failed() || !r.changed() {
			continue
		}
		if manifest := manifestOf(r.name); manifest != "" && !told[manifest] {
			told[manifest] = true
			fmt.Fprintf(w.err, "iterion: migrate: %s: profile 2 needs `requires: { iterion: \">= %s\" }` or later\n", visible(filepath.ToSlash(manifest)), migrate.Floor)
		}
	}
}

// manifestOf is the manifest of the bundle that a file belongs to, "" for none.
func manifestOf(name string) string {
	dir := filepath.Dir(name)
	if filepath.Base(dir) == workspace.Lib {
		dir = filepath.Dir(dir)
	}
	for _, base := range []string{"manifest.yaml", "manifest.yml"} {
		manifest := filepath.Join(dir, base)
		if kind, _ := workspace.KindOf(manifest); kind == workspace.OtherFile {
			return manifest
		}
	}
	return ""
}
