package session

import (
	"maps"

	"iterion/ast/source"
)

// Supposing is the state in which files have other texts, by key, as they would
// lie on disk. Nothing of it is kept.
func (s *Snapshot) Supposing(texts map[string]string) *Snapshot {
	docs := maps.Clone(s.docs)
	for key, raw := range texts {
		doc := &Doc{Buffer: source.NewBuffer(key, raw), URI: s.URI(key)}
		if was := docs[key]; was != nil {
			doc.Version = was.Version
		}
		docs[key] = doc
	}
	return s.with(docs)
}
