/** Writes a file atomically, readable for its owner alone by default. */

import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { syncFile } from "../../core/file-system.ts";

/** Writes the text to a temporary file beside the path, syncs it to disk and renames it. Ends the command if that fails. */
export async function saveFile(path: string, text: string, cwd: string, mode = 0o600): Promise<void> {
  const target = resolve(cwd, path);
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(text);
      await syncFile(file);
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Stop(EXIT.error, `cannot write ${path}: ${reasonOf(error)}`);
  }
}

/** The reason of a file system error, without its code, call and path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^E[A-Z]+: (.*?), [a-z]+\b.*$/s, "$1");
}
