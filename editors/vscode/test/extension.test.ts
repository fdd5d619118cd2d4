import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { clients, server } from "./client";
import { events, LanguageStatusSeverity, reset, seen, status, Uri, world } from "./vscode";
import { activate, deactivate } from "../src/extension";

const manifest = JSON.parse(readFileSync(path.resolve(__dirname, "..", "package.json"), "utf8"));

let folder: string;
let bot: string;
let subscriptions: { dispose(): unknown }[];
const context = () => ({ subscriptions }) as unknown as Parameters<typeof activate>[0];
const uri = () => Uri.file(bot).toString();
const run = (command: string, ...args: unknown[]) => Promise.resolve(seen.commands.get(command)!(...args));

beforeEach(() => {
  reset();
  clients.length = 0;
  subscriptions = [];
  folder = mkdtempSync(path.join(tmpdir(), "iterion-vscode-"));
  bot = path.join(folder, "it's $(a) bot.bot");
  world.user = path.join(folder, "iterion");
  writeFileSync(world.user, "#!/bin/sh\n");
  chmodSync(world.user, 0o755);
  server.answer = async () => undefined;
  server.start = async () => {};
});

afterEach(async () => {
  await deactivate();
  for (const s of subscriptions) s.dispose();
  rmSync(folder, { recursive: true });
});

test("the commands of the manifest are there, and no others", async () => {
  await activate(context());
  const declared = manifest.contributes.commands.map((c: { command: string }) => c.command);
  assert.deepEqual([...seen.commands.keys()].sort(), declared.sort());
  assert.equal(clients.length, 1);
  assert.deepEqual(clients[0].program, { command: world.user, args: ["lsp"], transport: 0 });
  assert.equal(status.text, "iterion 9.9");
});

test("a workspace does not choose the program", async () => {
  world.workspace = path.join(folder, "evil");
  await activate(context());
  assert.equal(clients[0].program.command, world.user);
  assert.equal(manifest.contributes.configuration.properties["iterion.path"].scope, "machine");
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes("iterion.path"));
});

test("a missing program is said with the way to get it", async () => {
  world.user = path.join(folder, "nothing");
  await activate(context());
  assert.equal(clients.length, 0);
  assert.equal(status.severity, LanguageStatusSeverity.Error);
  assert.match(seen.messages[0], /nothing, which is no program\. Install it .*go install.*iterion\.path/);
});

test("a server that does not start is said, and a restart tries again", async () => {
  server.start = async () => {
    throw new Error("exit 2");
  };
  await activate(context());
  assert.match(seen.messages[0], /lsp did not start: exit 2/);
  server.start = async () => {};
  await run("iterion.restart");
  assert.equal(clients.length, 2);
  assert.equal(status.text, "iterion 9.9");
});

test("restarts at the same time leave one server", async () => {
  await activate(context());
  await Promise.all([run("iterion.restart"), run("iterion.restart"), run("iterion.restart")]);
  assert.equal(clients.filter((c) => c.isRunning()).length, 1);
  await deactivate();
  assert.equal(clients.filter((c) => c.isRunning()).length, 0);
});

test("verbs are started with a list of arguments", async () => {
  await activate(context());
  await run("iterion.client.run", uri());
  await run("iterion.client.permission", uri(), "a-node; rm -rf /");
  const [first, second] = seen.tasks.map((t) => t.execution);
  assert.equal(first.process, world.user);
  assert.deepEqual(first.args, ["run", bot]);
  assert.deepEqual(second.args, ["permission", "show", "--node=a-node; rm -rf /", bot]);
  assert.equal(first.options.cwd, folder);
});

test("nothing is started where the workspace is not trusted", async () => {
  world.trusted = false;
  await activate(context());
  for (const command of ["run", "test", "validate", "permission"]) await run(`iterion.client.${command}`, uri());
  assert.equal(seen.tasks.length, 0);
  assert.equal(seen.messages.filter((m) => m.includes("not trusted")).length, 4);
  for (const c of manifest.contributes.commands.filter((c: { command: string }) => c.command.startsWith("iterion.client."))) {
    assert.equal(c.enablement, "isWorkspaceTrusted");
  }
});

test("an edited file is saved before it is run; one that is nowhere is not run", async () => {
  await activate(context());
  let saves = true;
  world.documents = [{ uri: Uri.file(bot), languageId: "bot", isDirty: true, save: async () => (seen.saved++, saves) }];
  await run("iterion.client.run", uri());
  saves = false;
  await run("iterion.client.run", uri());
  await run("iterion.client.run", "untitled:Untitled-1");
  assert.equal(seen.saved, 2);
  assert.equal(seen.tasks.length, 1);
});

test("tests are run where there are some", async () => {
  await activate(context());
  await run("iterion.client.test", uri());
  assert.match(seen.messages[0], /There are no tests: .*_test\.yaml/);
  const tests = bot.replace(/\.bot$/, "_test.yaml");
  writeFileSync(tests, "tests: []\n");
  await run("iterion.client.test", uri());
  assert.deepEqual(seen.tasks[0].execution.args, ["test", tests]);
});

test("lenses of the server become the client's", async () => {
  await activate(context());
  const lens = (command: string) => ({ range: 1, command: { title: command, command, arguments: [uri()] } });
  const lenses = ["iterion.validate", "iterion.run", "iterion.diagram", "iterion.permission.show", "other"].map(lens);
  const shown = async () => {
    const got = await clients[0].options.middleware.provideCodeLenses({}, {}, async () => lenses);
    return got.map((l) => (l as ReturnType<typeof lens>).command.command);
  };
  writeFileSync(bot.replace(/\.bot$/, "_test.yaml"), "tests: []\n");
  assert.deepEqual(await shown(), [
    "iterion.client.validate", "iterion.client.run", "iterion.client.test", "iterion.diagram.preview", "iterion.client.permission", "other",
  ]);
  world.trusted = false;
  assert.deepEqual(await shown(), ["iterion.diagram.preview", "other"]);
});

test("the diagram is a picture in a page without script", async () => {
  await activate(context());
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const asked: unknown[] = [];
  server.answer = async (method, params) => (asked.push([method, params]), svg);
  await run("iterion.diagram.preview", uri());
  assert.deepEqual(asked, [["workspace/executeCommand", { command: "iterion.diagram", arguments: [uri(), "svg"] }]]);
  const [panel] = seen.panels;
  assert.deepEqual(panel.options, { enableScripts: false, localResourceRoots: [] });
  assert.match(panel.webview.html, /default-src 'none'; img-src data:; style-src 'sha256-/);
  assert.doesNotMatch(panel.webview.html, /script/i);
  assert.ok(panel.webview.html.includes(Buffer.from(svg).toString("base64")));
});

test("the diagram follows edits with one question at a time", async () => {
  await activate(context());
  let out = 0;
  let most = 0;
  let asked = 0;
  server.answer = async () => {
    most = Math.max(most, ++out);
    asked++;
    await Promise.resolve();
    out--;
    return `<svg>${asked}</svg>`;
  };
  const shown = run("iterion.diagram.preview", uri());
  for (let i = 0; i < 5; i++) events.changed.fire({ document: { uri: Uri.file(bot) } });
  events.changed.fire({ document: { uri: Uri.file(path.join(folder, "another.bot")) } });
  await shown;
  assert.equal(most, 1);
  assert.equal(asked, 2);
  assert.ok(seen.panels[0].webview.html.includes(Buffer.from("<svg>2</svg>").toString("base64")));
});

test("why there is no diagram is text", async () => {
  await activate(context());
  server.answer = async () => {
    throw new Error("<b>broken</b>");
  };
  await run("iterion.diagram.preview", uri());
  assert.match(seen.panels[0].webview.html, /There is no graph: &#60;b&#62;broken/);
  server.answer = async () => "graph TD";
  await run("iterion.diagram.preview", uri());
  assert.match(seen.panels[0].webview.html, /holds no workflow/);
});
