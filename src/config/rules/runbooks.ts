/** Rules of runbooks: inputs and aliases are unique, and placeholders are inputs. */

import type { Findings } from "../../core/findings.ts";
import { isList, objectsIn, textsIn } from "../../core/json.ts";
import { placeholders } from "../../kinds/rows/runbooks.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { locationOf } from "../resources/origins.ts";
import { checkConditions } from "./conditions.ts";
import type { ResourceRule } from "./rule.ts";

/** Checks the inputs, aliases, conditions and placeholders of a runbook. */
export const checkRunbook: ResourceRule = (resource, context) => {
  const { fields } = resource;
  checkConditions(resource, context);
  const keys = objectsIn(fields.inputs).map(({ key }) => String(key));
  refuseRepeated(keys, (index) => `/inputs/${index}/key`, resource, context.findings);
  const aliases = textsIn(fields.aliases).map((alias) => alias.trim().toLowerCase());
  refuseRepeated(aliases, (index) => `/aliases/${index}`, resource, context.findings);
  if (!isList(fields.inputs)) return;
  for (const { at, name } of placeholders(fields.watch, "/watch")) {
    if (keys.includes(name)) continue;
    context.findings.error("E_INPUT", `there is no input "${name}"`, locationOf(resource.origins, at), {
      related: [{ message: "the inputs are listed here", at: locationOf(resource.origins, "/inputs") }],
    });
  }
};

function refuseRepeated(
  names: readonly string[],
  pointer: (index: number) => string,
  { origins }: DeclaredResource,
  findings: Findings,
): void {
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index) continue;
    findings.error("E_DUP", `"${name}" is listed twice`, locationOf(origins, pointer(index)), {
      related: [{ message: "first here", at: locationOf(origins, pointer(first)) }],
    });
  }
}
