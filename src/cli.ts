#!/usr/bin/env node
/** The program: the command line of this process, and how it ends. */

import { runCommandLine } from "./command-line.ts";
import { EXIT } from "./commands/exit.ts";
import { processIo } from "./commands/process-io.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
// Nobody waits for the answer to what an interrupted run has given up.
if (process.exitCode === EXIT.interrupted) process.exit();
