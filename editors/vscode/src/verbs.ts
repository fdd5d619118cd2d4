// What the lenses and commands start: verbs of iterion, as lists of arguments
// that no shell reads.
import * as path from "node:path";

/** A verb that runs in a terminal. */
export interface Verb {
  title: string;
  arguments(file: string, node?: string): string[];
}

/** By the client's command. */
export const verbs: Record<string, Verb> = {
  "iterion.client.run": { title: "run", arguments: (file) => ["run", file] },
  "iterion.client.test": { title: "test", arguments: (file) => ["test", file] },
  "iterion.client.validate": { title: "validate", arguments: (file) => ["validate", file] },
  "iterion.client.permission": {
    title: "permission show",
    arguments: (file, node) => ["permission", "show", ...(node ? [`--node=${node}`] : []), file],
  },
};

/** The command of the client that stands for one in a lens of the server. */
export const fromServer: Record<string, string> = {
  "iterion.run": "iterion.client.run",
  "iterion.validate": "iterion.client.validate",
  "iterion.permission.show": "iterion.client.permission",
  "iterion.diagram": "iterion.diagram.preview",
};

/** Where the tests of a bot may stand, the likeliest first. */
export function testFiles(bot: string): string[] {
  const folder = path.dirname(bot);
  const name = path.basename(bot).replace(/\.bot(\.yaml)?$/, "");
  const beside = path.join(folder, `${name}_test.yaml`);
  return name === "main" ? [beside, `${folder}_test.yaml`] : [beside];
}

/** The part of a lens that is looked at; the ranges are the editor's own. */
export interface Lens<R> {
  range: R;
  command?: { title: string; command: string; arguments?: unknown[] };
}

/** What of the client's side the lenses depend on. */
export interface Surroundings {
  trusted: boolean;
  hasTests(uri: string): boolean;
}

/**
 * Lenses of the server with commands of the client. Those that start a program
 * are left out where the workspace is not trusted; one that tests follows the
 * one that runs, where there are tests.
 */
export function clientLenses<R>(lenses: Lens<R>[], around: Surroundings): Lens<R>[] {
  return lenses.flatMap((lens) => {
    const command = lens.command && fromServer[lens.command.command];
    if (!lens.command || !command) return [lens];
    if (command in verbs && !around.trusted) return [];
    const own = { range: lens.range, command: { ...lens.command, command } };
    const uri = lens.command.arguments?.[0];
    if (command !== "iterion.client.run" || typeof uri !== "string" || !around.hasTests(uri)) return [own];
    return [own, { range: lens.range, command: { title: "test", command: "iterion.client.test", arguments: [uri] } }];
  });
}
