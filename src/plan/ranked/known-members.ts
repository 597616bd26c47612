/**
 * Members of rules that the files cannot have, because only a newer service knows them. They are not compared. Where a rule is written over
 * another one, the service may keep those of the other one.
 */

import { partAt, resourceSchema, type SchemaPart } from "../../config/schema/schema.ts";
import { escapedStep, type Fields, fieldsIn, isFields, isList, type Json, listIn } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { Derived } from "../model/plan.ts";
import type { RankedList } from "./requests.ts";
import { pairRules, type RankedStep } from "./rule.ts";

/** The live rule with the members that files can have, or that the files have in another rule of the list all the same. */
export function withKnownMembers(live: LiveResource, declared: readonly Fields[]): LiveResource {
  const fields = known(live.fields, resourceSchema(live.kind), declared, false);
  return fields === live.fields ? live : { ...live, fields: fieldsIn(fields) };
}

/** Members that rules may take over from those that they are written over, though no file declares them. */
export function carriedMembers(
  { answered: live, declared, declaredFields, liveRules, declaredRules }: RankedList,
  steps: readonly RankedStep[],
): readonly Derived[] {
  if (live.every((one) => withKnownMembers(one, declaredFields) === one)) return [];
  const partners = pairRules(liveRules, declaredRules);
  const lastSteps = new Map(steps.map((step) => [step.row, step]));
  return [...lastSteps.values()].flatMap((step) => {
    const before = live[step.row];
    if (before === undefined || step.action === "delete" || step.rule.list !== "declared") return [];
    const { index } = step.rule;
    if (partners.get(index) === step.row) return [];
    const reason = `the rule that was at position ${step.row + 1} has it; no file declares it, and the service may keep it`;
    return unknown(before.fields, resourceSchema(before.kind), declaredFields, "").map(({ path, value }) => {
      return { address: declared[index]?.address ?? "", path, before: null, after: value, reason };
    });
  });
}

/** The value with the members that the schema or a declared value at this place has; the value itself if it has no others. At the top, all stay. */
function known(value: Json, schema: SchemaPart | undefined, declared: readonly Json[], isClosed: boolean): Json {
  if (schema === undefined) return value;
  if (isList(value)) {
    const items = value.map((item) => known(item, partAt(schema, "0"), declared.flatMap(listIn), true));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isFields(value)) return value;
  const members = Object.entries(value);
  const kept = members.flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    const part = partAt(schema, name);
    const own = membersIn(declared, name);
    return part === undefined && own.length === 0 && isClosed && isNarrow(schema)
      ? []
      : [[name, known(member, part, own, true)]];
  });
  const isSame = kept.length === members.length && kept.every(([name, member]) => member === value[name]);
  return isSame ? value : Object.fromEntries(kept);
}

/** The members below the fields that neither the schema nor a declared value at their place has, with their JSON Pointers. */
function unknown(
  value: Json,
  schema: SchemaPart | undefined,
  declared: readonly Json[],
  path: string,
): readonly { readonly path: string; readonly value: Json }[] {
  if (schema === undefined) return [];
  if (isList(value)) {
    const items = declared.flatMap(listIn);
    return value.flatMap((item, at) => unknown(item, partAt(schema, "0"), items, `${path}/${at}`));
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const [part, own, below] = [partAt(schema, name), membersIn(declared, name), `${path}/${escapedStep(name)}`];
    if (part !== undefined) return unknown(member, part, own, below);
    return path !== "" && own.length === 0 && isNarrow(schema) ? [{ path: below, value: member }] : [];
  });
}

function membersIn(values: readonly Json[], name: string): readonly Json[] {
  return values.flatMap((value) => (isFields(value) && value[name] !== undefined ? [value[name] ?? null] : []));
}

function isNarrow({ part }: SchemaPart): boolean {
  return part.additionalProperties === false;
}
