/** References to resources that are neither declared nor live: the request would fail half-way through a run. */

import { listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf, originalText, startOf, templateAt } from "../../config/resources/origins.ts";
import { isIgnored, isLeftAlone } from "../../config/settings/exemptions.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isList } from "../../core/json.ts";
import { Guesses } from "../../core/suggest.ts";
import type { Reference } from "../../kinds/model/lookup.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { slugOfName } from "../../kinds/values/slug.ts";
import { isInScope } from "./match.ts";
import type { ResolvedState } from "./resolved-state.ts";

/** An error for each reference, in the declared resources that this run may change, to a resource that does not exist. */
export function missingReferences(state: ResolvedState): readonly Diagnostic[] {
  const guesses = new Guesses();
  return state.configuration.declared.flatMap((resource) =>
    missingIn(state, resource).map((reference) => missingReference(state, resource, reference, guesses)),
  );
}

/** Whether such a reference is in any of them. */
export function hasMissingReference(state: ResolvedState): boolean {
  return state.configuration.declared.some((resource) => missingIn(state, resource).length > 0);
}

function missingIn(state: ResolvedState, resource: DeclaredResource): readonly Reference[] {
  if (!isInScope(state.configuration, resource)) return [];
  const { parent } = resource.kind;
  // A resource in its parent has it.
  const own = state.listOf(resource).referencesOf(resource.fields);
  const all = parent?.apart === true ? [{ at: "", kind: parent.kind, scope: "", key: resource.scope }, ...own] : own;
  return all.filter((reference) => !exists(state, reference));
}

function exists(state: ResolvedState, { kind, scope, key, option }: Reference): boolean {
  if (option === undefined) return state.has(kind, key, scope);
  const fields = state.fields(kind, key, scope);
  if (fields === undefined) return false;
  const lists = Object.entries(state.kinds.get(kind)?.fields ?? {}).flatMap(([name, { optionList }]) => {
    const options = optionList === true ? fields[name] : undefined;
    return isList(options) ? [options] : [];
  });
  // The service may omit the options of a field.
  return lists.length === 0 || lists.some((options) => options.map(optionLabel).includes(option));
}

function missingReference(
  state: ResolvedState,
  resource: DeclaredResource,
  { at, kind, scope, key, option, elsewhere = [] }: Reference,
  guesses: Guesses,
): Diagnostic {
  const { kinds, configuration } = state;
  const target = kinds.get(kind);
  const known = () => [...(state.live(kind, scope) ?? []), ...state.declaredIn(kind, scope)].map((one) => one.key);
  const prefix = (name: string) => (target === undefined ? `${kind}/` : addressPrefix(target, name));
  const address = prefix(scope) + key;
  const { exemptions } = configuration;
  // An ignored resource is in nobody's files.
  const isAccepted = isLeftAlone(exemptions, address) && !isIgnored(exemptions, address);
  const made = originalText(resource.origins, at);
  const written = made === undefined || made === key ? "" : ` ("${made}")`;
  const missed =
    option !== undefined
      ? `the option "${option}" of ${address}, which is`
      : elsewhere.length > 0
        ? `"${key}" in one of ${[scope, ...elsewhere].map((name) => prefix(name).slice(0, -1)).join(", ")}, but it is there`
        : `${address}${written}, which is`;
  // A list that belongs to what is missing has its own place in the files.
  const place =
    at === "" ? listAt(configuration, resource.kind.name, resource.scope) : locationOf(resource.origins, at);
  const madeAt = at === "" ? undefined : templateAt(resource.origins, at);
  return {
    severity: "error",
    code: "E_REF",
    message: isAccepted
      ? `${resource.address} references ${missed} missing in the workspace, and that is accepted`
      : `${resource.address} references ${missed} neither in the files nor in the workspace`,
    at: place ?? startOf(resource),
    ...(madeAt === undefined ? {} : { madeAt }),
    address: resource.address,
    help: isAccepted
      ? "To create it, delete its item from incidentctl.accepted.json."
      : ((option === undefined ? guesses.guess(made === undefined ? key : slugOfName(made), known) : undefined) ??
        "Declare it, or correct the spelling."),
  };
}
