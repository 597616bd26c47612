/** Writes a file whole or not at all, readable by nobody else where nobody says otherwise. */

import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { EXIT, Stop } from "../core/exit-codes.ts";

/** Writes the text beside the path, makes it durable and renames it into place. */
export async function save(path: string, text: string, cwd: string, mode = 0o600): Promise<void> {
  const target = resolve(cwd, path);
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Stop(EXIT.error, `cannot write ${path}: ${reasonOf(error)}`);
  }
}

/** Why the file system refused, in one word or sentence; which call it was, and on which path, the caller says better. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^E[A-Z]+: (.*?), [a-z]+\b.*$/s, "$1");
}
