package check

import (
	"cmp"

	"iterion/ir/bundle"
)

// checkForge: C210 and C211, a bot that a forge starts reads the forge's token
// from a file.
func checkForge(c *Context) {
	trigger := forgeTrigger(c.root())
	if trigger == nil {
		return
	}
	name, path, at := "forge_token", trigger.Value.Path, trigger.KeySpan
	if own := c.root().At("forge", "secret"); own.Str() != "" {
		name, path, at = own.Text, own.Path, own.Span
	}
	secret := c.Secrets[name]
	switch {
	case secret == nil && c.Incomplete:
	case secret == nil:
		c.manifest("C210", path, at, "a forge starts this bot, and no secret `%s` takes its token", name)
	case tainted(&secret.Decl) || secret.As.V == "file":
	default:
		c.add("C211", secret.Tree, cmp.Or(secret.As.Span, secret.NameSpan), "a forge starts this bot, and `%s` is no file", name).
			See(c.bundle.Manifest.Tree, at, "the manifest").Field = path
	}
}

// forgeTrigger is the key of the manifest by which a forge starts the bot: a
// `forge:` with events, or the kind of an invocation.
func forgeTrigger(root *bundle.Value) *bundle.Entry {
	if events := root.At("forge", "events"); events != nil && len(events.Items) > 0 {
		return root.Entry("forge")
	}
	for _, kind := range root.All("invocations", "kind") {
		if kind.Text == "forge" {
			return &bundle.Entry{Value: kind, KeySpan: kind.Span}
		}
	}
	return nil
}
