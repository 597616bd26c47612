/** Masks values that came from the environment in live resources, by where they come from. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { type Fields, isFields, stepsOf } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { MASK } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { type LiveResource, listName } from "../../kinds/model/resource.ts";
import { secretFields } from "../../plan/ranked/secret-fields.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

/**
 * Returns the fields of a live resource without what the files declare from the environment for it, or have declared at the last apply.
 * A value inside a list masks the whole list, since the live one may have another order.
 */
export function environmentMask(
  state: ResolvedState,
  { declared }: Pick<Configuration, "declared">,
  hashes: LastAppliedHashes,
): (live: LiveResource, fields: Fields) => Fields {
  const secrets = new Map(declared.map((resource) => [resource.address, resource.secrets]));
  const ranked = new Map<LiveResource, ReadonlySet<string>>();
  const listOf = ({ kind, scope }: { readonly kind: { readonly name: string }; readonly scope: string }): string =>
    listName(kind.name, scope);
  const declaredLists = groupBy(declared, listOf);
  for (const kind of kinds.filter(({ lifecycle }) => lifecycle.order === "rank")) {
    for (const [name, list] of groupBy(state.all(kind.name), listOf)) {
      const found = secretFields(kind, list, declaredLists.get(name) ?? [], hashes);
      for (const [at, live] of list.entries()) ranked.set(live, found[at] ?? new Set());
    }
  }
  return (live, fields) => {
    const names = Object.keys(fields);
    const former = names.filter((name) => cameFromEnvironment(hashes, live.address, name));
    const own = ranked.has(live) ? [...(ranked.get(live) ?? [])] : [...former];
    const pointers = ranked.has(live) ? [] : (secrets.get(live.address) ?? []);
    const paths = [...own.map((name) => [name]), ...pointers.map((pointer) => objectSteps(fields, stepsOf(pointer)))];
    return paths.reduce((masked, path) => maskedAt(masked, path), fields);
  };
}

/** The steps of a path that lead through mappings. */
function objectSteps(fields: Fields, steps: readonly string[]): readonly string[] {
  const [step = "", ...rest] = steps;
  const member = fields[step];
  return isFields(member) && rest.length > 0 ? [step, ...objectSteps(member, rest)] : [step];
}

function maskedAt(fields: Fields, path: readonly string[]): Fields {
  const [step = "", ...rest] = path;
  const member = fields[step];
  if (member === undefined) return fields;
  return { ...fields, [step]: rest.length > 0 && isFields(member) ? maskedAt(member, rest) : MASK };
}
