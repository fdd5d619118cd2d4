package schema

func serverKind() *Kind {
	return &Kind{Name: "mcp_server", Named: true, Bare: true,
		Doc:     "An MCP server whose tools agents can be given.",
		Example: "mcp_server docs_search:\n  transport: stdio\n  command: \"docs-search\"\n",
		Props: []Property{
			{Name: "transport", Form: Enum, Require: true, Values: []Value{
				{"stdio", "A program that is started and spoken to through its pipes; it needs command."},
				{"http", "A streamable HTTP endpoint; it needs url."},
				{"sse", "An HTTP endpoint with server-sent events; it needs url."},
			},
				Doc:     "How the server is reached.",
				Example: `transport: stdio`},
			{Name: "command", Form: Word, Text: EnvText,
				Doc:     "The program to start; stdio only.",
				Example: `command: "docs-search"`},
			{Name: "args", Form: StrList, Text: EnvText,
				Doc:     "The program's arguments; stdio only.",
				Example: `args: ["--root", "${PROJECT_DIR}"]`},
			{Name: "url", Form: Word, Text: EnvText,
				Doc:     "The endpoint; http and sse only.",
				Example: `url: "https://mcp.example.test/v1"`},
			{Name: "auth", Form: Block, Block: authBlock(),
				Doc:     "How the endpoint is signed in to.",
				Example: "auth:\n  type: \"oauth2\"\n  auth_url: \"https://id.example.test/authorize\"\n  token_url: \"https://id.example.test/token\"\n  client_id: \"iterion\""},
		}}
}

func authBlock() *Kind {
	return &Kind{Name: "auth", Bare: true,
		Doc: "Sign-in by OAuth 2 with PKCE.",
		Props: []Property{
			{Name: "type", Form: Word, Values: []Value{{"oauth2", "OAuth 2 with PKCE."}},
				Doc:     "The kind of sign-in.",
				Example: `type: "oauth2"`},
			{Name: "auth_url", Form: Word, Text: EnvText,
				Doc:     "The absolute address where a person signs in.",
				Example: `auth_url: "https://id.example.test/authorize"`},
			{Name: "token_url", Form: Word, Text: EnvText,
				Doc:     "The absolute address that hands out tokens.",
				Example: `token_url: "https://id.example.test/token"`},
			{Name: "revoke_url", Form: Word, Text: EnvText,
				Doc:     "The absolute address that takes tokens back, if there is one.",
				Example: `revoke_url: "https://id.example.test/revoke"`},
			{Name: "client_id", Form: Word, Text: EnvText,
				Doc:     "The client's registered id.",
				Example: `client_id: "iterion"`},
			{Name: "scopes", Form: StrList, Text: EnvText,
				Doc:     "The scopes to ask for.",
				Example: `scopes: ["docs:read"]`},
		}}
}
