package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"iterion/ir/build"
	"iterion/ir/bundle"
	"iterion/workspace"
)

// packedPath splits a path that leads into a packed bundle: to the archive
// itself, or to a file in it.
func packedPath(name string) (archive, inner string, ok bool) {
	for at := name; filepath.Dir(at) != at; at = filepath.Dir(at) {
		if filepath.Ext(at) != workspace.Packed {
			continue
		}
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			inner = strings.TrimPrefix(filepath.ToSlash(name[len(at):]), "/")
			return at, inner, true
		}
	}
	return "", "", false
}

// packedUnit is a unit in a packed bundle, its main file when inner is "".
func packedUnit(archive, inner string) unit {
	if inner == "" {
		inner = workspace.Main
	}
	name := filepath.ToSlash(archive)
	return unit{name: name, dir: filepath.Dir(archive), archive: archive, in: build.Input{
		Path: inner, Name: path.Join(name, inner), Folder: strings.TrimSuffix(path.Base(name), workspace.Packed)}}
}

// openArchive reads a packed bundle into memory.
func openArchive(name string) (fs.FS, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, bundle.MaxArchive+1))
	if err != nil {
		return nil, err
	}
	return archiveOf(raw)
}

func archiveOf(raw []byte) (fs.FS, error) {
	fsys, err := bundle.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, fmt.Errorf("the packed bundle is refused: %w", err)
	}
	if _, err := fs.Stat(fsys, workspace.Main); err != nil {
		return nil, errors.New("the packed bundle holds no " + workspace.Main)
	}
	return fsys, nil
}
