import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { before, test } from "node:test";
import type { IGrammar } from "vscode-textmate";
import { botGrammar, coloured, extension, repository, Scopes } from "./engine";

let grammar: IGrammar;
before(async () => {
  grammar = await botGrammar();
});

interface Lexed {
  name: string;
  tokens: { type: string; start: number; end: number }[];
  declarations: number[];
}

function go(...args: string[]): string {
  return execFileSync("go", ["run", ...args], { cwd: repository, encoding: "utf8", maxBuffer: 1 << 28 });
}

function bots(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".bot"))
    .map((file) => path.join(folder, file))
    .sort();
}

/** Every byte of a token has the scope. */
function covered(scopes: Scopes, bytes: Buffer, from: number, to: number, wanted: string): boolean {
  for (let i = from; i < to; i++) {
    if (bytes[i] > 0x20 && !scopes.at(i).slice(1).some((s) => s.startsWith(wanted))) return false;
  }
  return true;
}

/** What is wrong with the colour of one token, "" when nothing is. */
function fault(scopes: Scopes, bytes: Buffer, t: { type: string; start: number; end: number }): string {
  const has = (scope: string) => scopes.has(t.start, scope);
  const inText = has("comment") || has("string.unquoted.block") || has("meta.embedded.block");
  switch (t.type) {
    case "Comment":
      return covered(scopes, bytes, t.start, t.end, "comment.line") ? "" : "is no comment";
    case "String":
    case "Raw":
      if (has("variable.other.member")) return "";
      if (!has("punctuation.definition.string.begin")) return "does not begin a string";
      return scopes.has(t.end - 1, "punctuation.definition.string.end") ? "" : "does not end";
    case "Body":
      return covered(scopes, bytes, t.start, t.end, "meta.embedded.block.markdown") ? "" : "is no prose";
    case "Scalar":
      return covered(scopes, bytes, t.start, t.end, "string.unquoted.block") || covered(scopes, bytes, t.start, t.end, "meta.embedded") ? "" : "is no text";
    case "Head":
      if (inText) return "lies in a text";
      return has("storage.type") && covered(scopes, bytes, t.start, t.end, "") ? "" : "is no header";
    case "Key":
      return !inText && (has("storage.type") || has("keyword.control.dsl") || has("support.type.property-name") || has("variable.other.member")) ? "" : "is no key";
    case "Src":
      return has("variable.other.node") ? "" : "is no source of an edge";
    case "Arrow":
      return has("keyword.operator.arrow") ? "" : "is no arrow";
    case "Int":
    case "Float":
      return has("constant.numeric") ? "" : "is no number";
    case "Ident":
      return !inText && scopes.at(t.start).length > 1 ? "" : "has no scope";
    default:
      return inText ? "lies in a text" : "";
  }
}

test("the colours of the corpus agree with its tokens", () => {
  const files = bots("corpus");
  assert.ok(files.length > 100, `${files.length} files`);
  const faults: string[] = [];
  for (const line of go("./editors/textmate/testdata/lexed", ...files).trim().split("\n")) {
    const lexed = JSON.parse(line) as Lexed;
    const text = readFileSync(path.join(repository, lexed.name), "utf8").replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
    const bytes = Buffer.from(text);
    const scopes = new Scopes(grammar, text);
    const place = (offset: number) => `${lexed.name}:${bytes.subarray(0, offset).toString().split("\n").length}`;
    for (const t of lexed.tokens) {
      const reason = fault(scopes, bytes, t);
      if (reason) faults.push(`${place(t.start)}: ${t.type} ${reason}: ${bytes.subarray(t.start, Math.min(t.end, t.start + 60))} ${scopes.at(t.start).join(" ")}`);
    }
    for (const start of lexed.declarations) {
      if (scopes.at(start).length !== 2) faults.push(`${place(start)}: a scope is open before this declaration: ${scopes.at(start).join(" ")}`);
    }
    const last = coloured(grammar, `${text}\nagent probe:\n`).filter((p) => p.scopes.some((s) => s === "entity.name.function.agent.bot")).at(-1);
    if (last?.line !== text.split("\n").length || last.scopes.length !== 2) faults.push(`${lexed.name}: a scope is open at its end`);
  }
  assert.equal(faults.length, 0, faults.slice(0, 40).join("\n"));
});

interface Kind {
  name: string;
  named: boolean;
  example?: string;
  properties?: Property[];
}

interface Property {
  name: string;
  form: string;
  values?: { word: string }[];
  example?: string;
  block?: Kind;
}

test("every keyword, property and word of the table has a scope", () => {
  const table = JSON.parse(go("./cmd/iterion", "schema", "--json")) as { kinds: Kind[] };
  let checked = 0;
  const check = (text: string, word: string, scope: string) => {
    const at = text.lastIndexOf(word);
    assert.ok(new Scopes(grammar, text).has(Buffer.byteLength(text.slice(0, at)), scope), `${word} in\n${text}is no ${scope}`);
    checked++;
  };
  const properties = (kind: Kind, header: string, indent: string) => {
    for (const p of kind.properties ?? []) {
      if (p.form === "with") {
        check(`${header}${indent}with { a: "b" }\n`, "with", "keyword.control.with");
        continue;
      }
      check(`${header}${indent}${p.name}: "x"\n`, `${p.name}:`, "support.type.property-name");
      for (const v of p.values ?? []) check(`${header}${indent}${p.name}: ${v.word}\n`, v.word, "constant.language.enum");
      if (p.block) properties(p.block, `${header}${indent}${p.name}:\n`, `${indent}  `);
    }
  };
  for (const kind of table.kinds) {
    const header = kind.named ? `${kind.name} probe:\n` : `${kind.name}:\n`;
    if (kind.name !== "use") check(header, kind.name, `storage.type.${kind.name}`);
    properties(kind, header, "  ");
  }
  assert.ok(checked > 300, `${checked} words`);
});

test("a text that is not closed ends with its declaration", () => {
  for (const open of [
    'agent a:\n  system: "never closed {{vars.x\n',
    'tool a:\n  command: "echo \'never closed $(\n',
    "tool a:\n  command: |\n    cat <<'EOF'\n    if [ \"x\n",
    "prompt a:\n  ```sh\n  echo 'never closed <!-- \n",
    'workflow a:\n  a -> b with {\n    k: "v",\n',
    'workflow a:\n  a -> b as l("vars.n\n',
    "schema a:\n  f: string [enum: \"a\",\n",
    "agent a:\n  tools: [a,\n",
    "group a(b\n",
    "compute a:\n  expr:\n    x: \"'open\n",
  ]) {
    const text = `${open}agent probe:\n  model: "m"\n`;
    const at = Buffer.byteLength(open);
    const scopes = new Scopes(grammar, text);
    assert.deepEqual(scopes.at(at), ["source.bot", "storage.type.agent.bot"], text);
    assert.ok(scopes.has(at + "agent probe:\n  ".length, "support.type.property-name"), text);
  }
});

test("the scopes of the sample are those that were looked at", () => {
  const folder = path.join(extension, "test", "grammar");
  const lines = readFileSync(path.join(folder, "sample.bot"), "utf8").split("\n");
  const pieces = coloured(grammar, lines.join("\n"));
  const got = lines
    .map((line, number) => {
      const marks = pieces
        .filter((p) => p.line === number && p.scopes.length > 1 && line.slice(p.start, p.end).trim())
        .map((p) => `  ${JSON.stringify(line.slice(p.start, p.end))} ${p.scopes.slice(1).join(" ")}`);
      return [line, ...marks].join("\n");
    })
    .join("\n");
  const golden = path.join(folder, "sample.scopes");
  if (process.env.UPDATE) writeFileSync(golden, got);
  assert.equal(got, readFileSync(golden, "utf8"));
});
