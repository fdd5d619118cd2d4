import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { findProgram, type Machine } from "../src/program";
import { testFiles } from "../src/verbs";

function machine(platform: NodeJS.Platform, PATH: string, ...files: string[]): Machine {
  return { platform, env: { PATH }, home: "/home/me", executable: (file) => files.includes(file) };
}

test("the program is the setting's, else the first in PATH", () => {
  const linux = machine("linux", "/bin:/usr/local/bin:/opt", "/usr/local/bin/iterion", "/opt/iterion", "/home/me/go/bin/iterion");
  assert.deepEqual(findProgram("", linux), { path: "/usr/local/bin/iterion" });
  assert.deepEqual(findProgram(" /opt/iterion ", linux), { path: "/opt/iterion" });
  assert.deepEqual(findProgram("~/go/bin/iterion", linux), { path: "/home/me/go/bin/iterion" });
  const windows = machine("win32", "C:\\Windows;C:\\go\\bin", "C:\\go\\bin\\iterion.exe");
  assert.deepEqual(findProgram("", windows), { path: "C:\\go\\bin\\iterion.exe" });
});

test("nothing that a workspace holds is taken for the program", () => {
  const inWorkspace = machine("linux", ".::bin:node_modules/.bin", "iterion", "./iterion", "bin/iterion", "node_modules/.bin/iterion");
  assert.match(JSON.stringify(findProgram("", inWorkspace)), /not in PATH/);
  assert.match(JSON.stringify(findProgram("./iterion", inWorkspace)), /takes an absolute path/);
  assert.match(JSON.stringify(findProgram("iterion", inWorkspace)), /takes an absolute path/);
});

test("tests stand beside a bot, or beside its folder", () => {
  assert.deepEqual(testFiles("/b/review.bot"), ["/b/review_test.yaml"]);
  assert.deepEqual(testFiles("/b/review.bot.yaml"), ["/b/review_test.yaml"]);
  assert.deepEqual(testFiles("/b/triage/main.bot"), ["/b/triage/main_test.yaml", "/b/triage_test.yaml"]);
});

test("a line that opens a block indents the next", () => {
  const file = path.resolve(__dirname, "..", "language-configuration.json");
  const config = JSON.parse(readFileSync(file, "utf8"));
  const opens = new RegExp(config.indentationRules.increaseIndentPattern);
  for (const line of ["agent a:", "  budget: # why", "  command: |", "  a -> b with {", '    "0..0.4":', "group g(a, b):"]) assert.match(line, opens);
  for (const line of ["", "## note:", '  model: "m"', "  a -> b", "  tools: []", "  with { a: 1 }"]) assert.doesNotMatch(line, opens);
  assert.match("word_1", new RegExp(`^(?:${config.wordPattern})$`));
});
