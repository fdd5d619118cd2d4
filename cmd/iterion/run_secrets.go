package main

import (
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
)

// secretsOf finds the values of a program's secrets before anything runs: what
// the file writes with the environment filled in, else the variable of the
// secret's name, as it is or in capitals. No file of the workspace is read.
func secretsOf(p *ir.Program, lookup func(string) (string, bool)) (map[string]string, error) {
	values := map[string]string{}
	for _, s := range p.Secrets {
		value, missing := secretValue(s, lookup)
		switch {
		case missing == "":
			values[s.Name] = value
		case !s.Optional.V:
			return nil, failf("the secret %s cannot be handed over: %s", s.Name, missing)
		}
	}
	for _, a := range p.Attachments {
		if a.Required.V {
			return nil, failf("the program needs the attachment %s, and this build cannot take any", a.Name)
		}
	}
	return values, nil
}

// secretValue returns a secret's value, or why there is none.
func secretValue(s *ir.Secret, lookup func(string) (string, bool)) (value, missing string) {
	if s.As.V == "file" {
		return "", "this build mounts no files for secrets"
	}
	written := s.Value
	if !written.Set() {
		written = s.Short
	}
	if written.Set() {
		if value = expr.ExpandEnv(written.V.Value(), lookup); value == "" {
			missing = "its value is empty; set the variables that it names"
		}
		return value, missing
	}
	for _, name := range []string{s.Name, strings.ToUpper(s.Name)} {
		if value, ok := lookup(name); ok && value != "" {
			return value, ""
		}
	}
	return "", fmt.Sprintf("set the environment variable %s", strings.ToUpper(s.Name))
}
