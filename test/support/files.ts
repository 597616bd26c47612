/** A folder with some files, for as long as a test looks at it. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Writes the files into a folder of their own, and removes it when the work is done. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-files-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
