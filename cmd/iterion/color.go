package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// look says how text output is dressed.
type look struct {
	color   bool // ANSI colours
	snippet bool // source lines below findings
}

var colorModes = []string{"auto", "always", "never"}

// colorFlag adds --color to a verb.
func colorFlag(cmd *cobra.Command, mode *string) {
	cmd.Flags().StringVar(mode, "color", "auto", "colours and source lines: "+orList(colorModes))
	completes(cmd, "color", colorModes)
}

// lookOf decides for one output. In mode auto, NO_COLOR takes the colours
// away and CLICOLOR_FORCE asks for all of it where no terminal is.
func lookOf(mode string, out io.Writer) (look, error) {
	switch mode {
	case "always":
		return look{true, true}, nil
	case "never":
		return look{false, isTerminal(out)}, nil
	case "auto":
		force := os.Getenv("CLICOLOR_FORCE")
		dressed := isTerminal(out) || force != "" && force != "0"
		return look{dressed && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", dressed}, nil
	}
	return look{}, failf("--color takes %s, not %q", orList(colorModes), mode)
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
