package shell_test

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"iterion/ir/gate/shell"
)

// policy is a gate for the shell and for writes, as small as it can be: it shows
// how a script is to be used.
type policy struct {
	Mode             string
	Allow, Ask, Deny []string
}

// verdict judges a command.
func (p policy) verdict(command, workdir string) string {
	s := shell.Parse(command, workdir)
	for _, list := range []struct {
		rules []string
		want  string
	}{{p.Deny, "deny"}, {p.Ask, "ask"}} {
		for _, rule := range list.rules {
			if closes(rule, s) {
				return list.want
			}
		}
	}
	if p.opens(command, s) {
		return "allow"
	}
	return p.Mode
}

func cut(rule string) (tool, pattern string, scoped bool) {
	tool, pattern, scoped = strings.Cut(rule, "(")
	return tool, strings.TrimSuffix(pattern, ")"), scoped
}

func closes(rule string, s *shell.Script) bool {
	tool, pattern, scoped := cut(rule)
	switch {
	case tool != "Bash" && tool != "Write":
		return false
	case tool == "Write":
		return scoped && closesWrite(pattern, s)
	case !scoped:
		return true
	}
	for _, text := range s.Texts {
		if covers(pattern, text) {
			return true
		}
	}
	return false
}

func covers(pattern, text string) bool {
	if head, ok := strings.CutSuffix(pattern, ":*"); ok {
		return strings.HasPrefix(text, head)
	}
	head, ok := strings.CutSuffix(pattern, " *")
	return glob(pattern, text) || ok && glob(head, text)
}

func glob(pattern, text string) bool {
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	if !strings.HasPrefix(text, head) {
		return false
	}
	for i := len(head); i <= len(text); i++ {
		if glob(rest, text[i:]) {
			return true
		}
	}
	return false
}

func closesWrite(pattern string, s *shell.Script) bool {
	for _, w := range s.Writes {
		for _, dir := range append([]string{""}, s.Folders...) {
			full := path.Join(dir, w.Path)
			if ok, _ := doublestar.Match(pattern, full); ok {
				return true
			}
			if ok, _ := doublestar.Match(pattern, path.Base(full)); ok && !strings.Contains(pattern, "/") {
				return true
			}
		}
	}
	return false
}

// unreadable is what a prefix never opens, and nothing but an exact rule while a
// scoped rule closes.
func (p policy) unreadable(s *shell.Script) (always, besideRules bool) {
	for _, rule := range append(p.Deny[:len(p.Deny):len(p.Deny)], p.Ask...) {
		tool, pattern, scoped := cut(rule)
		if !scoped || tool == "Write" && !s.DynamicWrite {
			continue
		}
		if s.Opaque != "" || s.DynamicWrite {
			return true, true
		}
		static, _, _ := strings.Cut(strings.TrimSuffix(pattern, ":*"), "*")
		for _, head := range s.Heads {
			if static != "" && (strings.HasPrefix(head, static) || strings.HasPrefix(static, head)) {
				return true, true
			}
		}
	}
	return s.Opaque != "" || s.DynamicWrite, false
}

func (p policy) opens(command string, s *shell.Script) bool {
	unreadable, rules := p.unreadable(s)
	for _, rule := range p.Allow {
		tool, pattern, scoped := cut(rule)
		switch {
		case tool != "Bash":
		case scoped && pattern == command && !strings.Contains(pattern, "*"):
			return true
		case (!scoped || pattern == "*" || pattern == "**") && !rules:
			return true
		}
	}
	if unreadable || s.Plain != "" || !p.opensWrites(s) {
		return false
	}
	opened := false
	for _, one := range s.Simple {
		byRule := p.opensSimple(one, len(s.Simple) > 1)
		opened = opened || byRule
		if !byRule && !neutral(one) {
			return false
		}
	}
	return opened
}

func (p policy) opensSimple(one shell.Simple, several bool) bool {
	for _, rule := range p.Allow {
		tool, pattern, scoped := cut(rule)
		if tool != "Bash" || !scoped {
			continue
		}
		for _, f := range one.Forms {
			static := f.Fixed == len(f.Text)
			head, prefix := strings.CutSuffix(pattern, ":*")
			switch {
			case prefix:
				if strings.HasPrefix(f.Text[:f.Fixed], head) && (len(head) == len(f.Text) || f.Text[len(head)] == ' ') {
					return true
				}
			case !strings.Contains(pattern, "*"):
				if several && static && f.Text == pattern {
					return true
				}
			case static:
				if glob(pattern, f.Text) {
					return true
				}
			default:
				body, tail := strings.CutSuffix(pattern, "*")
				if tail && glob(body+"*", f.Text[:f.Fixed]) {
					return true
				}
			}
		}
	}
	return false
}

func inside(dir string) bool {
	return !strings.HasPrefix(dir, "/") && dir != ".." && !strings.HasPrefix(dir, "../") && !strings.HasPrefix(dir, "~")
}

func neutral(one shell.Simple) bool {
	if one.Neutral != shell.ChangesFolder {
		return one.Neutral == shell.AlwaysNeutral
	}
	for _, dir := range one.Dirs {
		if !inside(dir) {
			return false
		}
	}
	return true
}

func (p policy) opensWrites(s *shell.Script) bool {
	for _, w := range s.Writes {
		for _, dir := range w.Dirs {
			if !p.opensWrite(path.Join(dir, w.Path)) {
				return false
			}
		}
	}
	return true
}

func (p policy) opensWrite(full string) bool {
	for _, rule := range p.Allow {
		tool, pattern, scoped := cut(rule)
		if ok, _ := doublestar.Match(pattern, full); tool == "Write" && (!scoped || ok && inside(full)) {
			return true
		}
	}
	return false
}
