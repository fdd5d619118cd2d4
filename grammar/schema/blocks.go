package schema

func compactionRow() Property {
	return Property{Name: "compaction", Form: Block, Block: compactionBlock(),
		Doc:     "When a long conversation is summarized; absent, what is set further out.",
		Example: "compaction:\n  threshold: 0.85\n  preserve_recent: 4"}
}

func compactionBlock() *Kind {
	return &Kind{Name: "compaction", Bare: true,
		Doc: "When and how far a conversation is summarized.",
		Props: []Property{
			{Name: "threshold", Form: Num,
				Doc:     "The filled part of the context at which it happens: above 0, at most 1.",
				Example: `threshold: 0.85`},
			{Name: "preserve_recent", Form: Int,
				Doc:     "How many of the latest messages stay word for word, at least 1.",
				Example: `preserve_recent: 4`},
		}}
}

func memoryBlock() *Kind {
	return &Kind{Name: "memory", Bare: true,
		Doc: "Notes that a node reads and writes and that outlive the run.",
		Props: []Property{
			{Name: "enabled", Form: Bool,
				Doc:     "Whether the node has a memory.",
				Example: `enabled: true`},
			{Name: "scope", Form: Word,
				Doc:     "The name of the shelf the notes lie on; an enabled memory needs one.",
				Example: `scope: "reviews"`},
			{Name: "autoload", Form: StrList,
				Doc:     "Notes that are put into the prompt at the start.",
				Example: `autoload: ["conventions.md"]`},
			{Name: "read", Form: Bool, Default: "true",
				Doc:     "Whether the model may read notes.",
				Example: `read: true`},
			{Name: "write", Form: Bool, Default: "true",
				Doc:     "Whether the model may write notes.",
				Example: `write: false`},
			{Name: "pre_compact_inject", Form: Bool, Default: "false",
				Doc:     "Whether the model is asked to save notes before the conversation is summarized.",
				Example: `pre_compact_inject: true`},
			{Name: "project_root", Form: Bool, Removed: 2,
				Doc:     "Keeps the notes in the project's directory; visibility replaces it.",
				Example: `project_root: true`},
			{Name: "visibility", Form: Word, Values: []Value{
				{"bot", "This bot only."},
				{"project", "All bots of this project."},
				{"cross_project", "This bot in all projects."},
				{"user", "All bots of this user."},
				{"org", "All members of the organization."},
				{"global", "Everybody."},
			},
				Doc:     "Who shares the notes.",
				Example: `visibility: "project"`},
		}}
}

func sandboxRow(fallback string) Property {
	return Property{Name: "sandbox", Form: WordOrBlock, Block: sandboxBlock(), Default: fallback, Values: sandboxModes(),
		Doc:     "Whether work runs in a container, and in which; absent on a node, the workflow decides.",
		Example: "sandbox: none"}
}

func sandboxModes() []Value {
	return []Value{
		{"none", "No container."},
		{"auto", "A container made from what the repository offers."},
		{"inline", "A container from the image or the build of the block."},
	}
}

func sandboxBlock() *Kind {
	return &Kind{Name: "sandbox", Bare: true,
		Doc: "A container described in place; the mode is inline when none is given.",
		Props: []Property{
			{Name: "mode", Form: OneOf, Values: sandboxModes(),
				Doc:     "Where the container comes from.",
				Example: `mode: inline`},
			{Name: "image", Form: Word, Text: EnvText,
				Doc:     "The image to start; inline needs either this or build.",
				Example: `image: "node:22-bookworm"`},
			{Name: "build", Form: Block, Block: buildBlock(),
				Doc:     "How the image is built; inline needs either this or image.",
				Example: "build:\n  dockerfile: \"Dockerfile.dev\""},
			{Name: "user", Form: Word, Text: EnvText,
				Doc:     "The user inside the container.",
				Example: `user: "node"`},
			{Name: "workspace_folder", Form: Word, Text: EnvText,
				Doc:     "Where the workspace is mounted.",
				Example: `workspace_folder: "/work"`},
			{Name: "host_state", Form: OneOf, Values: []Value{
				{"auto", "They are mounted."},
				{"none", "They stay outside."},
			},
				Doc:     "Whether the home directories of the engine and the command lines are mounted.",
				Example: `host_state: none`},
			{Name: "post_create", Form: Str, Text: EnvText,
				Doc:     "A shell command that runs once when the container has started.",
				Example: `post_create: "npm ci"`},
			{Name: "env", Form: Map, Text: EnvText, Block: mapBlock(),
				Doc:     "Environment variables of the container.",
				Example: `env: { CI: "1", NODE_ENV: "test" }`},
			{Name: "mounts", Form: StrOrNameList, Text: EnvText,
				Doc:     "Further mounts.",
				Example: `mounts: ["source=/var/cache/npm,target=/cache,type=bind"]`},
			{Name: "network", Form: Block, Block: networkBlock(),
				Doc:     "What the container may reach.",
				Example: "network:\n  mode: allowlist\n  rules: [\"registry.npmjs.org\"]"},
		}}
}

// mapBlock is the indented form of a map.
func mapBlock() *Kind {
	return &Kind{Name: "map",
		Doc: "Keys and their text values.",
		Entry: &Entry{Form: Str, Text: EnvText,
			Doc:     "A key and its value.",
			Example: `CI: "1"`}}
}

func buildBlock() *Kind {
	return &Kind{Name: "build", Bare: true,
		Doc: "The build of a sandbox image.",
		Props: []Property{
			{Name: "dockerfile", Form: Word, Text: EnvText,
				Doc:     "The path of the Dockerfile.",
				Example: `dockerfile: "Dockerfile.dev"`},
			{Name: "context", Form: Word, Text: EnvText,
				Doc:     "The directory that is sent to the build.",
				Example: `context: "."`},
			{Name: "args", Form: Map, Text: EnvText, Block: mapBlock(),
				Doc:     "Build arguments.",
				Example: `args: { VERSION: "22" }`},
		}}
}

func networkBlock() *Kind {
	return &Kind{Name: "network", Bare: true,
		Doc: "The network rules of a sandbox.",
		Props: []Property{
			{Name: "mode", Form: OneOf, Default: "open", Values: []Value{
				{"open", "Everything can be reached."},
				{"allowlist", "Only what a rule names can be reached."},
				{"denylist", "Everything but what a rule names can be reached."},
			},
				Doc:     "How the rules are read.",
				Example: `mode: allowlist`},
			{Name: "preset", Form: StrOrName, Text: EnvText,
				Doc:     "A ready-made set of rules to start from.",
				Example: `preset: default`},
			{Name: "inherit", Form: OneOf, Values: []Value{
				{"replace", "Only this block counts."},
				{"append", "These rules follow the ones further out."},
			},
				Doc:     "How this block meets the workflow's; absent, the two are merged.",
				Example: `inherit: replace`},
			{Name: "rules", Form: StrOrNameList, Text: EnvText,
				Doc:     "Hosts and patterns; a leading ! takes one out.",
				Example: `rules: ["*.npmjs.org", "!telemetry.npmjs.org"]`},
		}}
}
