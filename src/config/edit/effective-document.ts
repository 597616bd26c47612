/** The effective configuration as one document: overlays merged, variables resolved, and secret values masked. */

import { type Fields, fieldsIn, type Json, stepsOf, valueAt, withValueAt } from "../../core/json.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import type { Configuration, ManagedList } from "../resources/configuration.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { listPath } from "../resources/lists.ts";

/** Returns every managed list under its key, in the order of the kinds. `mask` stands for values from the environment. */
export function effectiveDocument(
  { managed, declared }: Pick<Configuration, "managed" | "declared">,
  kinds: readonly Kind[],
  mask: string,
): Fields {
  let document: Json = {};
  for (const kind of kinds.filter(({ parent }) => parent === undefined)) {
    for (const { scope } of managed.filter((list) => list.kind === kind.name)) {
      document = withValueAt(document, listPath(kind, scope), listOf(kind, scope));
    }
  }
  const isNested = ({ scope }: ManagedList, parent: string): boolean =>
    declared.some((resource) => resource.kind.name === parent && resource.key === scope);
  for (const kind of kinds.filter(({ parent }) => parent?.apart === true)) {
    const { parent: { kind: parent } = { kind: "" } } = kind;
    for (const list of managed.filter((one) => one.kind === kind.name && !isNested(one, parent))) {
      document = withValueAt(document, listPath(kind, list.scope), listOf(kind, list.scope));
    }
  }
  return fieldsIn(document);

  function listOf(kind: Kind, scope: string): readonly Json[] {
    return declared
      .filter((resource) => resource.kind.name === kind.name && resource.scope === scope)
      .map((resource) => ({ ...ownFields(resource, mask), ...nestedLists(resource) }));
  }

  function nestedLists({ kind, key }: DeclaredResource): Fields {
    const lists = childrenOf(kinds, kind)
      .filter(({ name }) => managed.some((list) => list.kind === name && list.scope === key))
      .map((child) => [child.parent?.field ?? "", listOf(child, key)] as const);
    return Object.fromEntries(lists);
  }
}

/** The fields of a resource as a file can declare them. */
function ownFields(resource: DeclaredResource, mask: string): Fields {
  const { kind, key, keyField, extra, pin, renamedFrom, secrets } = resource;
  const fields = secrets
    .map(stepsOf)
    .reduce<Json>((value, steps) => (valueAt(value, steps) === undefined ? value : withValueAt(value, steps, mask)), {
      ...(keyField === "" ? {} : { [keyField]: key }),
      ...resource.fields,
    });
  const own = Object.entries(fieldsIn(fields));
  const more = own.filter(([name]) => extra.includes(name));
  return {
    ...Object.fromEntries(own.filter(([name]) => !extra.includes(name))),
    ...(pin === undefined || kind.identity.pin === undefined ? {} : { [kind.identity.pin]: pin }),
    ...(renamedFrom === undefined ? {} : { renamed_from: renamedFrom }),
    ...(resource.protected ? { protected: true } : {}),
    ...(more.length === 0 ? {} : { extra: Object.fromEntries(more) }),
  };
}
