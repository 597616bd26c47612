/**
 * Members of rules that the files cannot have, because only a newer service knows them. They are not compared. Where a rule is written over
 * another one, the service may keep those of the other one.
 */

import { partAt, resourceSchema, type SchemaPart } from "../../config/schema/schema.ts";
import { escapedStep, type Fields, isFields, isList, type Json, withoutMembers } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { Derived } from "../model/plan.ts";
import type { RankedList } from "./requests.ts";
import { pairRules, type RankedStep } from "./rule.ts";

/** The paths of members, with `*` for each place in a list. */
type Shape = ReadonlySet<string>;

/** The paths of all members that some declared rule has. */
export function shapeOf(declared: readonly Fields[]): Shape {
  const paths = new Set<string>();
  const add = (value: Json, path: string): void => {
    if (isList(value)) for (const item of value) add(item, `${path}/*`);
    if (!isFields(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const below = `${path}/${escapedStep(name)}`;
      paths.add(below);
      add(member, below);
    }
  };
  for (const fields of declared) add(fields, "");
  return paths;
}

/** The live rule with the members that files can have, or that a declared rule of the list has all the same. */
export function withKnownMembers(live: LiveResource, declared: Shape): LiveResource {
  const unknown = new Set(unknownMembers(live, declared).map(({ path }) => path));
  return unknown.size === 0 ? live : { ...live, fields: withoutMembers(live.fields, unknown) };
}

/** Members that rules may take over from those that they are written over, though no file declares them. */
export function carriedMembers(
  { answered, declared, declaredFields, liveRules, declaredRules }: RankedList,
  steps: readonly RankedStep[],
): readonly Derived[] {
  const shape = shapeOf(declaredFields);
  const unknown = answered.map((live) => unknownMembers(live, shape));
  if (unknown.every(({ length }) => length === 0)) return [];
  const partners = pairRules(liveRules, declaredRules);
  const lastSteps = new Map(steps.map((step) => [step.row, step]));
  return [...lastSteps.values()].flatMap((step) => {
    if (step.action === "delete" || step.rule.list !== "declared" || partners.get(step.rule.index) === step.row) {
      return [];
    }
    const address = declared[step.rule.index]?.address ?? "";
    const reason = `the rule that was at position ${step.row + 1} has it; no file declares it, and the service may keep it`;
    return (unknown[step.row] ?? []).map(({ path, value }) => ({ address, path, before: null, after: value, reason }));
  });
}

interface Member {
  /** JSON Pointer into the rule. */
  readonly path: string;
  readonly value: Json;
}

/** The members below the fields of a live rule that neither the schema nor a declared rule has. */
function unknownMembers({ kind, fields }: LiveResource, declared: Shape): readonly Member[] {
  const found: Member[] = [];
  const search = (value: Json, schema: SchemaPart | undefined, path: string, shape: string): void => {
    if (schema === undefined) return;
    if (isList(value)) {
      for (const [at, item] of value.entries()) search(item, partAt(schema, "0"), `${path}/${at}`, `${shape}/*`);
    }
    if (!isFields(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const step = escapedStep(name);
      const part = partAt(schema, name);
      const isKnown = part !== undefined || path === "" || schema.part.additionalProperties !== false;
      if (!isKnown && !declared.has(`${shape}/${step}`)) found.push({ path: `${path}/${step}`, value: member });
      else search(member, part, `${path}/${step}`, `${shape}/${step}`);
    }
  };
  search(fields, resourceSchema(kind), "", "");
  return found;
}
