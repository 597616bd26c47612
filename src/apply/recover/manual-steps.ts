/** What only a person can decide, and the commands that end it, word for word. */

import type { Fields } from "../../core/json.ts";
import { segment } from "../../core/route.ts";
import type { Custody, Operation } from "../../plan/plan.ts";

/** The path of an entry's request below the host; undefined where the row does not tell what it takes. */
export function pathOf(
  template: string | undefined,
  custody: Custody | undefined,
  row: Fields,
  prefix: string | undefined,
): string | undefined {
  const id = custody?.address.map((name) => row[name]).find((value) => typeof value === "string" && value !== "");
  if (template === undefined || typeof id !== "string") return undefined;
  return template.replace("{id}", segment(id)).replace("{prefix}", prefix === undefined ? "" : segment(prefix));
}

/** The command that removes an entry. */
function removal({ custody, admin }: Operation, row: Fields, host: string): string | undefined {
  const path = pathOf(custody?.remove, custody, row, undefined)?.replaceAll("'", "%27");
  const token = admin === true ? `\${INCIDENTCTL_ADMIN_TOKEN:-$INCIDENTCTL_TOKEN}` : "$INCIDENTCTL_TOKEN";
  return path === undefined ? undefined : `curl -X DELETE -H "Authorization: Bearer ${token}" '${host}${path}'`;
}

const KEEP = "incidentctl resume --resolve keep";

/** How to end an entry whose token is in nobody's hands, or to let it be. */
export function endingOf(operation: Operation, row: Fields, host: string): string {
  const command = removal(operation, row, host);
  return command === undefined
    ? "find the entry and revoke its token"
    : `look whether anybody needs it; if not, end it by hand: ${command}; then apply again; if so, let it be: ${KEEP}`;
}

/**
 * How to go on where each of these may be what a lost answer spoke of, and no other entry is. Whoever does what the lines say
 * comes to an end, whichever way is chosen.
 */
export function waysOut(operation: Operation, candidates: readonly Fields[], host: string): readonly string[] {
  if (candidates.length === 0) return [];
  const own = operation.reveals === undefined ? "" : "; this run's is not, since nobody has its token";
  return [
    `keep the one that is in use, if any is${own}; remove every other one:`,
    ...candidates.map((row) => `  ${removal(operation, row, host) ?? JSON.stringify(row)}`),
    `when one is left:   ${KEEP}`,
    "when none is left:  incidentctl resume --resolve resend",
  ];
}
