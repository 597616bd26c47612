/** The changes of a ranked list that a plan shows: updated, moved, created and deleted rules, independent of the writes. */

import { removalReason } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { startOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import { longestIncreasing } from "../../core/lists.ts";
import { MASK } from "../../core/value-text.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import { isSameValue } from "../../kinds/values/same-value.ts";
import type { Change, FieldChange, RankedTransition } from "../model/plan.ts";
import type { RankedList } from "./requests.ts";
import { pairRules, type RankedRule } from "./rule.ts";

/** A change and the indexes of its rule in the two lists: the writes of the declared rule and the deletion of the live one belong to it. */
export interface RuleChange {
  readonly change: Omit<Change, "operations">;
  readonly declared?: number;
  readonly live?: number;
  /** Every alert certainly keeps its outcome. */
  readonly keepsOutcomes?: true;
}

/** The changes of a list: those of the declared rules in their order, then the deletions. */
export function ruleChanges(
  { state, kind, scope, live, answered, declared, declaredFields, secret }: RankedList,
  partners: ReadonlyMap<number, number>,
): readonly RuleChange[] {
  const unmoved = unmovedIndexes(partners);
  const changes: RuleChange[] = [];
  declared.forEach((resource, index) => {
    const partner = partners.get(index);
    const before = partner === undefined ? undefined : live[partner];
    const fields = fieldChanges(before, resource, declaredFields[index] ?? {}, secret[partner ?? -1]);
    if (before !== undefined && fields.length === 0 && unmoved.has(index)) return;
    const base = {
      address: resource.address,
      ...visibleLabel(resource, resource.secrets),
      kind: kind.name,
      source: sourcePlace(startOf(resource)),
      ...(before !== undefined && unmoved.has(index) ? {} : { neighbours: neighbours(declared, index) }),
      fields,
    };
    const add = (action: "create" | "update" | "move", reason: string) => {
      const rules = { declared: index, ...(partner === undefined ? {} : { live: partner }) };
      changes.push({ change: { ...base, action, reason, risk: "attention" }, ...rules });
    };
    if (before === undefined) add("create", "new in this scope");
    else if (fields.length > 0) add("update", "the rule differs");
    else add("move", moveReason(partner ?? 0, index));
  });
  const paired = new Set(partners.values());
  answered.forEach((resource, index) => {
    if (paired.has(index)) return;
    const fields = Object.keys(kind.fields ?? {}).map((name): FieldChange => {
      const path = `/${name}`;
      if (secret[index]?.has(name) === true) return { path, before: MASK, after: null, secret: true };
      return { path, before: resource.fields[name] ?? null, after: null };
    });
    changes.push({
      change: {
        address: addressOf(kind, scope, resource.key),
        kind: kind.name,
        action: "delete",
        fields,
        reason: removalReason(state.configuration),
        risk: "attention",
      },
      live: index,
    });
  });
  return changes;
}

/** The rules of both lists with their positions: the declared ones in their order, then those that are deleted. */
export function listOrder(
  { live, declared }: RankedList,
  partners: ReadonlyMap<number, number>,
): NonNullable<RankedTransition["order"]> {
  const paired = new Set(partners.values());
  return [
    ...declared.map((resource, index) => ({
      name: nameOf(resource, resource.secrets),
      before: (partners.get(index) ?? -1) + 1 || null,
      after: index + 1,
    })),
    ...live.flatMap((resource, index) =>
      paired.has(index) ? [] : [{ name: nameOf(resource, []), before: index + 1, after: null }],
    ),
  ];
}

/** A rule that others pass on both sides can move and have the same position. */
function moveReason(from: number, to: number): string {
  return from === to
    ? `stays at position ${to + 1} while the rules around it change places`
    : `moves from position ${from + 1} to ${to + 1}`;
}

/** Declared index → live index, as a reader sees it: the rules that pair, and of the others those at the same position. */
export function pairForReaders(
  live: readonly RankedRule[],
  declared: readonly RankedRule[],
): ReadonlyMap<number, number> {
  const partners = pairRules(live, declared);
  const paired = new Set(partners.values());
  for (const index of declared.keys()) {
    if (index < live.length && !partners.has(index) && !paired.has(index)) partners.set(index, index);
  }
  return partners;
}

function fieldChanges(
  before: LiveResource | undefined,
  resource: DeclaredResource,
  declared: Fields,
  secret: ReadonlySet<string> | undefined,
): readonly FieldChange[] {
  return Object.entries(declared).flatMap(([name, value]): readonly FieldChange[] => {
    const old = before?.fields[name] ?? null;
    if (before !== undefined && isSameValue(old, value)) return [];
    const isSecret = resource.secrets.some((at) => at.startsWith(`/${name}`)) || secret?.has(name) === true;
    return [
      {
        path: `/${name}`,
        before: isSecret ? MASK : old,
        after: isSecret ? MASK : value,
        ...(isSecret ? { secret: true as const } : {}),
      },
    ];
  });
}

function neighbours(declared: readonly DeclaredResource[], index: number): NonNullable<Change["neighbours"]> {
  const [before, after] = [declared[index - 1], declared[index + 1]];
  return {
    ...(before === undefined ? {} : { before: nameOf(before, before.secrets) }),
    ...(after === undefined ? {} : { after: nameOf(after, after.secrets) }),
  };
}

/** The name of a rule; its address if it has none or a secret one. */
export function nameOf(resource: DeclaredResource | LiveResource, secrets: readonly string[]): string {
  return visibleLabel(resource, secrets).label ?? resource.address;
}

/** The name of a rule in the configuration, unless it is secret. */
function visibleLabel(
  { kind, fields }: DeclaredResource | LiveResource,
  secrets: readonly string[],
): { readonly label?: string } {
  const [field = ""] = kind.identity.labels ?? [];
  const label = fields[field];
  return typeof label === "string" && !secrets.includes(`/${field}`) ? { label } : {};
}

/** The indexes whose partners are in the same order; the others have moved. */
export function unmovedIndexes(partners: ReadonlyMap<number, number>): ReadonlySet<number> {
  const pairs = [...partners].sort(([left], [right]) => left - right);
  return new Set(longestIncreasing(pairs.map(([, partner]) => partner)).map((at) => pairs[at]?.[0] ?? 0));
}
