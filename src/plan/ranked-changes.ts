/** What people see of a ranked list's transition: rules that changed, moved, came and went, whatever requests that takes. */

import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../kinds/resource.ts";
import { MASK } from "./compare.ts";
import { longestRun } from "./places.ts";
import type { Change, FieldChange, RankedTransition } from "./plan.ts";
import type { RankedStep, Rule } from "./ranked.ts";
import { agree } from "./rule.ts";

/** A change, and which requests of the transition bring it about. */
export interface Row {
  readonly change: Omit<Change, "operations">;
  readonly take: (step: RankedStep) => boolean;
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
    const source = { file: entry.at.file, line: entry.at.line, column: entry.at.column };
    const neighbours = neighbour(declared, index);
    const fields = differences(found, entry, wanted[index] ?? {});
    const base = {
      address: entry.address,
      ...labelled(entry, entry.secrets),
      kind: kind.name,
      source,
      neighbours,
      fields,
    };
    const take = (step: RankedStep) =>
      step.does === "delete" ? step.row === match : step.text.of === "declared" && step.text.rule === index;
    if (found === undefined)
      rows.push({
        change: { ...base, action: "create", reason: "new in this scope", risk: "attention" },
        take,
      });
    else if (fields.length > 0)
      rows.push({ change: { ...base, action: "update", reason: "the rule differs", risk: "attention" }, take });
    else if (!kept.has(index))
      rows.push({
        change: {
          ...base,
          action: "move",
          reason: moved(match ?? 0, index),
          risk: "attention",
        },
        take,
      });
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
      take: (step) => step.does === "delete" && step.row === index,
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
  const pair = (alike: (left: Rule, right: Rule, sameIndex: boolean) => boolean) => {
    after.forEach((rule, index) => {
      if (partner.has(index)) return;
      const found = before.findIndex((candidate, at) => !taken.has(at) && alike(candidate, rule, at === index));
      if (found < 0) return;
      partner.set(index, found);
      taken.add(found);
    });
  };
  pair((left, right, there) => there && left.match === right.match && left.outcome === right.outcome);
  pair((left, right) => left.match === right.match && left.outcome === right.outcome);
  pair((left, right) => left.match === right.match);
  pair((_left, _right, there) => there);
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
