package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"iterion/runtime/store"
	"iterion/runtime/store/sqlite"
	"iterion/workspace"
)

// storeName is the folder of the runs in a repository.
const storeName = ".iterion"

// storeFlag adds --store.
func storeFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "store", "", "folder of the runs (default $ITERION_STORE, else .iterion at the root of the repository or in the current folder)")
	_ = cmd.MarkFlagDirname("store")
}

// storeFolder is where the runs are: the flag's folder, the environment's, else
// `.iterion` at the root of the repository, or here where there is none.
func storeFolder(flag string) (string, error) {
	if flag == "" {
		flag = os.Getenv("ITERION_STORE")
	}
	if flag == "" {
		flag = filepath.Join(repositoryRoot(), storeName)
	}
	dir, err := filepath.Abs(flag)
	if err != nil {
		return "", failf("--store %s: %s", flag, reason(err))
	}
	return dir, nil
}

// repositoryRoot is the nearest folder upwards that holds `.git`, "" for none.
func repositoryRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return workspace.Repository(dir)
}

// openStore opens the store for a command that runs or changes something.
func openStore(flag string) (store.Store, error) {
	folder, err := storeFolder(flag)
	if err != nil {
		return nil, err
	}
	return opened(sqlite.Open(folder))
}

// readStore opens a store that exists already. Where there is none, there are no
// runs.
func readStore(flag string) (store.Store, error) {
	folder, err := storeFolder(flag)
	if err != nil {
		return nil, err
	}
	s, err := opened(sqlite.OpenExisting(folder))
	if errors.Is(err, store.ErrNone) {
		return &store.Memory{}, nil
	}
	return s, err
}

// opened keeps a failure from becoming an interface that holds nothing.
func opened(s *sqlite.Store, err error) (store.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
