/**
 * The requests of a ranked list's transition: for each write the row it reaches, the body, and the rule that must be there before.
 *
 * A row is addressed by its priority, and somebody may have edited the list since it was read. So the row is read again right before
 * each write, and must hold the live rule, or what an earlier write of the plan has left there.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type Fields, type Json, pick } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { Pending, type Wire, type WireFields, Withheld } from "../../kinds/model/lookup.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import { withoutBlanks } from "../../kinds/values/equality.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { tokenStorePart } from "../diff/create.ts";
import { creationTarget, lateScope, memberTarget, type Step, withholdSecrets } from "../diff/step.ts";
import { type HoldingRule, type RankedRule, type RankedStep, type RuleReference, ruleFields } from "./rule.ts";

/** The live and the declared list of one scope. */
export interface RankedList {
  readonly state: ResolvedState;
  readonly kind: Kind;
  readonly scope: string;
  readonly live: readonly LiveResource[];
  /** The live rules with all members that the service returned. */
  readonly answered: readonly LiveResource[];
  readonly declared: readonly DeclaredResource[];
  /** Fields of the declared rules with their defaults. */
  readonly declaredFields: readonly Fields[];
  readonly liveRules: readonly RankedRule[];
  readonly declaredRules: readonly RankedRule[];
  /** For each live rule, the fields that may hold values of the environment. */
  readonly secret: readonly ReadonlySet<string>[];
  /** Outcome of the holding rule, with stand-ins for secrets. */
  readonly holding: Fields | undefined;
}

/** A write and the request that makes it. */
export interface RankedRequest {
  readonly step: RankedStep;
  readonly request: Step;
  /** Of a deletion: index of the live rule that it removes. */
  readonly removes?: number;
}

/** The rule in a row at a moment of the transition. */
interface RowState {
  readonly rule: RuleReference | HoldingRule;
  /** The fields that the service returns for it, as far as they are known in the plan. */
  readonly fields: Fields;
}

/** The requests in order; each one needs the one before. */
export function rankedRequests(list: RankedList, steps: readonly RankedStep[]): readonly RankedRequest[] {
  const { kind, scope, live, secret } = list;
  const rows = new Map<number, RowState>(
    live.map(({ row }, index) => [
      index,
      { rule: { list: "live", index }, fields: checkedFields(kind, row, secret[index]) },
    ]),
  );
  const lastSteps = new Map(steps.map((step) => [step.row, step]));
  const requests: RankedRequest[] = [];
  const late = lateScope(list.state, kind, scope);
  const scopeFrom = late.length === 0 ? {} : { scopeFrom: late };
  for (const step of steps) {
    const last = lastSteps.get(step.row) ?? step;
    const address = addressIn(list, last);
    const needs = requests.slice(-1).map(({ request }) => request);
    const base = { kind, address, phase: "change" as const, needs, ...scopeFrom };
    if (step.action === "append") {
      const body = bodyOf(list, step.rule);
      const why = reasonFor(step.rule, undefined, last === step);
      const target = creationTarget(kind, scope);
      requests.push({ step, request: { ...base, method: "POST", target, body, why, ...tokenStorePart(kind) } });
      rows.set(step.row, { rule: step.rule, fields: knownFields(body) });
      continue;
    }
    const before = rows.get(step.row);
    const resource = live[step.row];
    const reached = {
      ...memberTarget(kind, scope, resource, undefined),
      ...(resource === undefined ? { idFrom: address } : {}),
      ...guardFor(kind, scope, resource, before?.fields ?? {}),
    };
    if (step.action === "delete") {
      const removes = before?.rule.list === "live" ? before.rule.index : step.row;
      const why = `delete the rule at position ${removes + 1}`;
      requests.push({ step, request: { ...base, method: "DELETE", ...reached, body: null, why }, removes });
      continue;
    }
    const whole = bodyOf(list, step.rule);
    const { effect } = ruleFields(kind);
    const changesEffect = ruleOf(list, before?.rule)?.match === ruleOf(list, step.rule)?.match;
    const body = changesEffect ? { [effect]: whole[effect] ?? null } : whole;
    const why =
      changesEffect && step.rule.list !== "holding"
        ? `change the ${effect} of the rule at position ${step.rule.index + 1}`
        : reasonFor(step.rule, before?.rule, last === step);
    requests.push({ step, request: { ...base, method: "PATCH", ...reached, body, why } });
    rows.set(step.row, { rule: step.rule, fields: { ...without(before?.fields ?? {}, body), ...knownFields(body) } });
  }
  return requests;
}

/** The body that writes a rule: a declared one with stand-ins for secrets, a live one as it is, or the holding one. */
export function bodyOf(list: RankedList, rule: RuleReference | HoldingRule): WireFields {
  const { state, kind, scope, answered, declared, declaredFields, holding } = list;
  const { encode } = state.listOf({ kind, scope });
  if (rule.list === "live") return encode(copiedFields(kind, answered[rule.index]));
  if (rule.list === "holding") {
    const { conditions, enabled, effect } = ruleFields(kind);
    return encode({ [effect]: holding ?? null, [conditions]: [], [enabled]: true });
  }
  const resource = declared[rule.index];
  return resource === undefined ? {} : encode(withholdSecrets(resource, declaredFields[rule.index] ?? {}));
}

export function ruleOf(
  { liveRules, declaredRules }: RankedList,
  rule: RuleReference | HoldingRule | undefined,
): RankedRule | undefined {
  if (rule === undefined || rule.list === "holding") return undefined;
  return (rule.list === "live" ? liveRules : declaredRules)[rule.index];
}

/** The address of the declared rule that the row holds at the end; of a deleted row that of its live rule, or an unused number. */
function addressIn({ kind, scope, live, declared }: RankedList, last: RankedStep): string {
  const resource = last.action !== "delete" && last.rule.list === "declared" ? declared[last.rule.index] : undefined;
  const unused = addressOf(kind, scope, String(declared.length + last.row + 1));
  return resource?.address ?? live[last.row]?.address ?? unused;
}

/** The reason of a write. Positions of copies are those of the live list, all others those of the declared one. */
function reasonFor(
  rule: RuleReference | HoldingRule,
  before: RuleReference | HoldingRule | undefined,
  isLast: boolean,
): string {
  if (rule.list === "holding") return "temporarily give every alert the holding outcome";
  const position = `the rule at position ${rule.index + 1}`;
  if (before?.list === "holding") return `replace the holding rule with ${position}`;
  return isLast ? `write ${position}` : `temporarily duplicate ${position}`;
}

/** The check before a row is written by its priority: it must still hold what this plan has left there. */
function guardFor(kind: Kind, scope: string, resource: LiveResource | undefined, fields: Fields): Pick<Step, "guard"> {
  if (resource === undefined) return {};
  const { path, query } = creationTarget(kind, scope);
  const idField = kind.identity.idFields[0] ?? "";
  return {
    guard: {
      path,
      query,
      list: kind.endpoint.envelope.list,
      address: resource.id,
      row: { [idField]: resource.row[idField] ?? null, ...fields },
    },
  };
}

/** The fields of a live rule that a copy has: those that were answered, without empty members of what the rule does, which a service may not accept. */
function copiedFields(kind: Kind, rule: LiveResource | undefined): Fields {
  if (rule === undefined) return {};
  const { effect } = ruleFields(kind);
  const { [effect]: does, ...own } = pick(rule.fields, Object.keys(rowFields(kind, rule.row)));
  return { ...own, ...(does === undefined ? {} : { [effect]: withoutBlanks(does) }) };
}

function rowFields(kind: Kind, row: Fields): Fields {
  return pick(row, Object.keys(kind.fields ?? {}));
}

/** The fields of a live rule that are checked. Without an id only its content tells a rule from the one that has taken its place. */
function checkedFields(kind: Kind, row: Fields, secret: ReadonlySet<string> | undefined): Fields {
  const hasId = row.id !== undefined;
  return Object.fromEntries(
    Object.entries(rowFields(kind, row)).filter(([name]) => !hasId || secret?.has(name) !== true),
  );
}

function without(fields: Fields, body: WireFields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in body)));
}

/** The fields of a body whose values are in the plan: not secret, and not known only after an earlier request. */
function knownFields(body: WireFields): Fields {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const known = knownValue(value);
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

function knownValue(value: Wire): Json | undefined {
  if (value instanceof Pending || value instanceof Withheld) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, knownValue(member)] as const);
  if (members.some(([, member]) => member === undefined)) return undefined;
  if (Array.isArray(value)) return members.map(([, member]) => member ?? null);
  return Object.fromEntries(members.map(([name, member]) => [name, member ?? null]));
}
