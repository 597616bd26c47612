/** The result of `drift accept` as text. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, fieldPath } from "../../core/value-text.ts";
import type { AcceptedDrift } from "../../plan/drift/accept.ts";
import type { Acceptance } from "../../plan/drift/drift.ts";

/** The differences that are accepted from now on, and the acceptances that were removed from the file. */
export function acceptedText({ accepted, removed }: AcceptedDrift, until: string, file: string): string {
  const lines = [
    `${counted(accepted.length, "difference")} accepted until ${until}, in ${file}:`,
    ...accepted.map(line),
    ...(removed.length === 0 ? [] : ["", "Removed, because there is no difference any more:", ...removed.map(line)]),
  ];
  return `${lines.join("\n")}\n`;
}

function line({ address, path }: Acceptance): string {
  return `  ${sanitised(address)}${path === "" ? "" : `  ${fieldPath(path)}`}`;
}
