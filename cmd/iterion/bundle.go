package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/build"
	"iterion/ir/bundle"
	"iterion/workspace"
)

func newBundle(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Check and pack bundles",
		Long: `Check and pack bundles: folders that hold main.bot and a manifest, skills, or
both. A packed bundle is one .botz file, a zip archive that
validate, compile, diagram and run read.`,
		Example: "  iterion bundle check bots/review\n  iterion bundle pack bots/review",
		Args:    noVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBundleCheck(std), newBundlePack(std))
	return cmd
}

func newBundleCheck(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check PATH",
		Short: "Check a bundle and say what belongs to it",
		Long: `Check a bundle, a folder or a .botz, as validate does, and sort its files: those
that are packed, those that are left out, and those that belong to it and cannot
be packed. --json lists them all.

Exit status: 0 no error; 1 an error, or a file that cannot be packed; 2 a wrong
request, or what is no bundle.`,
		Example: "  iterion bundle check bots/review\n  iterion bundle check --json review.botz | jq .files",
		Args:    takes(1, 1, "one folder or .botz"),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		b, err := bundleAt(std, cmd, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			err = b.printJSON(std.out)
		} else if err = b.print(std.out); err == nil {
			err = b.printFiles(std.out)
		}
		if err == nil && !b.sound() {
			err = ended(exitFailed)
		}
		return err
	}
	return cmd
}

// checkedBundle is a bundle with its findings and its files.
type checkedBundle struct {
	unit
	result   *build.Result
	files    fs.FS
	contents *bundle.Contents
}

// bundleAt checks the bundle that an argument names.
func bundleAt(std streams, cmd *cobra.Command, arg string) (*checkedBundle, error) {
	if arg == stdinName {
		return nil, misuse(cmd, "a bundle is a folder or a %s file, not the standard input", workspace.Packed)
	}
	u, err := unitFor(std, cmd, arg)
	if err != nil {
		return nil, err
	}
	return u.bundle()
}

// bundle builds a unit that must be a bundle.
func (u unit) bundle() (*checkedBundle, error) {
	b := &checkedBundle{unit: u}
	var err error
	if b.result, err = u.build(); err != nil {
		return nil, failf("%s: %s", u.name, reason(err))
	}
	if b.result.Bundle == nil {
		return nil, failf("%s: it is no bundle%s", u.name, b.foreign())
	}
	if b.files, err = u.folder(); err != nil {
		return nil, failf("%s: %s", u.name, reason(err))
	}
	if b.contents, err = bundle.Collect(b.files, b.used()); err != nil {
		return nil, failf("%s: %s", u.name, reason(err))
	}
	return b, nil
}

// foreign says why a manifest makes nothing a bundle.
func (b *checkedBundle) foreign() string {
	for _, d := range b.result.Diagnostics {
		if d.Code == "C223" {
			return ": " + d.Message
		}
	}
	return ": a manifest or a folder `skills` beside " + workspace.Main + " makes it one"
}

// folder is the bundle's files; no link leads out of it.
func (u unit) folder() (fs.FS, error) {
	if u.archive != "" {
		return openArchive(u.archive)
	}
	root, err := os.OpenRoot(u.dir)
	if err != nil {
		return nil, err
	}
	return root.FS(), nil
}

// used lists what the build has read, but for a manifest that is another tool's.
func (b *checkedBundle) used() []string {
	if b.result.Bundle.Manifest != nil {
		return b.result.Read
	}
	return bundle.WithoutManifests(b.result.Read)
}

func (b *checkedBundle) report() render.Report { return reportOf(b.name, b.result) }

// sound tells whether the bundle may be packed.
func (b *checkedBundle) sound() bool { return b.result.Valid() && len(b.contents.Refused) == 0 }

// print prints the findings.
func (b *checkedBundle) print(w io.Writer) error {
	dress, err := lookOf("auto", w)
	if err != nil {
		return err
	}
	opt := render.TextOptions{Color: dress.color}
	if dress.snippet {
		opt.Snippet = textsOf(b.result).find
	}
	return render.Text(w, b.report(), opt)
}

// printFiles prints how many files there are, and which are not packed.
func (b *checkedBundle) printFiles(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "files: %d to pack, %d left out, %d that cannot be packed\n",
		len(b.contents.Files), len(b.contents.LeftOut), len(b.contents.Refused))
	b.printLeft(&out)
	_, err := w.Write(out.Bytes())
	return err
}

// printLeft lists what is not packed, and why.
func (b *checkedBundle) printLeft(out *bytes.Buffer) {
	for _, f := range b.contents.LeftOut {
		fmt.Fprintf(out, "    left out: %s: %s\n", visible(f.Name), f.Why)
	}
	for _, f := range b.contents.Refused {
		fmt.Fprintf(out, "    cannot be packed: %s: %s\n", visible(f.Name), f.Why)
	}
}

// printJSON prints the files and, as `report`, what validate --json prints.
func (b *checkedBundle) printJSON(w io.Writer) error {
	var report bytes.Buffer
	if err := render.JSON(&report, b.report()); err != nil {
		return err
	}
	return render.Encode(w, struct {
		*bundle.Contents
		Report json.RawMessage `json:"report"`
		Valid  bool            `json:"valid"`
	}{b.contents, report.Bytes(), b.sound()})
}
