// The engine that VS Code colours with, with the languages that texts embed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";

export const extension = path.resolve(__dirname, "..");
export const repository = path.resolve(extension, "..", "..");

const modules = createRequire(path.join(extension, "package.json"));

const files: Record<string, () => string> = {
  "source.bot": () => path.join(extension, "syntaxes", "bot.tmLanguage.json"),
  "source.shell": () => modules.resolve("tm-grammars/grammars/shellscript.json"),
  "text.html.markdown": () => modules.resolve("tm-grammars/grammars/markdown.json"),
};

export async function botGrammar(): Promise<IGrammar> {
  const wasm = readFileSync(modules.resolve("vscode-oniguruma/release/onig.wasm"));
  await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const file = files[scope]?.();
      return file ? parseRawGrammar(readFileSync(file, "utf8"), file) : null;
    },
  });
  return (await registry.loadGrammar("source.bot"))!;
}

/** The scopes of a piece of a line, outermost first; columns count UTF-16 units. */
export interface Piece {
  line: number;
  start: number;
  end: number;
  scopes: string[];
}

/** Colours a text line by line, as an editor does. */
export function coloured(grammar: IGrammar, text: string): Piece[] {
  let state = INITIAL;
  return text.split("\n").flatMap((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map((t) => ({ line: number, start: t.startIndex, end: Math.min(t.endIndex, line.length), scopes: t.scopes }));
  });
}

/** Scopes by byte offset, for comparison with what the toolchain reads. */
export class Scopes {
  private readonly byOffset: string[][] = [];

  constructor(grammar: IGrammar, text: string) {
    const lines = text.split("\n");
    const pieces = coloured(grammar, text);
    let at = 0;
    let next = 0;
    lines.forEach((line, number) => {
      for (; next < pieces.length && pieces[next].line === number; next++) {
        const piece = pieces[next];
        const start = at + Buffer.byteLength(line.slice(0, piece.start));
        const end = at + Buffer.byteLength(line.slice(0, piece.end));
        for (let i = start; i < end; i++) this.byOffset[i] = piece.scopes;
      }
      at += Buffer.byteLength(line) + 1;
    });
  }

  /** The scopes of a byte; of a newline none. */
  at(offset: number): string[] {
    return this.byOffset[offset] ?? [];
  }

  has(offset: number, scope: string): boolean {
    return this.at(offset).some((s) => s.startsWith(scope));
  }
}
