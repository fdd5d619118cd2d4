package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

func newMan(std streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page, or write those of all verbs to a folder",
		Example: "  iterion man | man -l -\n  iterion man --dir man/man1",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all verbs to this folder, made if missing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if dir == "" {
			_, err := std.out.Write(manPage(cmd.Root(), builtAt()))
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return writeManPages(cmd.Root(), dir)
	}
	return cmd
}

func writeManPages(cmd *cobra.Command, dir string) error {
	file := filepath.Join(dir, manName(cmd)+".1")
	if err := os.WriteFile(file, manPage(cmd, builtAt()), 0o644); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writeManPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// builtAt is the date of the commit that was built, so that the same build
// gives the same pages.
func builtAt() time.Time {
	date, err := time.Parse(time.RFC3339, buildOf().Time)
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return date
}
