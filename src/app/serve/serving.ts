/** Common parts of the commands that serve an emulator: its dialects, and the wait for an interruption. */

import { once } from "node:events";
import { misuse } from "../../core/flag-values.ts";
import { type Dialects, parseDialects } from "../../emulator/dialects.ts";
import type { Console } from "../console/console.ts";

/** The dialects of `--dialect name=value`. A wrong one ends the command. */
export function dialectFlags(switches: readonly string[] = []): Partial<Dialects> {
  try {
    return parseDialects(switches);
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

/** Waits for the interruption, after a note that the command serves. */
export async function serveUntil(interrupted: AbortSignal, console: Console): Promise<void> {
  console.note("serving until interrupted (Ctrl+C)");
  if (!interrupted.aborted) await once(interrupted, "abort");
}
