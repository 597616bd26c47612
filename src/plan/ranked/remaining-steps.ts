/**
 * The writes that an interrupted transition of a ranked list still has to make.
 *
 * A list between its old and its new rules holds copies of rules. Planned from there, it would often get other writes than those that
 * remain. So the remaining operations of the interrupted run are read as steps between the list as it is and the declared one. They
 * come from a journal, which is input from outside: a step only names rules of these two lists, and `transition` checks that the steps
 * are safe and end at the declared list.
 */

import { canonical } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import { finishBody, memberTarget } from "../diff/step.ts";
import type { Operation } from "../model/plan.ts";
import { bodyOf, type RankedList, ruleOf } from "./requests.ts";
import { type RankedStep, type RuleReference, ruleFields } from "./rule.ts";

/** The remaining operations of a list as steps; undefined if there are none, or if one writes a rule of neither list. */
export function remainingSteps(list: RankedList, operations: readonly Operation[]): readonly RankedStep[] | undefined {
  const { kind, scope, live } = list;
  const prefix = addressPrefix(kind, scope);
  const own = operations.filter(
    ({ address }) => address.startsWith(prefix) && !address.slice(prefix.length).includes("/"),
  );
  if (own.length === 0) return undefined;
  const references = referencesOf(list);
  const rules = rulesByBody(list, references);
  const rowsByPath = new Map(
    live.map((resource, row) => [memberTarget(kind, scope, resource, undefined).target.path, row]),
  );
  const rowsByCreation = new Map<string, number>();
  /** The rule of each row, as far as the steps go. */
  const rows: (RuleReference | undefined)[] = live.map((_resource, index) => ({ list: "live", index }));
  const steps: RankedStep[] = [];
  for (const operation of own) {
    const row = rowOf(operation, rowsByPath, rowsByCreation, rows.length);
    if (row === undefined) return undefined;
    if (operation.method === "DELETE") {
      steps.push({ action: "delete", row });
      continue;
    }
    const candidates = rules.get(bodyText(operation)) ?? rulesWithEffect(list, references, rows[row], operation);
    // The address of an operation is that of the declared rule that its row holds at the end.
    const isLast = (one: RuleReference) =>
      one.list === "declared" && list.declared[one.index]?.address === operation.address;
    const rule = candidates.find(isLast) ?? candidates[0];
    if (rule === undefined) return undefined;
    rows[row] = rule;
    steps.push({ action: operation.method === "POST" ? "append" : "write", row, rule });
  }
  return steps;
}

/** The row that an operation appends, overwrites or deletes. */
function rowOf(
  { method, path, address, inserts = [] }: Operation,
  rowsByPath: ReadonlyMap<string, number>,
  rowsByCreation: Map<string, number>,
  next: number,
): number | undefined {
  if (method === "POST") {
    rowsByCreation.set(address, next);
    return next;
  }
  const creation = inserts.find(({ at }) => at.startsWith("/path/"));
  return creation === undefined ? rowsByPath.get(path) : rowsByCreation.get(creation.address);
}

/** The rules of both lists, the live ones first. */
function referencesOf({ live, declared }: RankedList): readonly RuleReference[] {
  return [
    ...live.map((_rule, index) => ({ list: "live" as const, index })),
    ...declared.map((_rule, index) => ({ list: "declared" as const, index })),
  ];
}

/** Rules by the body that writes them. */
function rulesByBody(
  list: RankedList,
  references: readonly RuleReference[],
): ReadonlyMap<string, readonly RuleReference[]> {
  return groupBy(references, (reference) => bodyText(finishBody(bodyOf(list, reference))));
}

/** The rules that a row can hold after a write of the effect alone: those with the conditions that it has already. */
function rulesWithEffect(
  list: RankedList,
  references: readonly RuleReference[],
  before: RuleReference | undefined,
  { body }: Operation,
): readonly RuleReference[] {
  const { effect } = ruleFields(list.kind);
  const match = ruleOf(list, before)?.match;
  if (match === undefined || body === null || Object.keys(body).join() !== effect) return [];
  const value = canonical(body[effect] ?? null);
  return references.filter(
    (one) =>
      ruleOf(list, one)?.match === match && canonical(finishBody(bodyOf(list, one)).body?.[effect] ?? null) === value,
  );
}

/** A body as text, with the places of the values that are filled in when it is sent. */
function bodyText({ body, inserts = [] }: Pick<Operation, "body" | "inserts">): string {
  const late = inserts.flatMap(({ at, address, fields = [], secret = "", pin = "" }) =>
    at.startsWith("/body/") ? [[at, address, ...fields, secret, pin]] : [],
  );
  return canonical([body, late]);
}
