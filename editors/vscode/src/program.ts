// Where the iterion program is.
import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

/** What the search may look at; tests put their own in its place. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  executable(file: string): boolean;
}

export type Found = { path: string } | { problem: string };

/**
 * The absolute path of iterion: the setting if there is one, else the first in
 * PATH. Relative folders in PATH are passed over: they would lead into the
 * workspace, which others wrote.
 */
export function findProgram(setting: string, machine: Machine): Found {
  const paths = machine.platform === "win32" ? path.win32 : path.posix;
  if (setting.trim()) {
    const file = setting.trim().replace(/^~(?=[/\\])/, machine.home);
    if (!paths.isAbsolute(file)) {
      return { problem: `The setting iterion.path is "${setting}": it takes an absolute path, or one that begins with ~/.` };
    }
    return machine.executable(file) ? { path: file } : { problem: `The setting iterion.path names ${file}, which is no program.` };
  }
  const name = machine.platform === "win32" ? "iterion.exe" : "iterion";
  const folders = (machine.env.PATH ?? machine.env.Path ?? "").split(paths.delimiter);
  const found = folders
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, name))
    .find((file) => machine.executable(file));
  return found ? { path: found } : { problem: "The program iterion is not in PATH, and the setting iterion.path is empty." };
}

/** Tells whether a file can be started. */
export function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
