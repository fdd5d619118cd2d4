package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
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
		date := builtAt()
		header := &doc.GenManHeader{Title: "ITERION", Section: "1", Source: "iterion", Manual: "iterion manual", Date: &date}
		if dir == "" {
			return doc.GenMan(cmd.Root(), header, std.out)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return doc.GenManTreeFromOpts(cmd.Root(), doc.GenManTreeOptions{Header: header, Path: dir, CommandSeparator: "-"})
	}
	return cmd
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
