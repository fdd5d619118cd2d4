package corpus

import (
	"fmt"

	"github.com/rogpeppe/go-internal/txtar"
)

// DocumentEntry is the name of the main file of every case of an author document.
const DocumentEntry = Entry + ".yaml"

// DocumentCase is an author document with its findings and its `.bot`.
type DocumentCase struct {
	CheckCase
	Bot string // the canonical text it stands for; "" where that is not looked at
}

// Documents returns the cases of author documents, sorted by name. It panics
// on one that is itself malformed.
func Documents() []DocumentCase {
	return archives("author", parseDocument)
}

func parseDocument(name string, archive *txtar.Archive) (c DocumentCase, err error) {
	if len(archive.Files) == 0 || archive.Files[0].Name != DocumentEntry {
		return c, fmt.Errorf("needs %s first", DocumentEntry)
	}
	rest := archive.Files[:0:0]
	for _, section := range archive.Files {
		section.Data = unmark(section.Data)
		if section.Name == Entry {
			c.Bot = string(section.Data)
			continue
		}
		rest = append(rest, section)
	}
	c.CheckCase, err = readCase(name, &txtar.Archive{Comment: archive.Comment, Files: rest}, DocumentEntry)
	return c, err
}
