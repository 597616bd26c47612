/** Runs before all tests: compiles the validators of the current schemas and the script of the page, even without a build. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function setup(): void {
  for (const script of ["scripts/compile-validators.mjs", "scripts/compile-page.mjs"]) {
    execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  }
}
