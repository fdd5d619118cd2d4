package main

import (
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"iterion/runtime"
)

// readVars collects the variables of the command line, as text.
func readVars(cmd *cobra.Command, opt runOptions) (map[string]string, error) {
	var fromFile map[string]any
	if err := readYAML("--vars-file", opt.varsFile, &fromFile); err != nil {
		return nil, err
	}
	vars := map[string]string{}
	for name, value := range fromFile {
		text, err := runtime.VarText(value)
		if err != nil {
			return nil, failf("--vars-file %s: %s: %s", opt.varsFile, name, err)
		}
		vars[name] = text
	}
	for _, pair := range opt.vars {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, misuse(cmd, "--var takes NAME=VALUE, not %q", pair)
		}
		vars[name] = value
	}
	return vars, nil
}

// readYAML reads a YAML or JSON file that a flag names, if it names one.
func readYAML(flag, path string, into any) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return failf("%s %s: %s", flag, path, reason(err))
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return failf("%s %s: %s", flag, path, yaml.FormatError(err, false, true))
	}
	return nil
}
