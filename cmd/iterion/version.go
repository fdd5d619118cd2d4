package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
)

// languageLevel is the edition of the language that this build implements; a
// bundle may ask for a minimum.
const languageLevel = "3.200.0"

// buildFacts are what `version --json` prints.
type buildFacts struct {
	Version  string `json:"version"`
	Language string `json:"language"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
}

func buildOf() buildFacts {
	facts := buildFacts{Version: "devel", Language: languageLevel,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return facts
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		facts.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			facts.Revision = s.Value
		case "vcs.time":
			facts.Time = s.Value
		case "vcs.modified":
			facts.Modified = s.Value == "true"
		}
	}
	return facts
}

// versionLine is what `--version` prints.
func versionLine() string {
	b := buildOf()
	line := fmt.Sprintf("iterion %s (language %s, %s, %s", b.Version, b.Language, b.Go, b.Platform)
	if b.Revision != "" {
		line += ", commit " + b.Revision[:min(12, len(b.Revision))]
	}
	if b.Modified {
		line += ", modified"
	}
	return line + ")"
}

func newVersion(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this build and of the language",
		Example: "  iterion version\n  iterion version --json",
		Args:    takes(0, 0, ""),
	}
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object")
	cmd.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			return render.Encode(std.out, buildOf())
		}
		_, err := fmt.Fprintln(std.out, versionLine())
		return err
	}
	return cmd
}
