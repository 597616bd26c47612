/** Steps that a person must take by hand, with the exact commands. */

import type { Fields } from "../../core/json.ts";
import { programLine, type RunWords } from "../../core/sanitise.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { deleteCommand, tokenStorePath } from "../../plan/model/token-paths.ts";

/** The command that removes a row. */
function removeCommand({ custody, admin, query }: Operation, row: Fields, host: string): string | undefined {
  const path = tokenStorePath(custody?.remove, custody, row, undefined);
  return path === undefined ? undefined : deleteCommand(host, path, { admin: admin === true, query });
}

const KEEP = "resume --resolve keep";

/** Returns advice to remove a resource whose token is lost, or to keep it. */
export function revokeAdvice(
  operation: Operation,
  row: Fields,
  { host, words }: { readonly host: string; readonly words: RunWords },
): string {
  const command = removeCommand(operation, row, host);
  return command === undefined
    ? "find it and revoke its token"
    : `check whether it is in use; if not, remove it with ${command} and apply again; if so, keep it with ${programLine(KEEP, words)}`;
}

/**
 * Returns the manual steps, one a line, if each of these rows may come from a write whose response was lost. Every choice that the
 * lines offer resolves the run.
 */
export function manualSteps(
  operation: Operation,
  candidates: readonly Fields[],
  host: string,
  words: RunWords,
): readonly string[] {
  if (candidates.length === 0) return [];
  const own = operation.reveals === undefined ? "" : "; this run's is not, because its token is lost";
  return [
    `keep the one that is in use, if any${own}; remove every other one:`,
    ...candidates.map((row) => `  ${removeCommand(operation, row, host) ?? JSON.stringify(row)}`),
    `if one is left:   ${programLine(KEEP, words)}`,
    `if none is left:  ${programLine("resume --resolve resend", words)}`,
  ];
}
