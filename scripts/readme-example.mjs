/** The readme's example, and what the built program prints for it. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The output of the program, with these arguments, in a folder that holds the example. */
export function runOnExample(args) {
  const [, example = ""] = /```yaml\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "incidentctl-picture-"));
  try {
    writeFileSync(join(folder, "severities.yaml"), example);
    const env = { PATH: process.env.PATH, FORCE_COLOR: "1", COLUMNS: "100" };
    return execFileSync(process.execPath, [join(root, "dist", "cli.cjs"), ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
