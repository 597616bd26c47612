/** Before any test: the validators are those of the schemas as they are now, also where nothing has been built yet. */

import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["scripts/compile-validators.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
}
