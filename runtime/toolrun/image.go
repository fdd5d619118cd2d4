package toolrun

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"

	"iterion/runtime/backend"
)

// largestImage is the largest image that is shown, in bytes: what providers take.
const largestImage = 5 << 20

// readImage shows an image. Its type is what the file holds, whatever its name
// says.
func readImage(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in struct {
		Path string `json:"file_path"`
	}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	kind, content, err := r.image(ctx, a, in.Path)
	if err != nil {
		return failed("%s cannot be shown: %v", show(in.Path), plain(err))
	}
	result := said(fmt.Sprintf("%s (%s, %d bytes)", show(in.Path), kind, len(content)))
	result.Images = []string{"data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(content)}
	return result
}

func (r *Runner) image(ctx context.Context, a args, name string) (kind string, content []byte, err error) {
	f, err := r.open(a, name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	content, err = io.ReadAll(io.LimitReader(awake{ctx, f}, largestImage+1))
	if err != nil {
		return "", nil, err
	}
	if len(content) > largestImage {
		return "", nil, fmt.Errorf("it is larger than %d MiB", largestImage>>20)
	}
	switch kind = http.DetectContentType(content); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind, content, nil
	}
	return "", nil, errors.New("it holds no PNG, JPEG, GIF or WebP image")
}
