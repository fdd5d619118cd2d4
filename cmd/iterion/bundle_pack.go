package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"iterion/ir/bundle"
	"iterion/workspace"
)

func newBundlePack(std streams) *cobra.Command {
	var target string
	cmd := &cobra.Command{
		Use:   "pack DIR",
		Short: "Pack a bundle into one .botz file",
		Long: `Pack the bundle in a folder into one .botz file, beside the folder unless -o says
where. The same files give the same bytes.

Packed are main.bot and the manifest; all of lib/, prompts/, skills/, presets/
and attachments/; README.md and LICENSE; and what the sources name, such as the
program of a subbot. Hidden files, links, drafts (.bot.yaml), what tools leave
behind and what looks like a secret stay out, and so does everything else; each
is named on the error channel.

A bundle with an error is not packed. What was packed is checked before it is
written, as a whole or not at all. A .botz that is there is replaced, anything
else is left alone.

Exit status: 0 packed; 1 an error in the bundle, or a file that cannot be
packed; 2 a wrong request, or a file that cannot be written.`,
		Example: "  iterion bundle pack bots/review\n  iterion bundle pack bots/review -o dist/review.botz",
		Args:    takes(1, 1, "one folder"),
	}
	cmd.Flags().StringVarP(&target, "output", "o", "", "the file to write, NAME.botz")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("output") && filepath.Ext(target) != workspace.Packed {
			return misuse(cmd, "-o takes a name that ends in %s, not %q", workspace.Packed, target)
		}
		if kind, _ := workspace.KindOf(args[0]); kind == workspace.File || kind == workspace.Archive {
			return failf("%s: it is no folder", args[0])
		}
		b, err := bundleAt(std, cmd, args[0])
		if err != nil {
			return err
		}
		return b.pack(std, target)
	}
	return cmd
}

// pack writes the archive.
func (b *checkedBundle) pack(std streams, target string) error {
	if target == "" {
		abs, err := filepath.Abs(b.dir)
		if err != nil {
			return err
		}
		target = filepath.Join(b.dir, "..", filepath.Base(abs)+workspace.Packed)
	}
	var left bytes.Buffer
	b.printLeft(&left)
	if _, err := std.err.Write(left.Bytes()); err != nil {
		return err
	}
	if !b.sound() {
		return b.refuse(std, "the bundle is not packed")
	}
	raw, err := bundle.Pack(b.files, b.contents.Files)
	if err != nil {
		return failf("%s: %s", b.dir, reason(err))
	}
	if err := proven(std, raw, target); err != nil {
		return err
	}
	if err := writeWhole(target, raw, 0o644); err != nil {
		return failf("%s: %s", target, reason(err))
	}
	_, err = fmt.Fprintf(std.out, "%s: %d files, %d bytes\n", visible(filepath.ToSlash(target)), len(b.contents.Files), len(raw))
	return err
}

// refuse prints the findings and ends the verb.
func (b *checkedBundle) refuse(std streams, why string) error {
	if err := b.print(std.err); err != nil {
		return err
	}
	return &status{exitFailed, fmt.Sprintf("%s: %s", b.name, why)}
}

// proven checks the archive as one that reads it would: it may lack what the
// folder reaches, or bear another name.
func proven(std streams, raw []byte, target string) error {
	files, err := archiveOf(raw)
	if err != nil {
		return err
	}
	u := packedUnit(target, "")
	u.in.FS, u.archive = files, ""
	b := &checkedBundle{unit: u}
	if b.result, err = u.build(); err != nil {
		return failf("%s: %s", target, reason(err))
	}
	if b.result.Bundle == nil || !b.result.Valid() {
		return b.refuse(std, "packed, it would be no valid bundle, so nothing is written")
	}
	return nil
}

// writeWhole writes a file as a whole or not at all. One that is there keeps its
// mode; what is no plain file is left alone.
func writeWhole(target string, raw []byte, mode fs.FileMode) error {
	switch info, err := os.Lstat(target); {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is there already, and is no plain file")
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(target), "."+strings.TrimSuffix(filepath.Base(target), workspace.Packed)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already after a success
	_, err = temp.Write(raw)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), target)
}
