/** What people see of a ranked list's transition: rules that changed, moved, came and went, whatever requests that takes. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../../kinds/resource.ts";
import { MASK } from "../diff/compare.ts";
import { longestRun } from "../order/reorder.ts";
import type { Change, FieldChange, RankedTransition } from "../plan.ts";
import { agree } from "./rule.ts";
import type { Rule } from "./rule-list.ts";

/** A change, and the rules that it is about by their places: requests that write the one, or delete the other, bring it about. */
export interface Row {
  readonly change: Omit<Change, "operations">;
  readonly declared?: number;
  readonly live?: number;
}

/** What people see: rules that changed, moved, came and went, whatever requests that takes. */
export function changesOf(
  kind: Kind,
  scope: string,
  live: readonly Live[],
  declared: readonly Declared[],
  wanted: readonly Fields[],
  before: readonly Rule[],
  after: readonly Rule[],
): readonly Row[] {
  const partner = pairs(before, after);
  const taken = new Set(partner.values());
  const kept = standing(partner);
  const rows: Row[] = [];
  after.forEach((_rule, index) => {
    const entry = declared[index];
    if (entry === undefined) return;
    const match = partner.get(index);
    const found = match === undefined ? undefined : live[match];
    const fields = differences(found, entry, wanted[index] ?? {});
    if (found !== undefined && fields.length === 0 && kept.has(index)) return;
    const base = {
      address: entry.address,
      ...labelled(entry, entry.secrets),
      kind: kind.name,
      source: { file: entry.at.file, line: entry.at.line, column: entry.at.column },
      neighbours: neighbour(declared, index),
      fields,
    };
    const told = (action: "create" | "update" | "move", reason: string) => {
      const about = { declared: index, ...(match === undefined ? {} : { live: match }) };
      rows.push({ change: { ...base, action, reason, risk: "attention" }, ...about });
    };
    if (found === undefined) told("create", "new in this scope");
    else if (fields.length > 0) told("update", "the rule differs");
    else told("move", moved(match ?? 0, index));
  });
  live.forEach((entry, index) => {
    if (taken.has(index)) return;
    const fields = Object.keys(kind.fields ?? {}).map((name) => ({
      path: `/${name}`,
      before: entry.fields[name] ?? null,
      after: null,
    }));
    rows.push({
      change: {
        address: addressOf(kind, scope, entry.key),
        kind: kind.name,
        action: "delete",
        fields,
        reason: "not in the files",
        risk: "attention",
      },
      live: index,
    });
  });
  return rows;
}

/** The rules of both lists with their places: those that stay or come in the new order, then those that go. */
export function orderOf(
  live: readonly Live[],
  declared: readonly Declared[],
  before: readonly Rule[],
  after: readonly Rule[],
): NonNullable<RankedTransition["order"]> {
  const partner = pairs(before, after);
  const taken = new Set(partner.values());
  return [
    ...declared.map((entry, index) => ({
      name: called(entry, entry.secrets),
      before: (partner.get(index) ?? -1) + 1 || null,
      after: index + 1,
    })),
    ...live.flatMap((entry, index) =>
      taken.has(index) ? [] : [{ name: called(entry, []), before: index + 1, after: null }],
    ),
  ];
}

/** Where a rule moves; one that others change sides with may keep its number. */
function moved(from: number, to: number): string {
  return from === to
    ? `it stays rule ${to + 1}, and others change sides with it`
    : `it is rule ${from + 1} and is to be rule ${to + 1}`;
}

/** Declared rule → live rule: equal ones first, then those that match the same, then those at the same place. */
function pairs(before: readonly Rule[], after: readonly Rule[]): ReadonlyMap<number, number> {
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (index: number, found: number) => {
    partner.set(index, found);
    taken.add(found);
  };
  const pairByPlace = (alike: (left: Rule, right: Rule) => boolean) => {
    after.forEach((rule, at) => {
      const left = before[at];
      if (left !== undefined && !partner.has(at) && !taken.has(at) && alike(left, rule)) pair(at, at);
    });
  };
  const pairBy = (key: (rule: Rule) => string) => {
    /** From the bottom up, so that the last of a list is the first of its rules. */
    const left = new Map<string, number[]>();
    for (const [at, rule] of [...before.entries()].reverse()) {
      if (taken.has(at)) continue;
      const alike = left.get(key(rule));
      if (alike === undefined) left.set(key(rule), [at]);
      else alike.push(at);
    }
    after.forEach((rule, index) => {
      const found = partner.has(index) ? undefined : left.get(key(rule))?.pop();
      if (found !== undefined) pair(index, found);
    });
  };
  pairByPlace((left, right) => left.match === right.match && left.outcome === right.outcome);
  pairBy(({ match, outcome }) => JSON.stringify([match, outcome]));
  pairBy(({ match }) => match);
  pairByPlace(() => true);
  return partner;
}

function differences(found: Live | undefined, entry: Declared, wanted: Fields): readonly FieldChange[] {
  return Object.entries(wanted).flatMap(([name, value]): readonly FieldChange[] => {
    const before = found?.fields[name] ?? null;
    if (found !== undefined && agree(before, value)) return [];
    const secret = entry.secrets.some((pointer) => pointer.startsWith(`/${name}`));
    return [
      {
        path: `/${name}`,
        before: secret ? MASK : before,
        after: secret ? MASK : value,
        ...(secret ? { secret: true as const } : {}),
      },
    ];
  });
}

function neighbour(
  declared: readonly Declared[],
  index: number,
): { readonly before?: string; readonly after?: string } {
  const name = (at: number) => {
    const entry = declared[at];
    return entry === undefined ? undefined : called(entry, entry.secrets);
  };
  const before = name(index - 1);
  const after = name(index + 1);
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The name of a rule; its address where it has none, or one that is secret. */
function called(entry: Declared | Live, secrets: readonly string[]): string {
  return labelled(entry, secrets).label ?? entry.address;
}

/** What the files call a rule, unless it is secret. */
function labelled({ fields }: Declared | Live, secrets: readonly string[]): { readonly label?: string } {
  return typeof fields.name === "string" && !secrets.includes("/name") ? { label: fields.name } : {};
}

/** Declared rules whose partners stand in rising order: the others have moved. */
function standing(partner: ReadonlyMap<number, number>): ReadonlySet<number> {
  const matched = [...partner].sort(([left], [right]) => left - right);
  return new Set(longestRun(matched.map(([, at]) => at)).map((index) => matched[index]?.[0] ?? 0));
}
