/** Lists, resources and fields that a base declared and the files do not: they are no longer managed, and stay as they are. */

import { flowText, keyText } from "../../config/edit/yaml-writer.ts";
import { type Configuration, listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { listPath } from "../../config/resources/lists.ts";
import { fileOf } from "../../config/resources/origins.ts";
import { partAt, resourceSchema, typesOf } from "../../config/schema/schema.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { escapedStep, fieldsIn, isFields, isList, type Json, objectsIn } from "../../core/json.ts";
import { type Kind, topKindOf } from "../../kinds/model/kind.ts";
import { addressPrefix, listName } from "../../kinds/model/resource.ts";
import { type ComparedList, partnersIn } from "../make/compare-configurations.ts";
import type { Released } from "../model/plan.ts";

/** Lists in the order of the base, then resources and fields in the order of the kinds. */
export function releasedBy(
  base: Configuration,
  configuration: Configuration,
  kinds: readonly Kind[],
  different: readonly ComparedList[],
): readonly Released[] {
  const context = { base, configuration, kinds, byName: new Map(kinds.map((kind) => [kind.name, kind])) };
  const managed = new Set(configuration.managed.map(({ kind, scope }) => listName(kind, scope)));
  const lists = base.managed.flatMap(({ kind: name, scope }) => {
    const kind = context.byName.get(name);
    const isManaged = kind === undefined || managed.has(listName(name, scope)) || goesWithOwner(kind, scope, context);
    return isManaged ? [] : [releasedList(kind, scope, context)];
  });
  const inLists = different.flatMap((list) => {
    const { kind, scope, before, after } = list;
    if (kind.lifecycle.order === "rank" || !managed.has(listName(kind.name, scope))) return [];
    const partners = new Map([...partnersIn(list)].map(([to, from]) => [from, to]));
    return before.flatMap((resource, at) => {
      const partner = after[partners.get(at) ?? -1];
      if (partner === undefined) return releasedResource(resource, context);
      return partner === resource ? [] : releasedFields(resource, partner, context);
    });
  });
  return [...lists, ...inLists];
}

interface Comparison {
  readonly base: Configuration;
  readonly configuration: Configuration;
  readonly kinds: readonly Kind[];
  readonly byName: ReadonlyMap<string, Kind>;
}

/** Whether the list belongs to a resource that goes as well, or that is not managed any more. */
function goesWithOwner(kind: Kind, scope: string, { base, configuration, byName }: Comparison): boolean {
  const owner = byName.get(kind.parent?.kind ?? kind.scopes?.kind ?? "");
  if (owner === undefined || scope === "") return false;
  const isOwner = (one: DeclaredResource): boolean => one.kind === owner && one.key === scope;
  if (configuration.declared.some(isOwner) || !base.declared.some(isOwner)) return false;
  if (kind.parent === undefined) return configuration.managed.some((list) => list.kind === owner.name);
  // A list in a resource that cannot be removed stays.
  return !(staysUnlisted(owner, scope) && configuration.managed.some((list) => list.kind === owner.name));
}

/** Whether a resource stays when it is not declared any more, because the service has no way to remove it. */
function staysUnlisted({ lifecycle }: Kind, key: string): boolean {
  return lifecycle.permanent === true || lifecycle.builtins?.keys.includes(key) === true;
}

function releasedList(kind: Kind, scope: string, context: Comparison): Released {
  const { base } = context;
  const own = base.declared.filter((resource) => resource.kind.name === kind.name && resource.scope === scope);
  const file = listAt(base, kind.name, scope)?.file;
  return {
    address: addressPrefix(kind, scope).slice(0, -1),
    resources: own.length,
    because: becauseOf(file, context),
    edit: listEdit(kind, scope, context),
    ...(file === undefined ? {} : { file }),
  };
}

/** A resource of a managed list that the plan does not remove. */
function releasedResource(resource: DeclaredResource, context: Comparison): readonly Released[] {
  const { kind, address, key } = resource;
  const file = fileOf(resource);
  const place = { address, file };
  if (staysUnlisted(kind, key)) {
    return [{ ...place, because: `${becauseOf(file, context)}, and the service cannot remove it` }];
  }
  if (removalPolicyOf(context.configuration.settings, kind) !== "keep") return [];
  const edit = `removal: { ${keyText(topKindOf(kind))}: disable_or_delete }`;
  return [{ ...place, because: `${becauseOf(file, context)}, and the settings keep it`, edit }];
}

/** The fields, and the values and items in them, that only the base declares. */
function releasedFields(before: DeclaredResource, after: DeclaredResource, context: Comparison): readonly Released[] {
  const { kind, address, key } = before;
  const file = fileOf(before);
  const because = becauseOf(file, context);
  const released = (steps: readonly string[], edit: string | undefined): Released => ({
    address,
    path: steps.map((step) => `/${escapedStep(step)}`).join(""),
    because,
    ...(edit === undefined ? {} : { edit }),
    file,
  });
  const valueFields = new Set(
    context.kinds.flatMap(({ fields = {} }) =>
      Object.values(fields).flatMap(({ keyedItems }) => (keyedItems?.kind === kind.name ? [keyedItems.values] : [])),
    ),
  );
  const isLabel = (name: string): boolean => kind.identity.labels?.includes(name) === true;
  const isOwn = (name: string): boolean =>
    name !== before.keyField && name !== kind.lifecycle.disable && !isLabel(name);
  return Object.entries(before.fields).flatMap(([name, value]): readonly Released[] => {
    const now = after.fields[name];
    if (value === null || !isOwn(name)) return [];
    if (now === undefined && !valueFields.has(name)) return [released([name], fieldEdit(kind, name, value))];
    if (valueFields.has(name)) {
      const left = Object.entries(fieldsIn(value)).filter(([step, one]) => one !== null && !(step in fieldsIn(now)));
      return left.map(([step]) => released([name, step], `${keyText(name)}: { ${keyText(step)}: null }`));
    }
    const { keyedItems } = kind.fields?.[name] ?? {};
    if (keyedItems === undefined || !staysUnlisted(kind, key)) return [];
    const kept = new Set(objectsIn(now).map(keyedItems.keyOf));
    const gone = objectsIn(value).map(keyedItems.keyOf);
    return gone.filter((item) => !kept.has(item)).map((item) => released([name, item], undefined));
  });
}

/** The line that empties a field; undefined if it cannot be empty. */
function fieldEdit(kind: Kind, name: string, value: Json): string | undefined {
  if (isList(value)) return `${keyText(name)}: []`;
  if (isFields(value)) return undefined;
  return typesOf(partAt(resourceSchema(kind), name)).includes("null") ? `${keyText(name)}: null` : undefined;
}

/** The line that declares that a list is empty. */
function listEdit(kind: Kind, scope: string, { byName }: Comparison): string {
  const parent = byName.get(kind.parent?.kind ?? "");
  if (parent === undefined || kind.parent === undefined) return lineOf(listPath(kind, scope), []);
  const [key = ""] = parent.identity.keys;
  return lineOf(listPath(parent, ""), [{ [key]: scope, [kind.parent.field]: [] }]);
}

function lineOf(path: readonly string[], value: Json): string {
  const [first = "", ...rest] = path;
  const below = rest.reduceRight<Json>((inner, step) => ({ [step]: inner }), value);
  return `${keyText(first)}: ${flowText(below)}`;
}

function becauseOf(file: string | undefined, { configuration }: Comparison): string {
  if (file === undefined) return "the files do not declare it any more";
  return file in configuration.files ? `${file} does not declare it any more` : `${file} is gone`;
}
