/** Errors in words: what went wrong, where, the service's request id, and the place in the files that it is about. */

import { ApprovalPending, ServiceError } from "../api/read/service-error.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { InvalidConfiguration, type Location } from "../core/diagnostic.ts";
import { EXIT, exitCodeOf, Stop } from "../core/exit-codes.ts";
import { sanitised } from "../core/sanitise.ts";
import { diagnosticsText } from "../report/findings/text.ts";
import type { Console } from "./console.ts";

/** Tells an error that ended a command, and gives the exit code. */
export function report(error: unknown, console: Console, debug: boolean): number {
  if (error instanceof InvalidConfiguration) {
    console.alert(diagnosticsText(error.diagnostics, console.noteStyle, error.lines).trimEnd());
    return EXIT.error;
  }
  for (const line of wordsFor(error)) console.alert(line);
  if (debug && error instanceof Error && error.stack !== undefined) {
    console.alert(
      error.stack
        .split("\n    at ")
        .slice(1)
        .map((frame) => `    at ${sanitised(frame)}`)
        .join("\n"),
    );
  }
  return exitCodeOf(error);
}

/** Tells the warnings of a configuration. */
export function warn(configuration: Configuration, console: Console): void {
  if (configuration.warnings.length === 0) return;
  const lines = (file: string) => configuration.lines(file);
  console.note(diagnosticsText(configuration.warnings, console.noteStyle, lines).trimEnd());
}

/** The error on one or more lines, each safe to show. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof ServiceError) {
    const { asked, status, type, message, requestId, errors } = error;
    const kind = type === undefined ? "" : ` ${type}`;
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    return [
      sanitised(`the service answered ${asked.method} ${asked.path} with ${status}${kind}: ${message}${id}`),
      ...errors.map(({ field, message: why }) => sanitised(field === undefined ? why : `${field}: ${why}`)),
    ];
  }
  if (error instanceof ApprovalPending) {
    return [sanitised(`${error.asked.method} ${error.asked.path} waits for approval ${error.approvalId}`)];
  }
  // A message of ours may have several lines; what others threw is one line at most.
  if (error instanceof Stop) return error.message.split("\n").map(sanitised);
  return [sanitised(error instanceof Error ? error.message : String(error))];
}

/** The same, for an entry of the configuration: a refused field is shown with its place in the files. */
export function explainer(configuration: Configuration): (error: Error, address: string) => readonly string[] {
  const entries = new Map(configuration.declared.map((entry) => [entry.address, entry]));
  return (error, address) => {
    const entry = entries.get(address);
    if (!(error instanceof ServiceError) || entry === undefined) return explain(error);
    const [head = "", ...fields] = explain(error);
    const places = error.errors.map(({ field }) => (field === undefined ? entry.at : entry.place(`/${field}`)));
    return [head, ...fields.map((line, at) => `${placeOf(places[at] ?? entry.at)}: ${line}`)];
  };
}

function wordsFor(error: unknown): readonly string[] {
  const [first = "", ...rest] = explain(error);
  return [`error: ${first}`, ...rest.map((line) => `  ${line}`)];
}

function placeOf({ file, line, column }: Location): string {
  return `${sanitised(file)}:${line}:${column}`;
}
