/** The requests of a ranked list's transition: which row each reaches, what it sends, and what must stand there before. */

import type { Fields, Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { Pending, type Wire, type WireFields, Withheld } from "../../kinds/lookup.ts";
import { addressOf, type Declared, type Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import { creationTarget, memberTarget, type Step, withheld } from "../diff/step.ts";
import type { RankedStep, Rule, Text } from "./rule-list.ts";

/** One scope and its two lists. */
export interface RankedScope {
  readonly state: State;
  readonly kind: Kind;
  readonly scope: string;
  readonly live: readonly Live[];
  readonly declared: readonly Declared[];
  /** The declared rules, whole. */
  readonly wanted: readonly Fields[];
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  readonly around: { readonly holding?: Fields };
}

/** A step of the transition, and the request that it is. */
export interface Request {
  readonly step: RankedStep;
  readonly request: Step;
}

/** What stands in a row at a moment of the plan. */
interface Standing {
  readonly text: Text;
  /** What the service will tell of it, as far as that is known now. */
  readonly row: Readonly<Record<string, Json>>;
}

/** The requests, each of which needs the one before. */
export function rankedRequests(ranked: RankedScope, steps: readonly RankedStep[]): readonly Request[] {
  const { kind, scope, live } = ranked;
  const standing = new Map<number, Standing>(
    live.map((one, row) => [row, { text: { of: "live", rule: row }, row: fieldsOf(kind, one.row) }]),
  );
  const last = new Map(steps.map((step) => [step.row, step]));
  const requests: Request[] = [];
  for (const step of steps) {
    const address = addressIn(ranked, last.get(step.row) ?? step);
    const base = { kind, address, late: false, needs: requests.slice(-1).map(({ request }) => request) };
    if (step.does === "append") {
      const body = bodyOf(ranked, step.text);
      const why = whyAppend(step.text, last.get(step.row) === step);
      const target = creationTarget(kind, scope);
      requests.push({ step, request: { ...base, method: "POST", target, body, why } });
      standing.set(step.row, { text: step.text, row: told(body) });
      continue;
    }
    const old = standing.get(step.row);
    const target = live[step.row];
    const reached = {
      ...memberTarget(kind, scope, target, undefined),
      ...(target === undefined ? { unknown: address } : {}),
      ...guard(kind, scope, target, old?.row ?? {}),
    };
    if (step.does === "delete") {
      requests.push({ step, request: { ...base, method: "DELETE", ...reached, body: null, why: "delete the rule" } });
      continue;
    }
    const whole = bodyOf(ranked, step.text);
    const alike = ruleOf(ranked, old?.text)?.match === ruleOf(ranked, step.text)?.match;
    const body = alike ? { outcome: whole.outcome ?? null } : whole;
    const why = alike ? "change the outcome of the rule" : whyWrite(step.text, old?.text, last.get(step.row) === step);
    requests.push({ step, request: { ...base, method: "PATCH", ...reached, body, why } });
    standing.set(step.row, { text: step.text, row: { ...without(old?.row ?? {}, body), ...told(body) } });
  }
  return requests;
}

/** What is written: a declared rule with stand-ins for secrets, a live one as the service tells it, or the holding one. */
function bodyOf({ state, kind, scope, live, declared, wanted, around }: RankedScope, text: Text): WireFields {
  if (text.of === "live") return fieldsOf(kind, live[text.rule]?.row ?? {});
  if (text.of === "holding") return encoded({ outcome: around.holding ?? null, conditions: [], enabled: true });
  const entry = declared[text.rule];
  return entry === undefined ? {} : encoded(withheld(entry, wanted[text.rule] ?? {}));

  function encoded(fields: Fields): WireFields {
    return kind.codec?.encode?.(fields, state, scope) ?? fields;
  }
}

function ruleOf({ before, after }: RankedScope, text: Text | undefined): Rule | undefined {
  if (text === undefined || text.of === "holding") return undefined;
  return (text.of === "live" ? before : after)[text.rule];
}

/** The declared rule that ends in the row; for a row that goes the live one, or a number that no declared one has. */
function addressIn({ kind, scope, live, declared }: RankedScope, last: RankedStep): string {
  const entry = last.does !== "delete" && last.text.of === "declared" ? declared[last.text.rule] : undefined;
  const unlisted = addressOf(kind, scope, String(declared.length + last.row + 1));
  return entry?.address ?? live[last.row]?.address ?? unlisted;
}

function whyAppend(text: Text, stays: boolean): string {
  if (text.of === "holding") return "hold every alert on one outcome meanwhile";
  return stays ? "append the rule" : "append a copy for the time being, to make room above it";
}

function whyWrite(text: Text, old: Text | undefined, stays: boolean): string {
  if (text.of === "holding") return "hold every alert on one outcome meanwhile";
  if (old?.of === "holding") return "turn the holding rule into the first rule";
  return stays ? "write the rule where it is to stand" : "keep a copy of a rule here until another takes its place";
}

/** Before a write by rank: the row there must still be what this plan has left there. */
function guard(
  kind: Kind,
  scope: string,
  target: Live | undefined,
  row: Readonly<Record<string, Json>>,
): Pick<Step, "guard"> {
  if (target === undefined) return {};
  const { path, query } = creationTarget(kind, scope);
  const address = kind.identity.idFields[0] ?? "";
  return {
    guard: {
      path,
      query,
      list: kind.endpoint.envelope.list,
      address: target.id,
      row: { [address]: target.row[address] ?? null, ...row },
    },
  };
}

function fieldsOf(kind: Kind, row: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.keys(kind.fields ?? {}).flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
  );
}

function without(row: Readonly<Record<string, Json>>, body: WireFields): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !(name in body)));
}

/** The fields of a body that the plan holds whole: neither secret nor known only when an earlier request is answered. */
function told(body: WireFields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const plain = settledValue(value);
      return plain === undefined ? [] : [[name, plain]];
    }),
  );
}

function settledValue(value: Wire): Json | undefined {
  if (value instanceof Pending || value instanceof Withheld) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, settledValue(member)] as const);
  if (members.some(([, member]) => member === undefined)) return undefined;
  if (Array.isArray(value)) return members.map(([, member]) => member ?? null);
  return Object.fromEntries(members.map(([name, member]) => [name, member ?? null]));
}
