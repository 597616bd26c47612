/** The program, module by module instead of bundled, so that a profile tells which of them was at work. Needs the built program. */

import { runCommandLine } from "../dist/cli/command-line.js";
import { processIo } from "../dist/output/process-io.js";

process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
