//! Zed's side of .bot files: it tells Zed how the language server is started.

use zed_extension_api::{self as zed, LanguageServerId, Result};

struct Iterion;

impl zed::Extension for Iterion {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let command = worktree
            .which("iterion")
            .ok_or("iterion is not on the PATH: install it, then open the file again")?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Iterion);
