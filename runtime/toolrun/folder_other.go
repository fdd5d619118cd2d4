//go:build !linux

package toolrun

import (
	"errors"
	"os"
)

func openWhole(string) (*os.Root, error) { return nil, errors.ErrUnsupported }
