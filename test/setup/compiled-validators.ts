/** Runs before all tests: compiles the validators of the current schemas, even without a build. */

import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["scripts/compile-validators.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
}
