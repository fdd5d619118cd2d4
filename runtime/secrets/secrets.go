// Package secrets finds the values of a program's secrets before anything runs.
package secrets

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/runtime/filelock"
)

// FolderVariable names the environment variable of a folder that holds secrets
// as files, one by name, as container engines mount them.
const FolderVariable = "ITERION_SECRETS_DIR"

// maxSize is the size of the largest value, in bytes.
const maxSize = 64 << 10

// Options say where values come from.
type Options struct {
	Lookup    func(name string) (string, bool) // the environment; nil for the process's
	Workspace string                           // no secret is read from below it or written there; "" for none
	Warn      func(message string)             // what the operator should see; may be nil
}

// Set holds the secrets of one run. An optional secret without a value is in
// none of its parts.
type Set struct {
	Values map[string]string   // by name, contents of files included; all of them are to be redacted
	Paths  map[string]string   // files of `as: file` secrets, absolute
	Hosts  map[string][]string // hosts that a value may go to; without an entry, any
	Env    []string            // NAME=path, for secrets with `env:`
	Dir    string              // the private folder that holds the files, "" without any

	lock *filelock.Lock
}

// Resolve finds the value of each secret: what the program writes with the
// environment filled in, else the variable of the secret's name, as it is or in
// capitals. What the environment does not have, a file of that name in the
// folder of FolderVariable may; nothing of the workspace is read. Secrets that
// are files are written to a private folder, which Close removes. The error
// names the secret and what to do, never a value.
func Resolve(p *ir.Program, o Options) (*Set, error) {
	if o.Lookup == nil {
		o.Lookup = os.LookupEnv
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	set := &Set{Values: map[string]string{}, Paths: map[string]string{}, Hosts: map[string][]string{}}
	r := resolver{o, set, map[string]string{}}
	for _, s := range p.Secrets {
		if err := r.add(s); err != nil {
			set.Close()
			return nil, fmt.Errorf("the secret %s cannot be handed over: %w", s.Name, err)
		}
	}
	return set, nil
}

// Close removes the files. It may be called twice.
func (s *Set) Close() error {
	if s.lock == nil {
		return nil
	}
	s.lock.Release()
	return os.RemoveAll(s.Dir)
}

type resolver struct {
	Options
	set       *Set
	variables map[string]string // names of `env:` to the secrets that have them
}

// missing tells that there is no value, which an optional secret may be without.
type missing string

func (m missing) Error() string { return string(m) }

func (r *resolver) add(s *ir.Secret) error {
	value, err := r.value(s)
	var none missing
	switch {
	case errors.As(err, &none) && s.Optional.V:
		return nil
	case err != nil:
		return err
	case len(value) > maxSize:
		return fmt.Errorf("its value is longer than %d KiB", maxSize>>10)
	}
	if s.As.V == "file" {
		err = r.addFile(s, value)
	} else if strings.ContainsRune(value, 0) {
		err = errors.New("its value holds a NUL byte, which no variable can; declare it `as: file`")
	}
	if err != nil {
		return err
	}
	r.set.Values[s.Name] = value
	if len(s.Hosts.V) > 0 {
		r.set.Hosts[s.Name] = ir.Strings(s.Hosts)
	}
	return nil
}

// value returns a secret's value. The error is a missing when there is none.
func (r *resolver) value(s *ir.Secret) (string, error) {
	written := s.Value
	if !written.Set() {
		written = s.Short
	}
	if written.Set() {
		return r.expand(written.V.Value())
	}
	for _, name := range []string{s.Name, strings.ToUpper(s.Name)} {
		value, err := r.find(name, s.As.V == "file")
		if value != "" || err != nil {
			return value, err
		}
	}
	return "", missing(fmt.Sprintf("set the environment variable %s, or put a file %s into a folder and name the folder in %s",
		strings.ToUpper(s.Name), s.Name, FolderVariable))
}

func (r *resolver) expand(text string) (string, error) {
	var failed error
	value := expr.ExpandEnv(text, func(name string) (string, bool) {
		value, err := r.find(name, false)
		failed = errors.Join(failed, err)
		return value, value != ""
	})
	if failed == nil && value == "" {
		failed = missing("its value is empty; set the variables that it names")
	}
	return value, failed
}

// find reads a name from the environment, else from the folder of secrets; "" is
// none. The line break at the end of a file counts only with exact.
func (r *resolver) find(name string, exact bool) (string, error) {
	if value, ok := r.Lookup(name); ok && value != "" {
		return value, nil
	}
	value, err := r.fromFolder(name)
	if !exact {
		value = strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
	}
	return value, err
}
