/** Mentions of entries that the files do not manage: they must exist live, or the request would fail half-way. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Reference } from "../kinds/lookup.ts";
import { optionLabel } from "../kinds/option-label.ts";
import type { Declared } from "../kinds/resource.ts";
import { isConcerned } from "./match.ts";
import type { State } from "./resolved-state.ts";

/** Every mention, in the declared entries that this run may change, of something that is neither declared nor live. */
export function dangling(configuration: Configuration, state: State): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const entry of configuration.declared) {
    if (!isConcerned(configuration, entry)) continue;
    for (const reference of entry.kind.references?.of?.(entry.fields, state, entry.scope) ?? []) {
      if (!exists(state, reference)) found.push(unknown(entry, reference));
    }
  }
  return found;
}

function exists(state: State, { kind, scope, key, option: choice }: Reference): boolean {
  if (choice === undefined) return state.has(kind, key, scope);
  const fields = state.fields(kind, key, scope);
  if (fields === undefined) return false;
  const options = fields.options;
  return !Array.isArray(options) || options.some((option) => optionLabel(option) === choice);
}

function unknown(entry: Declared, { at, kind, key, option: choice }: Reference): Diagnostic {
  const what = choice === undefined ? `${kind}/${key}` : `the option "${choice}" of ${kind}/${key}`;
  return {
    severity: "error",
    code: "E_REF",
    message: `${entry.address} mentions ${what}, which is neither in the files nor in the workspace`,
    at: at === "" ? entry.at : entry.place(at),
    help: "Declare it, or correct the spelling.",
  };
}
