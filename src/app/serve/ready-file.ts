/** The ready file: the address and the tokens of a running emulator, for programs that start one and wait for it. */

import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { saveFile } from "../console/save-file.ts";

/** The content of a ready file. */
export interface ReadyState {
  readonly url: string;
  readonly token: string;
  readonly admin_token: string;
  /** Absent without a control surface. */
  readonly control_key?: string;
  /** The process that serves. */
  readonly pid: number;
}

/** Writes the file at once and as a whole, readable for its owner alone. Returns a function that removes it. */
export async function writeReadyFile(path: string, state: ReadyState, cwd: string): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  await saveFile(path, text, cwd);
  return async () => {
    // Another emulator may have written the file since.
    const current = await readFile(resolve(cwd, path), "utf8").catch(() => "");
    if (current === text) await rm(resolve(cwd, path), { force: true });
  };
}
