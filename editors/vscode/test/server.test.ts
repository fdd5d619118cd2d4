// What the extension relies on, asked of the real server.
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection, CodeLensRequest, DidOpenTextDocumentNotification, ExecuteCommandRequest, ExitNotification, InitializedNotification,
  InitializeRequest, ShutdownRequest, StreamMessageReader, StreamMessageWriter, type InitializeResult, type ProtocolConnection,
} from "vscode-languageserver-protocol/node";
import { repository } from "./engine";
import { svgOf } from "../src/diagram";
import { fromServer } from "../src/verbs";

const bot = path.join(repository, "corpus", "bots", "advisory_check.bot");
const uri = pathToFileURL(bot).href;

let folder: string;
let server: ChildProcess;
let connection: ProtocolConnection;
let known: InitializeResult;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "iterion-server-"));
  const program = path.join(folder, "iterion");
  execFileSync("go", ["build", "-o", program, "./cmd/iterion"], { cwd: repository });
  server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = createProtocolConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!));
  connection.listen();
  known = await connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, workspaceFolders: null, capabilities: {} });
  await connection.sendNotification(InitializedNotification.type, {});
  const textDocument = { uri, languageId: "bot", version: 1, text: readFileSync(bot, "utf8") };
  await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
});

after(async () => {
  const gone = once(server, "exit");
  await connection.sendRequest(ShutdownRequest.type);
  await connection.sendNotification(ExitNotification.type);
  assert.deepEqual(await gone, [0, null]);
  rmSync(folder, { recursive: true });
});

test("each lens of the server has a command of the client, with the file first", async () => {
  const lenses = (await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
  const commands = lenses.map((lens) => lens.command!);
  assert.deepEqual([...new Set(commands.map((c) => c.command))].sort(), Object.keys(fromServer).sort());
  for (const c of commands) assert.equal(c.arguments?.[0], uri);
});

test("the server's own commands are none of the client's", () => {
  const own = Object.values(fromServer);
  for (const command of known.capabilities.executeCommandProvider?.commands ?? []) assert.ok(!own.includes(command), command);
});

test("the server draws a picture", async () => {
  const answer = await connection.sendRequest(ExecuteCommandRequest.type, { command: "iterion.diagram", arguments: [uri, "svg"] });
  assert.ok(svgOf(answer));
});
