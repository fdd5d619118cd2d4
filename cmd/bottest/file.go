package bottest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
)

// Suffix ends the name of a file of tests; before it stands the program's name.
const Suffix = "_test.yaml"

// File is a file of tests.
type File struct {
	Bot   string `yaml:"bot"` // the program, relative to the file; "" for the one of its name
	Tests []Test `yaml:"tests"`

	name string // the file's path without the suffix
	dir  string
	text []byte
}

// Load reads a file of tests and the scripts that it names. A key that is not
// known is an error: what is misspelt would test nothing. Errors tell line and
// column.
func Load(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := &File{name: strings.TrimSuffix(name, Suffix), dir: filepath.Dir(name), text: text}
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := dec.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	if err := dec.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is more than one document")
	}
	if len(f.Tests) == 0 {
		return nil, errors.New("`tests:` is missing or empty")
	}
	names := map[string]bool{}
	for i := range f.Tests {
		t := &f.Tests[i]
		if err := t.ready(f, i); err != nil {
			return nil, err
		}
		if names[t.Name] {
			return nil, f.at(fmt.Errorf("two tests are called %q", t.Name), "tests", i)
		}
		names[t.Name] = true
	}
	return f, nil
}

// Program is the path of the program that the file is about: a file, or a
// folder with a main file in it. The error tells that it is not there.
func (f *File) Program() (string, error) {
	if f.Bot != "" {
		named := f.beside(f.Bot)
		if _, err := os.Stat(named); err != nil {
			return "", f.at(fmt.Errorf("there is no %s", named), "bot")
		}
		return named, nil
	}
	for _, name := range []string{f.name + ".bot", f.name} {
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("there is no %s.bot beside it: name the program with `bot:`", f.name)
}

// beside is the path of a file that is named relative to this one.
func (f *File) beside(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.dir, name)
}

// at puts the place of a part of the file before an error, as the YAML reader
// does.
func (f *File) at(err error, keys ...any) error {
	path := (&yaml.PathBuilder{}).Root()
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			path = path.Child(key)
		case int:
			path = path.Index(uint(key))
		}
	}
	node, missing := path.Build().ReadNode(bytes.NewReader(f.text))
	if missing != nil || node == nil || node.GetToken() == nil {
		return err
	}
	at := node.GetToken().Position
	return fmt.Errorf("[%d:%d] %w", at.Line, at.Column, err)
}
