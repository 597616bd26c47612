/** The unbundled program, so that a profile shows the modules. Needs the built program. */

import { runCommandLine } from "../../build/app/cli/command-line.js";
import { processIo } from "../../build/app/console/process-io.js";

process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
