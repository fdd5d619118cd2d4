package main

import (
	"os"
	"slices"
	"strings"
)

// environment is what the processes of a run see: ours, and what --env-file
// adds. No other file is read.
func environment(file string) ([]string, error) {
	env := os.Environ()
	if file == "" {
		return env, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, failf("--env-file %s: %s", file, reason(err))
	}
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
			return nil, failf("--env-file %s:%d: a line is NAME=VALUE, a comment or empty", file, n+1)
		}
		env = slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") })
		env = append(env, name+"="+unquoted(strings.TrimSpace(value)))
	}
	return env, nil
}

// unquoted takes away one pair of quotes around a value.
func unquoted(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

func lookupIn(env []string) func(string) (string, bool) {
	values := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
}
