/** Findings about values from the environment: they say that a value is wrong, and nothing that depends on what it is (config.md, third part). */

import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { canonical, listIn, pointerIsWithin, stepsOf, valueAt } from "../../core/json.ts";
import type { Violation } from "../schema/violation.ts";
import type { ResolvedValue } from "../values/value.ts";
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

/** The findings, without what a value from the environment is, or could have been: at each such place one error, or nothing. */
export function withOpaqueValues(
  findings: readonly Diagnostic[],
  declared: readonly DeclaredResource[],
): readonly Diagnostic[] {
  if (findings.length === 0) return findings;
  const isOpaque = isOpaqueAt(declared);
  const refused = new Set<string>();
  return findings.flatMap((finding) => {
    const { severity, code, at } = finding;
    if (at === undefined || WITHOUT_VALUE.has(code) || !isOpaque(at)) return [finding];
    if (severity !== "error" || refused.has(nameOf(at))) return [];
    refused.add(nameOf(at));
    return [{ severity, code: "E_ENV", message: MESSAGE, at, help: HELP }];
  });
}

/** The codes that do not depend on what a value is: a variable is refused, or empty. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["E_ENV", "E_EMPTY_STRING"]);
const MESSAGE = "the value from the environment is not allowed here";
const HELP = "Correct the variable. To see what is wrong with a value that is no secret, set it with ${var:…}.";

/** The violation, unless it compares a value from the environment with another one: then that of two other items, if there is one. */
export function opaqueViolation(violation: Violation, { json, secrets }: ResolvedValue): readonly Violation[] {
  const { keyword, pointer } = violation;
  if (keyword !== "uniqueItems" || !secrets.some((secret) => secret.startsWith(`${pointer}/`))) return [violation];
  const stated = listIn(valueAt(json, stepsOf(pointer))).flatMap((item, index) =>
    secrets.some((secret) => pointerIsWithin(secret, `${pointer}/${index}`)) ? [] : [[canonical(item), index] as const],
  );
  const found = stated.flatMap(([item, j], at) => {
    const [, i] = stated.slice(0, at).find(([other]) => other === item) ?? [];
    return i === undefined ? [] : [{ ...violation, params: { i, j } }];
  });
  return found.slice(0, 1);
}
