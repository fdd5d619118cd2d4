package ir

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
)

// Origin is where a declaration's text begins: the file's index in
// Program.Files and the byte offset in it.
type Origin struct {
	File   int    `json:"file"`
	Offset uint32 `json:"offset"`
}

// File is one file of the unit.
type File struct {
	Name    string `json:"name"`
	Profile int    `json:"profile"`
}

// Program is one compiled unit: a main file and what it imports.
type Program struct {
	Files       []File             `json:"files"`
	Frontmatter string             `json:"frontmatter,omitempty" hash:"-"` // the YAML text between the fences
	Workflow    *Workflow          `json:"workflow,omitempty"`
	Nodes       []*Node            `json:"nodes"`
	Edges       []*Edge            `json:"edges"`
	Loops       []*Loop            `json:"loops,omitempty"`
	Schemas     []*Schema          `json:"schemas,omitempty"`
	Prompts     []*Prompt          `json:"prompts,omitempty"`
	Vars        []*Var             `json:"vars,omitempty"`
	Presets     []*Preset          `json:"presets,omitempty"`
	Attachments []*Attachment      `json:"attachments,omitempty"`
	Secrets     []*Secret          `json:"secrets,omitempty"`
	Cursors     []*Cursor          `json:"cursors,omitempty"`
	Servers     []*Server          `json:"servers,omitempty"`
	Supervisors []*Supervisor      `json:"supervisors,omitempty"`
	Contracts   []*Contract        `json:"contracts,omitempty"`
	nodes       map[string]*Node   // by id
	schemas     map[string]*Schema // by name
	prompts     map[string]*Prompt // by name
	vars        map[string]*Var    // by name
	out         map[string][]*Edge // by source
}

// Node returns a node by id, or nil. Safe for concurrent use once the program
// is built or decoded.
func (p *Program) Node(id string) *Node { return p.nodes[id] }

// Schema returns a schema by name, or nil.
func (p *Program) Schema(name string) *Schema { return p.schemas[name] }

// Prompt returns a prompt by name, or nil.
func (p *Program) Prompt(name string) *Prompt { return p.prompts[name] }

// Var returns a variable by name, or nil.
func (p *Program) Var(name string) *Var { return p.vars[name] }

// Out returns the edges that leave a node, in source order.
func (p *Program) Out(id string) []*Edge { return p.out[id] }

// Sizes says how much a program is likely to hold.
type Sizes struct{ Files, Schemas, Prompts, Vars int }

// NewProgram returns an empty program with room for what is to come.
func NewProgram(n Sizes) *Program {
	return &Program{
		Files: make([]File, 0, n.Files),
		Nodes: []*Node{}, Edges: []*Edge{},
		Schemas: make([]*Schema, 0, n.Schemas), schemas: make(map[string]*Schema, n.Schemas),
		Prompts: make([]*Prompt, 0, n.Prompts), prompts: make(map[string]*Prompt, n.Prompts),
		Vars: make([]*Var, 0, n.Vars), vars: make(map[string]*Var, n.Vars),
	}
}

// AddSchema adds a schema, or returns the one that has its name.
func (p *Program) AddSchema(s *Schema) (first *Schema) {
	return add(p.schemas, &p.Schemas, s.Name, s)
}

// AddPrompt adds a prompt, or returns the one that has its name.
func (p *Program) AddPrompt(s *Prompt) (first *Prompt) {
	return add(p.prompts, &p.Prompts, s.Name, s)
}

// AddVar adds a variable, or returns the one that has its name.
func (p *Program) AddVar(v *Var) (first *Var) {
	return add(p.vars, &p.Vars, v.Name, v)
}

func add[T any](index map[string]*T, list *[]*T, name string, v *T) (first *T) {
	if first := index[name]; first != nil {
		return first
	}
	index[name] = v
	*list = append(*list, v)
	return nil
}

// ReplaceVar adds a variable in the place of the one that has its name.
func (p *Program) ReplaceVar(v *Var) {
	if first := p.AddVar(v); first != nil {
		p.vars[v.Name] = v
		p.Vars[slices.Index(p.Vars, first)] = v
	}
}

// ReplacePrompt puts a prompt in the place of the one that has its name.
func (p *Program) ReplacePrompt(s *Prompt) {
	if first := p.AddPrompt(s); first != nil {
		p.prompts[s.Name] = s
		p.Prompts[slices.Index(p.Prompts, first)] = s
	}
}

// index fills the look-up tables of a whole program. Of two declarations with
// one name the first counts.
func (p *Program) index() {
	p.nodes = byName(p.Nodes, func(n *Node) string { return n.ID })
	p.schemas = byName(p.Schemas, func(s *Schema) string { return s.Name })
	p.prompts = byName(p.Prompts, func(s *Prompt) string { return s.Name })
	p.vars = byName(p.Vars, func(v *Var) string { return v.Name })
	p.out = make(map[string][]*Edge, len(p.Nodes))
	for _, e := range p.Edges {
		p.out[e.From] = append(p.out[e.From], e)
	}
}

func byName[T any](list []*T, key func(*T) string) map[string]*T {
	m := make(map[string]*T, len(list))
	for _, v := range list {
		if k := key(v); m[k] == nil {
			m[k] = v
		}
	}
	return m
}

// Seal makes the look-ups of a program that was put together in Go.
func (p *Program) Seal() *Program {
	p.index()
	return p
}

// Decl ties a declared thing to its text.
type Decl struct {
	Name     string           `json:"name"`
	NameSpan source.Span      `json:"name_span"`
	Origin   Origin           `json:"origin"`
	Tree     *ast.Declaration `json:"-"` // nil in a decoded program
	Tainted  bool             `json:"-"` // holds a parse error: known by name only
}

// Schema is a set of typed fields.
type Schema struct {
	Decl
	Fields []Field `json:"fields"`
}

// Field returns a field by name, or nil.
func (s *Schema) Field(name string) *Field {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// Field is one field of a schema. Type is one of string, bool, int, float,
// json, string[] and file.
type Field struct {
	Name     string      `json:"name"`
	NameSpan source.Span `json:"name_span"`
	Type     string      `json:"type"`
	TypeSpan source.Span `json:"type_span"`
	Enum     List        `json:"enum,omitzero"`
}

// Prompt is a named text; inline texts are prompts with a name of their own.
type Prompt struct {
	Decl
	Text     Text        `json:"text"`
	TextSpan source.Span `json:"text_span"`
}

// Var is a run variable.
type Var struct {
	Decl
	Type     string       `json:"type"`
	TypeSpan source.Span  `json:"type_span"`
	Enum     List         `json:"enum,omitzero"`
	Matching Opt[string]  `json:"matching,omitzero"`
	Default  Opt[Literal] `json:"default,omitzero"`
	Workflow bool         `json:"workflow,omitempty"` // declared in the workflow
}

// Preset is a named set of var values.
type Preset struct {
	Decl
	Values []PresetValue `json:"values"`
}

// PresetValue is one line of a preset.
type PresetValue struct {
	Var     string       `json:"var"`
	VarSpan source.Span  `json:"var_span"`
	Value   Opt[Literal] `json:"value"`
}

// Attachment is a file that the operator hands to a run.
type Attachment struct {
	Decl
	Type        string    `json:"type"`
	Description Opt[Text] `json:"description,omitzero" dsl:"description"`
	AcceptMIME  List      `json:"accept_mime,omitzero" dsl:"accept_mime"`
	Required    Opt[bool] `json:"required,omitzero" dsl:"required"`
	Workflow    bool      `json:"workflow,omitempty"`
}

// Secret is a value that models and logs never see.
type Secret struct {
	Decl
	Short       Opt[Text]   `json:"short,omitzero"` // name: "value"
	Value       Opt[Text]   `json:"value,omitzero" dsl:"value"`
	As          Opt[string] `json:"as,omitzero" dsl:"as"`
	MountPath   Opt[string] `json:"mount_path,omitzero" dsl:"mount_path"`
	Env         Opt[string] `json:"env,omitzero" dsl:"env"`
	Optional    Opt[bool]   `json:"optional,omitzero" dsl:"optional"`
	Hosts       List        `json:"hosts,omitzero" dsl:"hosts"`
	Description Opt[Text]   `json:"description,omitzero" dsl:"description"`
}

// Cursor is a dial with named or numeric settings.
type Cursor struct {
	Decl
	Description Opt[Text] `json:"description,omitzero" dsl:"description"`
	Values      Bindings  `json:"values,omitzero" dsl:"values"`
	Bands       Bindings  `json:"bands,omitzero" dsl:"bands"`
}

// Server is an MCP server.
type Server struct {
	Decl
	Transport Opt[string] `json:"transport,omitzero" dsl:"transport"`
	Command   Opt[string] `json:"command,omitzero" dsl:"command"`
	Args      List        `json:"args,omitzero" dsl:"args"`
	URL       Opt[string] `json:"url,omitzero" dsl:"url"`
	Auth      *Auth       `json:"auth,omitempty" dsl:"auth"`
}

// Auth is the OAuth2 block of a server.
type Auth struct {
	Block
	Type      Opt[string] `json:"type,omitzero" dsl:"type"`
	AuthURL   Opt[string] `json:"auth_url,omitzero" dsl:"auth_url"`
	TokenURL  Opt[string] `json:"token_url,omitzero" dsl:"token_url"`
	RevokeURL Opt[string] `json:"revoke_url,omitzero" dsl:"revoke_url"`
	ClientID  Opt[string] `json:"client_id,omitzero" dsl:"client_id"`
	Scopes    List        `json:"scopes,omitzero" dsl:"scopes"`
}

// Supervisor watches agents while they run.
type Supervisor struct {
	Decl
	Watches  List           `json:"watches,omitzero" dsl:"watches"`
	Model    Opt[string]    `json:"model,omitzero" dsl:"model"`
	System   Opt[PromptUse] `json:"system,omitzero" dsl:"system"`
	Cooldown Opt[string]    `json:"cooldown,omitzero" dsl:"cooldown"`
	MaxEvals Opt[int64]     `json:"max_evals,omitzero" dsl:"max_evals"`
	Monitors List           `json:"monitors,omitzero" dsl:"monitors"`
}

// Contract says what a workflow takes and gives.
type Contract struct {
	Decl
	DisplayName    Opt[Text]   `json:"display_name,omitzero" dsl:"display_name"`
	Responsibility Opt[Text]   `json:"responsibility,omitzero" dsl:"responsibility"`
	Version        Opt[int64]  `json:"version,omitzero" dsl:"version"`
	Inputs         []Port      `json:"inputs,omitempty" dsl:"inputs"`
	Outputs        []Port      `json:"outputs,omitempty" dsl:"outputs"`
	Criteria       []Criterion `json:"criteria,omitempty" dsl:"criteria"`
	Effects        []Effect    `json:"effects,omitempty" dsl:"effects"`
}

// Port is an input or output of a contract.
type Port struct {
	Key
	Type        string      `json:"type"`
	TypeSpan    source.Span `json:"type_span"`
	Description Opt[Text]   `json:"description,omitzero" dsl:"description"`
	Required    Opt[bool]   `json:"required,omitzero" dsl:"required"`
	Nullable    Opt[bool]   `json:"nullable,omitzero" dsl:"nullable"`
	Default     Opt[JSON]   `json:"default,omitzero" dsl:"default"`
	MinItems    Opt[int64]  `json:"min_items,omitzero" dsl:"min_items"`
	MaxItems    Opt[int64]  `json:"max_items,omitzero" dsl:"max_items"`
	From        Opt[string] `json:"from,omitzero" dsl:"from"`
	File        *PortFile   `json:"file,omitempty" dsl:"file"`
}

// PortFile describes the file behind a port.
type PortFile struct {
	Block
	MediaType Opt[string] `json:"media_type,omitzero" dsl:"media_type"`
	MinBytes  Opt[int64]  `json:"min_bytes,omitzero" dsl:"min_bytes"`
	Schema    Opt[string] `json:"schema,omitzero" dsl:"schema"`
}

// Criterion is a condition on a port.
type Criterion struct {
	Key
	Kind   Opt[string] `json:"kind,omitzero" dsl:"kind"`
	Port   Opt[string] `json:"port,omitzero" dsl:"port"`
	Params Opt[JSON]   `json:"params,omitzero" dsl:"params"`
}

// Effect is what a workflow does to the outside.
type Effect struct {
	Key
	Description Opt[Text] `json:"description,omitzero" dsl:"description"`
	Paid        Opt[bool] `json:"paid,omitzero" dsl:"paid"`
}

// Key is the author's name of a line.
type Key struct {
	Name     string      `json:"name"`
	NameSpan source.Span `json:"name_span"`
}

// Block is where a nested block stands: from its key to its last line.
type Block struct {
	KeySpan source.Span `json:"key_span"`
	Span    source.Span `json:"span"`
}

// Place sets where the block stands.
func (b *Block) Place(at Block) { *b = at }

// JSON is a JSON value in canonical text.
type JSON string
