/** The command line of this process, and how it ends. */

import { EXIT } from "../core/exit-codes.ts";
import { endOnFaults, processIo } from "../output/process-io.ts";
import { runCommandLine } from "./command-line.ts";

/** Runs the command that the arguments of the process name. */
export async function runProgram(): Promise<void> {
  const io = processIo();
  endOnFaults(io.stderr);
  process.exitCode = await runCommandLine(process.argv.slice(2), io);
  // Nobody waits for the answer to what an interrupted run has given up.
  if (process.exitCode === EXIT.interrupted) process.exit();
}
