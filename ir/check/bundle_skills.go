package check

import (
	"strings"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/bundle"
	"iterion/ir/finding"
)

// shortestDescription is how many bytes tell a model when a skill applies.
const shortestDescription = 24

// checkBundleSkills: C231 to C234, a model chooses a skill by its name and its
// description.
func checkBundleSkills(c *Context) {
	first := map[string]*bundle.Skill{}
	for _, s := range c.bundle.Skills {
		if s.Unreadable != nil {
			c.skill("C231", s, "", s.Unreadable.Span, "this skill has no name that can be read: %s", s.Unreadable.Message)
			continue
		}
		checkSkillName(c, s, first)
		switch d := s.Description; {
		case d == nil:
			c.skill("C232", s, "description", source.Span{}, "this skill has no description")
		case len(strings.TrimSpace(d.Value.Text)) < shortestDescription:
			c.skill("C233", s, "description", d.KeySpan, "the description of this skill says too little: %q", strings.TrimSpace(d.Value.Text))
		}
	}
}

func checkSkillName(c *Context, s *bundle.Skill, first map[string]*bundle.Skill) {
	if s.Name == nil {
		c.skill("C231", s, "name", source.Span{}, "this skill has no name")
		return
	}
	name := s.Name.Value
	if before := first[name.Text]; before != nil {
		c.skill("C234", s, "name", name.Span, "another skill is called `%s` too", name.Text).
			See(before.Tree, before.Name.Value.Span, "the first one")
		return
	}
	first[name.Text] = s
}

// skill reports at a place of a skill.
func (c *Context) skill(code diagnostics.Code, s *bundle.Skill, key string, at source.Span, format string, args ...any) *finding.Finding {
	f := c.out.Add(code, s.Tree, at, format, args...)
	f.Field = key
	return f
}
