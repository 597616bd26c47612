/** `version`: prints the name and the version. */

import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import type { ConsoleOptions } from "../console/console.ts";

/** Prints the name and the version. */
export function printVersion(_options: ConsoleOptions, io: Io): number {
  io.stdout.write(`incidentctl ${version}\n`);
  return 0;
}
