/** What creating and updating an entry have in common: a PATCH, the change that people see, an error at its place. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import type { WireFields } from "../../kinds/lookup.ts";
import type { Declared, Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Action, Change, Risk, Unreadable, Warning } from "../plan.ts";
import { type Draft, memberTarget, type Step, withheld } from "./step.ts";

/** What became of one declared entry. */
export interface Keyed {
  /** Absent when nothing differs. */
  readonly draft?: Draft;
  readonly unreadable: readonly Unreadable[];
  readonly warnings: readonly Warning[];
  readonly errors: readonly Diagnostic[];
}

/** One PATCH of an entry, live or just created, with what the service would wipe if it were left out. */
export function patching(
  state: State,
  declared: Declared,
  live: Live | undefined,
  fields: Fields,
  why: string,
  needs: Step[],
): Step {
  const kind = declared.kind;
  const resent = Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
    const value = live?.fields[name] ?? declared.fields[name];
    return field.alwaysSend !== true || name in fields || value === undefined ? [] : [[name, value] as const];
  });
  const encoded = encode(state, declared, { ...fields, ...Object.fromEntries(resent) });
  const naming = kind.endpoint.keyInBody === true ? { [declared.keyField]: declared.key } : {};
  return {
    kind,
    address: declared.address,
    method: "PATCH",
    ...memberTarget(kind, declared.scope, live, declared),
    body: { ...naming, ...encoded },
    sets: fields,
    why,
    late: false,
    needs,
  };
}

/** The fields in the words of the wire. */
export function encode(state: State, declared: Declared, fields: Fields): WireFields {
  const hidden = withheld(declared, fields);
  return declared.kind.codec?.encode?.(hidden, state, declared.scope) ?? hidden;
}

/** A change of a declared entry, for people. */
export function changeOf(
  declared: Declared,
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

/** An error at a field of a declared entry; at the entry itself for an empty pointer. */
export function problem(
  declared: Declared,
  pointer: string,
  code: string,
  message: string,
  help: string | undefined,
): Diagnostic {
  const at = pointer === "" ? declared.at : declared.place(pointer);
  return { severity: "error", code, message, at, ...(help === undefined ? {} : { help }) };
}

/** Names in a row, for people. */
export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
