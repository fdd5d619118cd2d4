package check

import (
	"cmp"
	"strings"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/bundle"
	"iterion/ir/finding"
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
		f := c.add("C211", secret.Tree, cmp.Or(secret.As.Span, secret.NameSpan), "a forge starts this bot, and `%s` is no file", name)
		f.See(c.bundle.Manifest.Tree, at, "the manifest").Fix(diagnostics.SecretAsFile, asFile(secret)...)
		f.Field = path
	}
}

// asFile hands a secret over as a file: in the place of another way, as the
// first property of its block, or as a block of its own.
func asFile(s *ir.Secret) []finding.Edit {
	if s.As.Set() {
		return []finding.Edit{finding.Replace(s.Tree, s.As.Span, "file")}
	}
	for _, at := range []source.Span{s.Value.Span, s.MountPath.Span, s.Env.Span, s.Optional.Span, s.Hosts.Span, s.Description.Span} {
		if !at.IsZero() {
			return finding.InsertBefore(s.Tree, at, "as: file")
		}
	}
	if s.Short.Set() {
		return nil
	}
	line := s.Tree.Text[strings.LastIndexByte(s.Tree.Text[:s.NameSpan.Start], '\n')+1 : s.NameSpan.Start]
	colon := strings.IndexByte(s.Tree.Text[s.NameSpan.End:], ':')
	if colon < 0 {
		return nil
	}
	behind := s.NameSpan.End + uint32(colon) + 1
	return []finding.Edit{finding.Replace(s.Tree, source.Span{Start: behind, End: behind}, "\n"+line+"  as: file")}
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
