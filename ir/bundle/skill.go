package bundle

import (
	"strings"

	"iterion/ast/source"
)

// maxFrontmatter is the longest frontmatter of a skill that is read, in bytes.
const maxFrontmatter = 16 << 10

// Skill is a file of a bundle's `skills` folder.
type Skill struct {
	*Text
	Name, Description *Entry // of the frontmatter; nil when absent or empty
	Unreadable        *Problem
}

// Frontmatter is the skill's YAML with the line that opens it, "" for none. Its
// places are those of the file.
func (s *Skill) Frontmatter() string {
	head, _ := frontmatter(s.Source.Text)
	return head
}

// readSkill reads a skill's frontmatter: YAML between a first line `---` and
// the next one.
func readSkill(text *Text) *Skill {
	s := &Skill{Text: text}
	head, ok := frontmatter(text.Source.Text)
	if !ok {
		s.Unreadable = problem(zero, "", "it does not start with a frontmatter between two lines `---`")
		return s
	}
	// The opening line starts a YAML document, so places are those of the file.
	root, fault, unreadable := parse(source.New(text.Source.Name, head))
	switch {
	case unreadable != nil:
		s.Unreadable = unreadable
	case fault != nil:
		s.Unreadable = fault
	default:
		s.Name, s.Description = written(root, "name"), written(root, "description")
	}
	return s
}

// Frontmatter reads the frontmatter of a main file, given as YAML. What cannot
// be read holds nothing.
func Frontmatter(text string) *Value {
	root, fault, unreadable := parse(source.New("", text))
	if fault != nil || unreadable != nil {
		return nil
	}
	return root
}

func frontmatter(text string) (head string, ok bool) {
	const fence = "---\n"
	if !strings.HasPrefix(text, fence) {
		return "", false
	}
	end := strings.Index(text, "\n"+fence)
	if end < 0 && strings.HasSuffix(text, "\n---") {
		end = len(text) - len("\n---")
	}
	if end < 0 || end > maxFrontmatter {
		return "", false
	}
	return text[:end+1], true
}

// written is an entry that holds a text.
func written(root *Value, key string) *Entry {
	if e := root.Entry(key); e != nil && strings.TrimSpace(e.Value.Text) != "" {
		return e
	}
	return nil
}
