package attachment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Read returns the content of a copy that Take made, by the facts that Take
// returned. The error tells of a copy of more than most bytes, and of one that is
// no longer what was handed over: the folder of a run is within reach of its
// tools.
func Read(facts map[string]any, most int64) ([]byte, error) {
	path, _ := facts["path"].(string)
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if size, _ := facts["size"].(int64); size > most || int64(len(content)) > most {
		return nil, fmt.Errorf("%s is larger than %d KiB", path, most>>10)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != facts["sha256"] {
		return nil, errors.New(path + " is no longer the file that was handed over")
	}
	return content, nil
}
