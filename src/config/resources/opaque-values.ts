/** Findings about values from the environment: they say that a value is wrong, and nothing that depends on what it is (config.md, third part). */

import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import type { DeclaredResource } from "./declared-resource.ts";
import { locationOf } from "./origins.ts";

/** Whether a place is that of a value from the environment. */
export function isOpaqueAt(declared: readonly DeclaredResource[]): (at: Location | undefined) => boolean {
  const places = new Set(
    declared.flatMap(({ secrets, origins }) => secrets.map((pointer) => nameOf(locationOf(origins, pointer)))),
  );
  return (at) => at !== undefined && places.has(nameOf(at));
}

function nameOf({ file, line, column, field }: Location): string {
  return JSON.stringify([file, line, column, field?.address, field?.pointer]);
}

/** The findings, without what a value from the environment is, or could have been. */
export function withOpaqueValues(
  findings: readonly Diagnostic[],
  declared: readonly DeclaredResource[],
): readonly Diagnostic[] {
  if (findings.length === 0) return findings;
  const isOpaque = isOpaqueAt(declared);
  return findings.map((finding) =>
    !WITHOUT_VALUE.has(finding.code) && isOpaque(finding.at) ? opaque(finding) : finding,
  );
}

function opaque({ related: _related, correction: _correction, ...finding }: Diagnostic): Diagnostic {
  return { ...finding, message: MESSAGE, help: HELP };
}

/** The codes that do not depend on what a value is: a variable is refused, or empty. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["E_ENV", "E_EMPTY_STRING"]);
const MESSAGE = "the value from the environment is not allowed here";
const HELP = "Correct the variable. To see what is wrong with a value that is no secret, set it with ${var:…}.";
