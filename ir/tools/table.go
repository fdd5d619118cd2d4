package tools

// table is the catalogue. Two spellings in one row are the same tool; a tool
// that only resembles another has a row of its own.
var table = []Tool{
	{Key: "bash", Spellings: []string{"shell", "sh", "run_command", "run_terminal_command"}, Claw: "bash", Subject: Command, Can: RunsCode},
	{Key: "diagnostic_shell", Claw: "diagnostic_shell", Subject: Command, Can: RunsCode, ClawAlias: true},
	{Key: "repl", Claw: "repl", Subject: Code, Can: RunsCode},
	{Key: "monitor", Subject: Command, Can: RunsCode},
	{Key: "powershell", Subject: Code, Can: RunsCode},
	{Key: "codemode", Subject: Code, Can: RunsCode},
	{Key: "workflow", Subject: Code, Can: RunsCode},

	{Key: "read", Spellings: []string{"read_file", "readfile", "cat"}, Claw: "read_file", Subject: Path, Can: Reads},
	{Key: "write", Spellings: []string{"write_file", "writefile", "file_write"}, Claw: "write_file", Subject: Path, Can: Writes},
	{Key: "edit", Spellings: []string{"edit_file", "file_edit", "edit_mode", "multiedit", "multi_edit", "str_replace", "search_replace", "apply_patch"},
		Claw: "file_edit", Subject: Path, Can: Writes},
	{Key: "notebookedit", Spellings: []string{"notebook_edit"}, Claw: "notebook_edit", Subject: Path, Can: Writes},
	{Key: "read_image", Claw: "read_image", Subject: Path, Can: Reads},
	{Key: "ls", Spellings: []string{"list_dir"}, Subject: Directory, Can: Lists},
	{Key: "glob", Spellings: []string{"find"}, Claw: "glob", Subject: Search, Can: Lists},
	{Key: "grep", Claw: "grep", Subject: Search, Can: Reads},
	{Key: "workspace_grep", Claw: "workspace_grep", Subject: Search, Can: Reads},
	{Key: "lsp", Claw: "lsp", Subject: Path, Can: Reads},

	{Key: "webfetch", Spellings: []string{"web_fetch", "fetchurl", "web"}, Claw: "web_fetch", Subject: URL, Can: Network},
	{Key: "websearch", Spellings: []string{"web_search"}, Claw: "web_search", Subject: Query, Can: Network},

	{Key: "toolsearch", Spellings: []string{"tool_search"}, Claw: "tool_search", Can: Plumbing},
	{Key: "taskoutput", Spellings: []string{"task_output"}, Claw: "task_output", Can: Plumbing},
	{Key: "taskstop", Spellings: []string{"task_stop"}, Claw: "task_stop", Can: Plumbing},
	{Key: "agent", Spellings: []string{"task", "spawn_subagent"}, Claw: "agent"},
	{Key: "todowrite", Spellings: []string{"todo_write"}, Claw: "todo_write", Can: Plumbing},
	{Key: "skill", Spellings: []string{"use_skill"}, Claw: "skill", Can: Plumbing},
	{Key: "send_user_message", Claw: "send_user_message", Can: Plumbing, Exempt: true},
	{Key: "structured_output", Spellings: []string{"structuredoutput"}, Claw: "structured_output", Can: Plumbing, Exempt: true},
	{Key: "ask_user", Claw: "ask_user", Can: Plumbing, Exempt: true},
	{Key: "ask_user_async", Claw: "ask_user_async", Can: Plumbing, Exempt: true},
	{Key: "await_answers", Claw: "await_answers", Can: Plumbing, Exempt: true},
	{Key: "sleep", Claw: "sleep", Can: Plumbing},
	{Key: "enter_plan_mode", Claw: "enter_plan_mode", Can: Plumbing},
	{Key: "exit_plan_mode", Claw: "exit_plan_mode", Can: Plumbing},
	{Key: "privacy_filter", Claw: "privacy_filter", Can: Plumbing},
	{Key: "privacy_unfilter", Claw: "privacy_unfilter", Can: Plumbing},
	{Key: "task_get", Claw: "task_get", Can: Plumbing},
	{Key: "task_list", Claw: "task_list", Can: Plumbing},
	{Key: "worker_get", Claw: "worker_get", Can: Plumbing},
	{Key: "worker_observe", Claw: "worker_observe", Can: Plumbing},
	{Key: "worker_observe_completion", Claw: "worker_observe_completion", Can: Plumbing},
	{Key: "worker_await_ready", Claw: "worker_await_ready", Can: Plumbing},
	{Key: "team_get", Claw: "team_get", Can: Plumbing},
	{Key: "team_list", Claw: "team_list", Can: Plumbing},
	{Key: "cron_list", Claw: "cron_list", Can: Plumbing},
	{Key: "list_mcp_resources", Claw: "list_mcp_resources", Can: Network},
	{Key: "read_mcp_resource", Claw: "read_mcp_resource", Can: Network},

	{Key: "remote_trigger", Spellings: []string{"remotetrigger"}, Claw: "remote_trigger"},
	{Key: "config", Claw: "config"},
	{Key: "mcp_auth", Claw: "mcp_auth"},
	{Key: "task_create", Claw: "task_create"},
	{Key: "task_update", Claw: "task_update"},
	{Key: "run_task_packet", Claw: "run_task_packet"},
	{Key: "worker_create", Claw: "worker_create"},
	{Key: "worker_resolve_trust", Claw: "worker_resolve_trust"},
	{Key: "worker_send_prompt", Claw: "worker_send_prompt"},
	{Key: "worker_restart", Claw: "worker_restart"},
	{Key: "worker_terminate", Claw: "worker_terminate"},
	{Key: "team_create", Claw: "team_create"},
	{Key: "team_delete", Claw: "team_delete"},
	{Key: "cron_create", Claw: "cron_create"},
	{Key: "cron_delete", Claw: "cron_delete"},
	{Key: "screenshot", Claw: "screenshot"},
	{Key: "computer_use", Claw: "computer_use"},
}

// boardTools are reached by a bare name when a run's capabilities grant them.
var boardTools = []string{
	"add_labels", "assign_issue", "close_issue", "comment_issue", "create_issue", "get_issue", "list_issues",
	"list_labels", "remove_labels", "set_bot", "set_labels", "transition_issue", "subscribe", "unsubscribe",
}

// legacy are names of earlier versions with what took their place.
var legacy = map[string]string{
	"patch": "file_edit", "git_diff": "bash", "git_log": "bash", "git_status": "bash",
	"list_files": "glob", "tree": "glob", "search_codebase": "grep", "web_search_tool": "web_search",
}
