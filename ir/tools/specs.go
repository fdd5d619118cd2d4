package tools

import "slices"

// Spec is a tool as a model is told of it.
type Spec struct {
	About  string
	Schema string // JSON Schema of the input: an object with named keys only; "" where the node says it
}

// Spec returns what a model is told of the tool. It is not ok for a tool that
// the in-process loop does not execute.
func (t *Tool) Spec() (Spec, bool) {
	at := slices.IndexFunc(specs[:], func(s keyedSpec) bool { return s.key == t.Key })
	if at < 0 {
		return Spec{}, false
	}
	return specs[at].Spec, true
}

type keyedSpec struct {
	key string
	Spec
}

// specs tell of the tools that the in-process loop executes. A key of an input
// that names a file, a folder, a command or an address is one that the gate
// reads: what it does not read it does not judge.
var specs = [...]keyedSpec{
	{"read", Spec{"Reads a text file. Each line of the answer has its number and a tab before it, which are not part of the file. " +
		"A long file is cut, and the answer says where to go on.", `{
		"type": "object", "additionalProperties": false, "required": ["file_path"],
		"properties": {
			"file_path": {"type": "string", "description": "The file, absolute or relative to the working directory."},
			"offset": {"type": "integer", "minimum": 1, "description": "The first line to read, from 1."},
			"limit": {"type": "integer", "minimum": 1, "description": "How many lines to read."}
		}}`}},
	{"write", Spec{"Writes a whole file, and the folders that it needs. A file that is there is replaced.", `{
		"type": "object", "additionalProperties": false, "required": ["file_path", "content"],
		"properties": {
			"file_path": {"type": "string", "description": "The file, absolute or relative to the working directory."},
			"content": {"type": "string", "description": "All that the file shall hold."}
		}}`}},
	{"edit", Spec{"Replaces a text in a file by another. The old text has to stand in the file exactly once, blanks and line ends included, " +
		"unless every place is to be replaced.", `{
		"type": "object", "additionalProperties": false, "required": ["file_path", "old_string", "new_string"],
		"properties": {
			"file_path": {"type": "string", "description": "The file, absolute or relative to the working directory."},
			"old_string": {"type": "string", "minLength": 1, "description": "The text to replace, without line numbers."},
			"new_string": {"type": "string", "description": "What stands there instead."},
			"replace_all": {"type": "boolean", "description": "Replace every place; false when absent."}
		}}`}},
	{"notebookedit", Spec{"Changes one cell of a Jupyter notebook: replaces its source, inserts a cell, or deletes it.", `{
		"type": "object", "additionalProperties": false, "required": ["notebook_path", "new_source"],
		"properties": {
			"notebook_path": {"type": "string", "description": "The notebook, absolute or relative to the working directory."},
			"cell_id": {"type": "string", "description": "The cell's id, or cell-N by its place from 0. A new cell is inserted behind it, or at the start when absent."},
			"new_source": {"type": "string", "description": "The cell's new source; empty for a deletion."},
			"cell_type": {"type": "string", "enum": ["code", "markdown"], "description": "The kind of cell, of an inserted one necessary."},
			"edit_mode": {"type": "string", "enum": ["replace", "insert", "delete"], "description": "What to do; replace when absent."}
		}}`}},
	{"read_image", Spec{"Shows an image file: PNG, JPEG, GIF or WebP.", `{
		"type": "object", "additionalProperties": false, "required": ["file_path"],
		"properties": {
			"file_path": {"type": "string", "description": "The image, absolute or relative to the working directory."}
		}}`}},
	{"glob", Spec{"Lists the files whose path matches a glob, sorted by name. `*` stays in one folder, `**` crosses folders, `{a,b}` are " +
		"alternatives. Links are not followed; `.git` is left out.", `{
		"type": "object", "additionalProperties": false, "required": ["pattern"],
		"properties": {
			"pattern": {"type": "string", "minLength": 1, "description": "The glob, relative to the folder, as **/*.go."},
			"path": {"type": "string", "description": "The folder; the working directory when absent."}
		}}`}},
	{"grep", Spec{"Searches files for a regular expression in RE2 syntax, line by line. Links are not followed; `.git` and binary files are " +
		"left out.", `{
		"type": "object", "additionalProperties": false, "required": ["pattern"],
		"properties": {
			"pattern": {"type": "string", "minLength": 1, "description": "The regular expression."},
			"path": {"type": "string", "description": "The file or folder to search; the working directory when absent."},` + grepKeys}},
	{"workspace_grep", Spec{"Searches the files of the workspace for a regular expression in RE2 syntax, line by line. Links are not followed; " +
		"`.git` and binary files are left out.", `{
		"type": "object", "additionalProperties": false, "required": ["pattern"],
		"properties": {
			"pattern": {"type": "string", "minLength": 1, "description": "The regular expression."},
			"path": {"type": "string", "description": "A file or folder of the workspace; all of it when absent."},` + grepKeys}},

	{"bash", Spec{"Runs a command in bash, in the working directory, with nothing on its standard input. The answer holds its output and, " +
		"when it fails, its exit status. Each call starts a new shell.", `{
		"type": "object", "additionalProperties": false, "required": ["command"],
		"properties": {
			"command": {"type": "string", "minLength": 1, "description": "The command."},
			"timeout": {"type": "integer", "minimum": 1, "maximum": 600000, "description": "How long it may take, in milliseconds; 120000 when absent."},
			"description": {"type": "string", "description": "What it does, in a few words, for the person who reads along."}
		}}`}},
	{"diagnostic_shell", Spec{"Runs a command of one line that looks at the state of the system or the workspace and changes nothing, in bash.", `{
		"type": "object", "additionalProperties": false, "required": ["command"],
		"properties": {
			"command": {"type": "string", "minLength": 1, "description": "The command."},
			"timeout": {"type": "integer", "minimum": 1, "maximum": 600000, "description": "How long it may take, in milliseconds; 120000 when absent."}
		}}`}},
	{"repl", Spec{"Runs a program given as text, in an interpreter of its own that ends with it. The answer is what it prints.", `{
		"type": "object", "additionalProperties": false, "required": ["code", "language"],
		"properties": {
			"code": {"type": "string", "minLength": 1, "description": "The program."},
			"language": {"type": "string", "description": "Its language: python, javascript, bash or sh."},
			"timeout": {"type": "integer", "minimum": 1, "maximum": 600000, "description": "How long it may take, in milliseconds; 120000 when absent."}
		}}`}},
	{"webfetch", Spec{"Fetches a page over http or https and gives its text. A redirect to where the policy does not lead is not followed.", `{
		"type": "object", "additionalProperties": false, "required": ["url"],
		"properties": {
			"url": {"type": "string", "minLength": 1, "description": "The address."},
			"prompt": {"type": "string", "description": "What the page is read for, for the person who reads along. The page is given as it is."}
		}}`}},

	{"todowrite", Spec{"Keeps the list of what is to be done. The list given takes the place of the one before.", `{
		"type": "object", "additionalProperties": false, "required": ["todos"],
		"properties": {
			"todos": {"type": "array", "items": {
				"type": "object", "additionalProperties": false, "required": ["content", "status"],
				"properties": {
					"content": {"type": "string", "minLength": 1, "description": "What is to be done."},
					"status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
					"activeForm": {"type": "string", "description": "What is being done, while it is."}
				}}}
		}}`}},
	{"ask_user", Spec{"Asks a person a question and waits for the answer.", askSchema}},
	{"ask_user_async", Spec{"Asks a person a question and goes on without the answer, which a later step of the workflow collects.", askSchema}},
	{"structured_output", Spec{About: "Gives the final answer in the form that the task asks for. Call it once, at the end."}},
	{"skill", Spec{"Loads the instructions of a skill by its name, or one of the skill's files.", `{
		"type": "object", "additionalProperties": false, "required": ["name"],
		"properties": {
			"name": {"type": "string", "description": "The skill's name."},
			"file": {"type": "string", "description": "A text file of the skill, relative to its folder."}
		}}`}},
	{"toolsearch", Spec{"Finds tools that are not in the list yet by words of their name or description.", `{
		"type": "object", "additionalProperties": false, "required": ["query"],
		"properties": {
			"query": {"type": "string", "minLength": 1, "maxLength": 256, "description": "The words, or a tool's exact name."},
			"limit": {"type": "integer", "minimum": 1, "maximum": 32, "description": "How many to name; 8 when absent."}
		}}`}},
	{"agent", Spec{"Gives a task to a second model with a conversation of its own, and returns its answer. It has this task's tools and is bound " +
		"by the same policy; what needs an approval is refused there.", `{
		"type": "object", "additionalProperties": false, "required": ["description", "prompt"],
		"properties": {
			"description": {"type": "string", "description": "The task in a few words."},
			"prompt": {"type": "string", "minLength": 1, "description": "The task, with all that it needs to know."},
			"tools": {"type": "array", "items": {"type": "string"}, "description": "The tools that it may use, of this task's; all when absent."}
		}}`}},
	{"list_mcp_resources", Spec{"Lists the resources of an MCP server.", `{
		"type": "object", "additionalProperties": false, "required": ["server"],
		"properties": {
			"server": {"type": "string", "description": "The server's name."}
		}}`}},
	{"read_mcp_resource", Spec{"Reads a resource of an MCP server.", `{
		"type": "object", "additionalProperties": false, "required": ["server", "uri"],
		"properties": {
			"server": {"type": "string", "description": "The server's name."},
			"uri": {"type": "string", "description": "The resource, as the server lists it."}
		}}`}},
}

// grepKeys are what both searches for text take besides.
const grepKeys = `
			"glob": {"type": "string", "minLength": 1, "description": "Search only files whose path, or name, matches this glob, as *.go."},
			"output_mode": {"type": "string", "enum": ["content", "files_with_matches", "count"],
				"description": "The matching lines, the files that have one (when absent), or how many lines match in each."},
			"-i": {"type": "boolean", "description": "Upper and lower case are the same."},
			"-A": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Lines to show after each match."},
			"-B": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Lines to show before each match."},
			"-C": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Lines to show around each match."},
			"head_limit": {"type": "integer", "minimum": 1, "description": "Stop after so many lines, or files."}
		}}`

const askSchema = `{
		"type": "object", "additionalProperties": false, "required": ["question"],
		"properties": {
			"question": {"type": "string", "minLength": 1, "description": "The question."},
			"options": {"type": "array", "items": {"type": "string"}, "description": "Answers to choose from; none for free text."}
		}}`
