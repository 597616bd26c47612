/** Parts of creating and updating a resource alike: a PATCH, the change that people see, an error at its place. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import type { WireFields } from "../../kinds/lookup.ts";
import type { DeclaredResource, LiveResource } from "../../kinds/resource.ts";
import type { ResolvedState } from "../../match/resolved-state.ts";
import type { Action, Change, Risk, Unreadable, Warning } from "../plan.ts";
import { type Draft, memberTarget, type Step, withholdSecrets } from "./step.ts";

/** The draft of one declared resource. */
export interface ResourceDraft {
  /** Absent if nothing differs. */
  readonly draft?: Draft;
  readonly unreadable: readonly Unreadable[];
  readonly warnings: readonly Warning[];
  readonly errors: readonly Diagnostic[];
}

/** One PATCH of a resource, live or just created, with the fields that the service would delete if they were omitted. */
export function draftPatch(
  state: ResolvedState,
  declared: DeclaredResource,
  live: LiveResource | undefined,
  fields: Fields,
  why: string,
  needs: Step[],
): Step {
  const { kind } = declared;
  const always = Object.entries(kind.fields ?? {}).flatMap(([name, { alwaysSend }]) => {
    const value = live?.fields[name] ?? declared.fields[name];
    return alwaysSend !== true || name in fields || value === undefined ? [] : [[name, value] as const];
  });
  const encoded = encodeFields(state, declared, { ...fields, ...Object.fromEntries(always) });
  const key = kind.endpoint.keyInBody === true ? { [declared.keyField]: declared.key } : {};
  return {
    kind,
    address: declared.address,
    method: "PATCH",
    ...memberTarget(kind, declared.scope, live, declared),
    body: { ...key, ...encoded },
    sets: fields,
    why,
    phase: "change",
    needs,
  };
}

/** The fields in the words of the wire, without secret values. */
export function encodeFields(state: ResolvedState, declared: DeclaredResource, fields: Fields): WireFields {
  return state.listOf(declared).encode(withholdSecrets(declared, fields));
}

/** A change of a declared resource, for people. */
export function changeOfDeclared(
  declared: DeclaredResource,
  action: Action,
  fields: Change["fields"],
  reason: string,
  risk: Risk,
): Omit<Change, "operations"> {
  const { file, line, column } = declared.at;
  return {
    address: declared.address,
    kind: declared.kind.name,
    action,
    fields,
    reason,
    risk,
    source: { file, line, column },
  };
}

/** An error at a field of a declared resource; at the resource itself for an empty pointer. */
export function fieldProblem(
  declared: DeclaredResource,
  pointer: string,
  code: string,
  message: string,
  help: string | undefined,
): Diagnostic {
  const at = pointer === "" ? declared.at : declared.place(pointer);
  return { severity: "error", code, message, at, ...(help === undefined ? {} : { help }) };
}

/** Values of a write that the service would refuse. `fields`: those that the resource is to have. */
export function rejectedFields(
  state: ResolvedState,
  declared: DeclaredResource,
  fields: Fields,
): readonly Diagnostic[] {
  return state
    .listOf(declared)
    .rejectedFields(fields)
    .map(({ field, message, code = "E_REFUSED", help }) =>
      fieldProblem(declared, `/${field}`, code, `${declared.address}: ${message}`, help),
    );
}

/** Names as people list them: "a", "a and b", "a, b and c". */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
