/** Errors on standard error: the cause, the service's request id, and the place in the configuration. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { linesOf } from "../../config/resources/configuration.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { exitCodeOf, Stop } from "../../core/exit-codes.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { TransportError } from "../../service/http/transport-error.ts";
import { ApprovalPending, ServiceError } from "../../service/requests/service-error.ts";
import { diagnosticsText } from "../../view/findings/text.ts";
import { shorten } from "../../view/format/shorten.ts";
import type { Console } from "./console.ts";

/** Lines about an error before the rest is counted. */
const MAX_DETAILS = 20;

/** Prints the error that ended a command; returns the exit code. */
export function reportError(error: unknown, console: Console, debug: boolean): number {
  if (error instanceof InvalidConfiguration) {
    console.alert(diagnosticsText(error.diagnostics, console.noteStyle, error.lines).trimEnd());
    return error.exitCode;
  }
  for (const line of errorLines(error, console.noteStyle.verbose)) console.alert(line);
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

/** Prints the warnings of a configuration. */
export function reportWarnings(configuration: Configuration, console: Console): void {
  if (configuration.warnings.length === 0) return;
  const lines = (file: string) => linesOf(configuration, file);
  console.note(diagnosticsText(configuration.warnings, console.noteStyle, lines).trimEnd());
}

/** The message of an error, in one or more sanitised lines. */
export function explainError(error: unknown): readonly string[] {
  if (error instanceof ServiceError) {
    const { request, status, type, message, requestId, errors } = error;
    const kind = type === undefined ? "" : ` ${type}`;
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    return [
      sanitised(`the service responded to ${request.method} ${request.path} with ${status}${kind}: ${message}${id}`),
      ...errors.map(({ field, message: why }) => sanitised(field === undefined ? why : `${field}: ${why}`)),
    ];
  }
  if (error instanceof ApprovalPending) {
    return [sanitised(`${error.request.method} ${error.request.path} waits for approval ${error.approvalId}`)];
  }
  if (error instanceof TransportError) return [sanitised(error.message), sanitised(error.advice)];
  // Only messages of this program may have several lines.
  if (error instanceof Stop) return error.message.split("\n").map(sanitised);
  return [sanitised(error instanceof Error ? error.message : String(error))];
}

/** The message of an error, in one sentence. */
export function problemOf(error: unknown): string {
  if (error instanceof InvalidConfiguration) {
    const errors = error.diagnostics.filter(({ severity }) => severity === "error");
    return `the configuration has ${counted(errors.length, "error")}`;
  }
  return explainError(error)[0] ?? "";
}

function errorLines(error: unknown, verbose: boolean): readonly string[] {
  const [first = "", ...all] = explainError(error);
  const shown = verbose
    ? all
    : shorten(all, MAX_DETAILS, (more) => `… and ${counted(more, "more line")}; --verbose shows all`);
  return [`error: ${first}`, ...shown.map((line) => `  ${line}`)];
}
