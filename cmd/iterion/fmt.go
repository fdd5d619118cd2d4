package main

import "github.com/spf13/cobra"

func newFmt(std streams) *cobra.Command {
	w := &rewriter{streams: std, verb: "fmt", to: canonical, document: spelled}
	cmd := &cobra.Command{
		Use:   "fmt [flags] [PATH]...",
		Short: "Bring files into the canonical style",
		Long: `Rewrite .bot files in the canonical style.

There is one style and no options for it. A folder is walked for .bot files,
except what git ignores. A file that does not parse is never touched; neither
is one that is canonical already. "-" formats the standard input to the
standard output.

Of a YAML author document, x.bot.yaml, the .bot it stands for is printed, and
nothing is written; --check and --diff hold it against the x.bot beside it.
Documents are formatted when they are named, never with a folder.

Exit status: 0 fine, also when files were rewritten; 1 with --check when a file
would change; 2 a wrong flag, or a file that does not parse, is missing or
cannot be read. The most severe of several counts, and all are processed.`,
		Example: `  iterion fmt .
  iterion fmt --check bots/
  iterion fmt --diff bots/review.bot
  iterion fmt bots/triage.bot.yaml > bots/triage.bot
  iterion fmt --stdin-filename bots/review.bot - < unsaved.bot
  iterion fmt -- -odd-name.bot`,
	}
	w.opt.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := w.run(cmd, args)
		if err != nil {
			return err
		}
		return ended(w.print(rows))
	}
	return cmd
}
