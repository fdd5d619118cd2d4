package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/grammar/printer"
	"iterion/ir/build"
)

// canonical formats a text.
func canonical(name string, raw []byte) rewrite {
	after, err := printer.Format(source.Load(filepath.ToSlash(name), raw))
	var syntax *printer.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return rewrite{name: name, code: exitUsage, err: unparsed("fmt", name, raw)}
	case err != nil:
		return rewrite{name: name, code: exitUsage, err: fmt.Appendf(nil, "iterion: fmt: %s\n", visible(err.Error()))}
	}
	return rewrite{name: name, before: raw, after: after}
}

// unparsed lists why a text does not parse, as validate does.
func unparsed(verb, name string, raw []byte) []byte {
	report := render.Report{File: name}
	for _, d := range build.Text(filepath.ToSlash(name), raw).Diagnostics {
		if d.Stage == diagnostics.Parse && d.Severity == diagnostics.Error {
			report.Diagnostics = append(report.Diagnostics, d)
		}
	}
	return leftAlone(verb, report, "it does not parse")
}

// leftAlone lists the findings that keep a file from being rewritten.
func leftAlone(verb string, report render.Report, why string) []byte {
	var b bytes.Buffer
	render.Text(&b, report, render.TextOptions{}) // a buffer takes everything
	fmt.Fprintf(&b, "iterion: %s: %s is left as it is: %s\n", verb, visible(report.File), why)
	return b.Bytes()
}

// readSource reads a file and its state at that time. Files beyond the size
// that the language allows are refused before they fill the memory.
func readSource(name string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > source.MaxSize {
		return nil, nil, fmt.Errorf("it is larger than %d MiB", source.MaxSize>>20)
	}
	raw, err := io.ReadAll(f)
	return raw, info, err
}

// replace writes a file anew, as a whole or not at all: the text goes to a file
// beside it that then takes its name. A link stays a link. before is the
// file's state when it was read; if it has changed since, it is left alone.
func replace(name string, text []byte, before fs.FileInfo) error {
	if before.Mode().Perm()&0o222 == 0 {
		return errors.New("it is read-only")
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		return fmt.Errorf("it cannot be rewritten: %s", reason(err))
	}
	defer os.Remove(temp.Name()) // gone already after a success
	if err := fill(temp, text, before); err != nil {
		return fmt.Errorf("it cannot be rewritten: %s", reason(err))
	}
	now, err := os.Stat(target)
	if err != nil {
		return err
	}
	if !now.ModTime().Equal(before.ModTime()) || now.Size() != before.Size() {
		return errors.New("it changed while it was read: run this again")
	}
	return os.Rename(temp.Name(), target)
}

func fill(temp *os.File, text []byte, like fs.FileInfo) error {
	_, err := temp.Write(text)
	if err == nil {
		err = temp.Chmod(like.Mode().Perm())
	}
	if err == nil {
		err = keepOwner(temp, like)
	}
	return errors.Join(err, temp.Close())
}
