package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/attachment"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/runtime/toolrun"
)

// What a node shows its model at most: half of what a request may hold, so that
// there is room for the images that the model asks for itself.
const (
	mostImages = backend.MostImages / 2
	imageRoom  = backend.ImageRoom / 2
)

// images are the images of a node, still to be read.
type images struct {
	node     string
	names    []string
	attached map[string]map[string]any // facts of attachments, by path and by URL
	gate     *gate.Gate
	runner   *toolrun.Runner
}

// images renders what `images:` names. An attachment that nobody gave is none.
func (e *engine) images(n *ir.Node, v view) images {
	im := images{node: n.ID, attached: map[string]map[string]any{}}
	for _, image := range n.LLM.Images.V {
		if name := v.text(image.Text); name != "" && v.value(image.Text) != nil {
			im.names = append(im.names, name)
		}
	}
	if im.names == nil {
		return im
	}
	for name := range e.state.Attachments {
		facts := object(e.state.Attachments, name)
		im.attached[text(facts, "path")], im.attached[text(facts, "url")] = facts, facts
	}
	im.gate = gate.New(e.policy(n), disk.Links{})
	im.runner = toolrun.New(toolrun.Options{Dir: e.Workspace, Gate: func() *gate.Gate { return im.gate }})
	return im
}

// read opens the images: data URLs. The failure names the one that cannot be
// shown.
func (im images) read(ctx context.Context) (urls []string, f *Failure) {
	if len(im.names) > mostImages {
		return nil, im.failure("%d images are too many: %d can be shown at once", len(im.names), mostImages)
	}
	total := 0
	for _, name := range im.names {
		url, err := im.one(ctx, name)
		if err != nil {
			return nil, im.failure("the image %q: %v", name, err)
		}
		if total += len(url); total > imageRoom {
			return nil, im.failure("the images up to %q are %d KiB as text, and %d can be shown at once: give smaller ones", name, total>>10, imageRoom>>10)
		}
		urls = append(urls, url)
	}
	return urls, nil
}

func (im images) failure(format string, a ...any) *Failure {
	return &Failure{Code: outcome.ExecutionFailed, Message: "`images:` of " + im.node + ": " + fmt.Sprintf(format, a...)}
}

// one reads an image. What the operator handed over is the operator's to show;
// the name of any other may come from a model, so the node's rules for reading
// judge it.
func (im images) one(ctx context.Context, name string) (url string, err error) {
	if facts := im.attached[name]; facts != nil {
		content, err := attachment.Read(facts, backend.LargestImage)
		if err != nil {
			return "", err
		}
		url, _, err = backend.Image(content)
		return url, err
	}
	if strings.Contains(name, "://") || strings.HasPrefix(name, "data:") {
		return "", errors.New("it is no file: fetch it in a step before, and name the path of what came")
	}
	input, err := json.Marshal(map[string]string{"file_path": name})
	if err != nil {
		return "", err
	}
	c := backend.Call{Tool: "read_file", Input: string(input)}
	v := im.gate.Evaluate(c.Gate())
	permit, ok := v.Permit()
	if !ok {
		return "", fmt.Errorf("%s; nobody is asked about it: allow it with a rule, Read(PATH)", v.Reason())
	}
	result := im.runner.Image(ctx, permit, c)
	if len(result.Images) != 1 {
		return "", errors.New(result.Text)
	}
	return result.Images[0], nil
}

// look reads the images of a task whose conversation is still to begin: in one
// that goes on they were shown already.
func (c *call) look(ctx context.Context) (f *Failure) {
	if c.images.names == nil {
		return nil
	}
	begun := false
	if err := c.r.post(func() { begun = c.r.e.state.Scopes[c.r.r.scope].Session != "" }); err != nil || begun {
		return nil
	}
	c.task.Images, f = c.images.read(ctx)
	return f
}
