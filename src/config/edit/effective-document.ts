/** The effective configuration as one document: overlays merged, variables resolved, and secret values masked. */

import { type Fields, fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import { childrenOf, type Kind } from "../../kinds/kind.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Configuration } from "../load/configuration.ts";

/** Returns every managed list under its key, in the order of the kinds. `mask` stands for values from the environment. */
export function effectiveDocument(
  { managed, declared }: Pick<Configuration, "managed" | "declared">,
  kinds: readonly Kind[],
  mask: string,
): Fields {
  let document: Fields = {};
  for (const kind of kinds.filter(({ parent }) => parent === undefined)) {
    for (const { scope } of managed.filter((list) => list.kind === kind.name)) {
      document = withList(document, pathOf(kind, scope), listOf(kind, scope));
    }
  }
  return document;

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
  const fields = secrets.reduce<Json>((value, pointer) => masked(value, pointer.split("/").slice(1), mask), {
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

function masked(value: Json, [first, ...rest]: readonly string[], mask: string): Json {
  if (first === undefined) return mask;
  const name = first.replaceAll("~1", "/").replaceAll("~0", "~");
  if (isList(value)) return value.map((item, index) => (index === Number(name) ? masked(item, rest, mask) : item));
  if (!isFields(value) || value[name] === undefined) return value;
  return { ...value, [name]: masked(value[name], rest, mask) };
}

/** The path of a list in a file. */
function pathOf({ name, scopes }: Kind, scope: string): readonly string[] {
  const pattern = scopes?.patterns.find((one) => one.includes("*") === (scope !== ""));
  const steps = pattern?.slice(1).split("/") ?? [];
  return [name, ...steps.map((step) => (step === "*" ? scope : step))];
}

function withList(document: Fields, [first = "", ...rest]: readonly string[], list: readonly Json[]): Fields {
  if (rest.length === 0) return { ...document, [first]: list };
  const inner = document[first];
  return { ...document, [first]: withList(fieldsIn(inner), rest, list) };
}
