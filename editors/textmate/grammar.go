package textmate

import (
	"encoding/json"

	"iterion/grammar/schema"
)

// Scope is the name of the language among TextMate grammars.
const Scope = "source.bot"

// Grammar returns the text of bot.tmLanguage.json.
func Grammar() ([]byte, error) {
	w := writer{fixed(), map[string]string{}}
	for _, k := range schema.Kinds() {
		w.repository[k.Name] = w.declaration(k)
	}
	w.repository["workflow"] = ahead(w.repository["workflow"], "edge")
	w.repository["group"] = w.group()
	g := grammar{
		Comment:   "Generated from the property table: go test ./cmd/iterion -run TestDocs -update",
		Name:      "Bot",
		ScopeName: Scope,
		FileTypes: []string{"bot"},
		// Templates come before whatever the language around them reads.
		Injections: map[string]rule{
			"L:" + markdown: {Patterns: use("template", "template-in-code")},
			"L:" + shell:    {Patterns: use("template")},
		},
		Patterns:   top(),
		Repository: w.repository,
	}
	return g.encode()
}

// top is what may stand at the margin.
func top() []rule {
	patterns := use("comment", "head")
	for _, k := range schema.Kinds() {
		patterns = append(patterns, use(k.Name)...)
	}
	return patterns
}

// ahead puts an entry of the repository before the patterns of a rule.
func ahead(r rule, entry string) rule {
	r.Patterns = append(use("comment", entry), r.Patterns...)
	return r
}

// names of declared things, by the scopes that themes know.
func entity(k *schema.Kind) string {
	switch {
	case k.Node:
		return "entity.name.function." + k.Name
	case k.Name == "workflow":
		return "entity.name.class.workflow"
	case k.Name == "prompt":
		return "entity.name.section.prompt"
	}
	return "entity.name.type." + k.Name
}

// writer collects the repository.
type writer struct {
	repository map[string]rule
	bodies     map[string]string // the entry that holds patterns, by their JSON
}

// shared puts patterns into the repository under a name, unless an entry
// holds the same already, and returns what includes them.
func (w *writer) shared(entry string, patterns []rule) []rule {
	text, err := json.Marshal(patterns)
	if err != nil {
		panic(err) // strings and lists of them
	}
	if first, ok := w.bodies[string(text)]; ok {
		return use(first)
	}
	for w.repository[entry].Patterns != nil {
		entry += "-"
	}
	w.bodies[string(text)] = entry
	w.repository[entry] = rule{Patterns: patterns}
	return use(entry)
}

// declaration is the region of a keyword: its header and what may stand in it.
// Nodes stand in groups too, so that a header may be indented.
func (w *writer) declaration(k *schema.Kind) rule {
	switch {
	case k.Name == "prompt":
		return promptRule(k)
	case k.Name == "use":
		return useRule(k)
	case !k.Named:
		return rule{
			Begin: `^([ ]*)(` + k.Name + `)[ \t]*(:)`, BeginCaptures: scopes("", "storage.type."+k.Name, colon),
			End: shallower, Patterns: w.body(k),
		}
	}
	return rule{
		Begin:         `^([ ]*)(` + k.Name + `)[ \t]+(` + name + `)[ \t]*(:)`,
		BeginCaptures: scopes("", "storage.type."+k.Name, entity(k), colon),
		End:           shallower, Patterns: w.body(k),
	}
}

// group is the macro: parameters in its header, nodes and edges in its body.
func (w *writer) group() rule {
	k := schema.Lookup("group")
	header := rule{
		Begin: `\G[ \t]*(\()`, BeginCaptures: scopes("punctuation.section.parameters.begin"),
		End: `(\))|$`, EndCaptures: scopes("punctuation.section.parameters.end"),
		Patterns: []rule{{Name: "variable.parameter" + suffix, Match: name}, {Name: "punctuation.separator" + suffix, Match: ","}},
	}
	patterns := append([]rule{header}, use("comment", "edge")...)
	for _, member := range schema.Kinds() {
		if member.Node {
			patterns = append(patterns, use(member.Name)...)
		}
	}
	return rule{
		Begin: `^([ ]*)(group)[ \t]+(` + name + `)`, BeginCaptures: scopes("", "storage.type.group", entity(k)),
		End: shallower, Patterns: append(patterns, rule{Name: colon + suffix, Match: ":"}),
	}
}

// promptRule is a text under a header. The indentation of its first line says
// where it ends; a hash in it is text.
func promptRule(k *schema.Kind) rule {
	return rule{
		Begin:         `^(prompt)[ \t]+(` + name + `)[ \t]*(:)[ \t]*(#.*)?$`,
		BeginCaptures: scopes("storage.type.prompt", entity(k), colon, "comment.line.number-sign"),
		End:           `^(?=\S)`,
		Patterns:      []rule{lines(markdown, "text.html.markdown")},
	}
}

// lines are the lines of a text as deep as its first one. What the language
// inside leaves open ends with them.
func lines(scope, language string) rule {
	r := rule{Begin: `^([ ]+)(?=\S)`, While: `^(?:\1|[ \t]*$)`, ContentName: scope}
	if language != "" {
		r.Patterns = append(r.Patterns, rule{Include: language})
	}
	return r
}

func useRule(k *schema.Kind) rule {
	return rule{
		Begin:         `^(use)[ \t]+(` + name + `)(?:[ \t]+(as)[ \t]+(` + name + `))?`,
		BeginCaptures: scopes("storage.type.use", "entity.name.type.group", "keyword.control.as", "entity.name.namespace"),
		End:           `$`, Patterns: use("with", "comment"),
	}
}

// declarations matches the header of any declaration at the margin.
func declarations() string {
	var named, alone []string
	for _, k := range schema.Kinds() {
		if k.Named || k.Name == "use" {
			named = append(named, k.Name)
		} else {
			alone = append(alone, k.Name)
		}
	}
	return oneOf(named) + `[ \t]+` + name + `|` + oneOf(alone) + `[ \t]*:[ \t]*(?:#|$)`
}
