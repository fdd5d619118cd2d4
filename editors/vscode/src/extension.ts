import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient, TransportKind, type LanguageClientOptions } from "vscode-languageclient/node";
import { Preview } from "./preview";
import { executable, findProgram } from "./program";
import { hasTests, runVerb, target } from "./terminal";
import { clientLenses, verbs } from "./verbs";

let client: LanguageClient | undefined;
let status: vscode.LanguageStatusItem;
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  status = vscode.languages.createLanguageStatusItem("iterion", { language: "bot" });
  status.name = "Iterion";
  status.command = { title: "Restart", command: "iterion.restart" };
  const preview = new Preview(ask);
  const register = vscode.commands.registerCommand;
  context.subscriptions.push(
    status,
    preview,
    register("iterion.restart", restart),
    register("iterion.diagram.preview", async (uri?: unknown) => {
      const bot = target(uri instanceof vscode.Uri ? uri.toString() : uri);
      if (bot) await preview.show(bot);
    }),
    ...Object.keys(verbs).map((command) => register(command, (uri?: unknown, node?: unknown) => runVerb(command, program, uri, node))),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration("iterion.path")) void restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart), // the lenses are others then
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await (turn = turn.then(stop, stop));
}

/** Restarts follow one another, however fast they are asked for. */
function restart(): Promise<void> {
  const next = async () => {
    await stop();
    await start();
  };
  return (turn = turn.then(next, next));
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose().catch(() => undefined); // it may have died: the next one starts all the same
}

async function start(): Promise<void> {
  const path = program();
  if (!path) {
    say("not found", vscode.LanguageStatusSeverity.Error);
    return;
  }
  say("starting", vscode.LanguageStatusSeverity.Information);
  const starting = new LanguageClient("iterion", "Iterion", { command: path, args: ["lsp"], transport: TransportKind.stdio }, options);
  client = starting;
  try {
    await starting.start();
    const info = starting.initializeResult?.serverInfo;
    say(`${info?.name ?? "iterion"} ${info?.version ?? ""}`.trim(), vscode.LanguageStatusSeverity.Information);
  } catch (error) {
    say("stopped", vscode.LanguageStatusSeverity.Error);
    void vscode.window.showErrorMessage(`${path} lsp did not start: ${error instanceof Error ? error.message : String(error)}. See its output, and whether "iterion lsp" is known to it.`);
  }
}

function say(text: string, severity: vscode.LanguageStatusSeverity): void {
  status.text = text;
  status.severity = severity;
}

const options: LanguageClientOptions = {
  documentSelector: [
    { scheme: "file", language: "bot" },
    { scheme: "untitled", language: "bot" },
    { scheme: "file", pattern: "**/*.bot.yaml" },
  ],
  middleware: {
    provideCodeLenses: async (document, token, next) => {
      const lenses = await next(document, token);
      return lenses && (clientLenses(lenses, { trusted: vscode.workspace.isTrusted, hasTests }) as vscode.CodeLens[]);
    },
  },
};

/** The program, or undefined after saying what is missing and how it comes. */
function program(): string | undefined {
  // Only the user's own value: a workspace must not choose what is started.
  const setting = vscode.workspace.getConfiguration("iterion").inspect<string>("path")?.globalValue ?? "";
  const found = findProgram(setting, { platform: process.platform, env: process.env, home: homedir(), executable });
  if ("path" in found) return found.path;
  void missing(found.problem);
  return undefined;
}

async function missing(problem: string): Promise<void> {
  const how = "How to Install";
  const settings = "Open Settings";
  const choice = await vscode.window.showErrorMessage(
    `${problem} Install it (in a clone of iterion: go install ./cmd/iterion) or set iterion.path, then restart with "Iterion: Restart the Language Server".`,
    how,
    settings,
  );
  if (choice === how) await vscode.commands.executeCommand("extension.open", "iterion.iterion");
  if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "iterion.path");
}

async function ask(command: string, args: unknown[]): Promise<unknown> {
  if (!client?.isRunning()) throw new Error("the language server is not running");
  return client.sendRequest("workspace/executeCommand", { command, arguments: args });
}
