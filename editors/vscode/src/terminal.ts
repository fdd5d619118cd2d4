// Verbs in a terminal: a task whose process is iterion itself. No shell stands
// between, so that nothing in a file's name is read as a command.
import * as vscode from "vscode";
import { dirname } from "node:path";
import { testFiles, verbs } from "./verbs";
import { existsSync } from "node:fs";

/** Runs a verb for the bot that a lens or the active editor names. */
export async function runVerb(command: string, program: () => string | undefined, uriText?: unknown, node?: unknown): Promise<void> {
  const uri = target(uriText);
  if (!uri || !(await ready(uri))) return;
  const path = program();
  const file = command === "iterion.client.test" ? testsOf(uri) : uri.fsPath;
  if (!path || !file) return;
  const args = verbs[command].arguments(file, typeof node === "string" ? node : undefined);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const task = new vscode.Task(
    { type: "iterion", command },
    folder ?? vscode.TaskScope.Workspace,
    `${verbs[command].title} ${vscode.workspace.asRelativePath(uri)}`,
    "iterion",
    new vscode.ProcessExecution(path, args, { cwd: folder?.uri.fsPath ?? dirname(file) }),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true, clear: true, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}

/** The bot that is meant: that of a lens, else the active editor's. */
export function target(uriText?: unknown): vscode.Uri | undefined {
  if (typeof uriText === "string") return vscode.Uri.parse(uriText, true);
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "bot") return document.uri;
  void vscode.window.showWarningMessage("Open a .bot file first.");
  return undefined;
}

/** A program starts only where it is trusted, and on what is on the disk. */
async function ready(uri: vscode.Uri): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage("This workspace is not trusted: nothing of it is run. Trust it first (Workspaces: Manage Workspace Trust).");
    return false;
  }
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (uri.scheme === "file" && (!open?.isDirty || (await open.save()))) return true;
  void vscode.window.showWarningMessage("Save the file to this computer's disk first.");
  return false;
}

/** The tests of a bot, or undefined after saying where they would stand. */
function testsOf(uri: vscode.Uri): string | undefined {
  const candidates = testFiles(uri.fsPath);
  const found = candidates.find((file) => existsSync(file));
  if (!found) void vscode.window.showWarningMessage(`There are no tests: ${candidates.join(" or ")} would hold them.`);
  return found;
}

/** Tells whether a bot has tests. */
export function hasTests(uriText: string): boolean {
  const uri = vscode.Uri.parse(uriText, true);
  return uri.scheme === "file" && testFiles(uri.fsPath).some((file) => existsSync(file));
}
