package toolrun

import (
	"context"
	"fmt"
	"io"

	"iterion/ir/gate"
	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// Image shows an image that a node's file names, by a permit to read it: a call of
// `read` with its path. What goes wrong is a failed result.
func (r *Runner) Image(ctx context.Context, p gate.Permit, c backend.Call) backend.CallResult {
	if tool := tools.Lookup(c.Tool); tool == nil || tool.Key != "read" || !p.Covers(c.Gate()) {
		return failed("no permit of the gate covers this reading")
	}
	return guarded(func() backend.CallResult { return readImage(ctx, r, args{Call: c, Opens: p.Opens()}) })
}

// readImage shows an image.
func readImage(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in struct {
		Path string `json:"file_path"`
	}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	content, err := r.image(ctx, a, in.Path)
	url, kind := "", ""
	if err == nil {
		url, kind, err = backend.Image(content)
	}
	if err != nil {
		return failed("%s cannot be shown: %v", show(in.Path), plain(err))
	}
	result := said(fmt.Sprintf("%s (%s, %d bytes)", show(in.Path), kind, len(content)))
	result.Images = []string{url}
	return result
}

// image reads an image, and of one that is too large enough to tell.
func (r *Runner) image(ctx context.Context, a args, name string) ([]byte, error) {
	f, err := r.open(a, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(awake{ctx, f}, backend.LargestImage+1))
}
