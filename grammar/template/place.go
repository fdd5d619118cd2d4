package template

import "slices"

// Namespaces are the first words a reference may have.
var Namespaces = []string{
	"vars", "input", "outputs", "artifacts", "attachments", "secrets", "loop", "each", "run", "params",
}

const namespaceList = "vars, input, outputs, artifacts, attachments, secrets, loop, each, run or params"

func indexOf(namespace string) int { return slices.Index(Namespaces, namespace) }

// Place is a kind of text that references may stand in.
type Place uint8

// The places.
const (
	Nowhere      Place = iota // literal texts: names, enums, events, a supervisor's model
	Prompt                    // prompt bodies, inline prompts, images
	Command                   // command and postcondition of a tool
	Script                    // script of a tool
	ActionParams              // params of an action tool
	EdgeWith                  // with of an edge
	NodeWith                  // with of a subbot or an emit
	Message                   // message of a fail, review_url
	Typed                     // router over, loop cap, foreach collection: one whole reference
	Routing                   // model, backend, provider, interaction_model, default_backend
	places
)

// set has one bit for each entry of Namespaces.
type set uint16

const (
	vars set = 1 << iota
	input
	outputs
	artifacts
	attachments
	secrets
	loop
	each
	run

	data = vars | input | outputs | artifacts | loop | each | run
	all  = data | attachments | secrets
)

// allowed leaves params out everywhere: group expansion replaces them before
// any place is judged.
var allowed = [places]set{
	Prompt: all, Command: all, Script: all, ActionParams: all,
	EdgeWith: data, NodeWith: data, Message: data, Typed: data,
	Routing: vars,
}

// Allowed tells whether references of a namespace may stand in a place.
func Allowed(place Place, namespace string) bool {
	i := indexOf(namespace)
	return i >= 0 && place < places && allowed[place]&(1<<i) != 0
}
